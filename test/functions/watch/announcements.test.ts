import { readFile } from 'node:fs/promises';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { periodBefore } from '../../../functions/domain/period.ts';
import type { MatterKind, PublishedMatter, Suppressed } from '../../../functions/ledger/notices.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Look } from '../../../functions/watch/matters.ts';
import type { WatchedRun } from '../../../functions/watch/inspect.ts';
import type { NoticePlace, NoticeText } from '../../../functions/watch/notice-text.ts';
import { compareMatters, type Change } from '../../../functions/watch/publish-notices.ts';
import { runOf, runsWith } from './inspected-samples.ts';

const now = '2026-11-16T08:15:00Z';
const nowhere: NoticePlace = { environment: undefined, flags: [] };
const staging: NoticePlace = { environment: 'staging', flags: ['--env', 'staging'] };
const error = { code: 'service-unavailable', message: 'The service did not answer\nwithin 20 s.' };
const failedRun = runOf({ state: 'failed', error, summary: { balanced: true, sent: 0, failed: 0, unknown: 0 } });

/** A matter that operators were notified of. */
const published = (kind: MatterKind, subject = 'weekly_2026-W46'): PublishedMatter => ({ kind, subject });

interface Seen {
  known?: readonly PublishedMatter[];
  suppressed?: readonly Suppressed[];
  off?: Look['off'];
  at?: string;
  place?: NoticePlace;
}

function compare(
  watched: readonly WatchedRun[],
  { known = [], suppressed = [], off = [], at = now, place = nowhere }: Seen = {},
): Change[] {
  return compareMatters(known, { watched, left: [], off, suppressed }, { now: Temporal.Instant.from(at), place });
}

const textsOf = (changes: readonly Change[]): NoticeText[] => changes.flatMap(({ text }) => text ?? []);

const about = ': weekly, 9 to 15 November 2026';

/** What is said of which matters. */
const summaryOf = (changes: readonly Change[]): string[] =>
  changes.map(({ text, begun, over }) => {
    const kinds = [...begun, ...over].map(({ kind }) => kind).join('+');
    return `${begun.length > 0 ? 'begin' : 'end'} ${kinds}: ${text?.subject.replace(about, '') ?? 'in silence'}`;
  });

const released = { execution: 'e', at: now, changed: { subscribersAdded: 0, subscribersRemoved: 0, mail: false } };
const discarded = { execution: 'e', at: now, digest: 'd' };
const failed = published('failed');
const bothHeld = [published('held'), published('held-too-long')];
const ofReport = published('not-configured', 'weekly');
const old = '2027-05-13T08:15:00Z';

/** What events of a run suppressed, the last one a week ago. */
const suppressedBy = (run: string, ...reasons: Array<Suppressed['reason']>): Suppressed[] =>
  reasons.map((reason, day) => ({ run, reason, at: `2026-11-0${9 - day}T08:15:00Z` }));

describe('what operators are told', () => {
  it.each<[string, Partial<Run> | null, PublishedMatter[], string[], string?]>([
    ['it begins', failedRun, [], ['begin failed: Run failed']],
    ['it is old', failedRun, [], [], '2026-11-23T08:15:00Z'],
    ['operators know of it', failedRun, [failed], [], '2026-11-23T08:15:00Z'],
    ['two are over', {}, [failed, published('overdue')], ['end failed+overdue: Run done']],
    ['a digest was released', { state: 'kept', released }, bothHeld, ['end held+held-too-long: Digest released']],
    ['one was discarded', { state: 'planned', discarded }, bothHeld, ['end held+held-too-long: Digest discarded']],
    ['it is neither open nor over', { state: 'planned' }, [failed], [], old],
    ['its run is gone, and not long ago', null, [failed], [], '2027-05-12T08:15:00Z'],
    ['its run is gone', null, [failed, published('incomplete')], ['end failed+incomplete: in silence'], old],
    ['its report was switched on', null, [published('off', 'weekly')], ['end off: in silence']],
    ['its report is configured again', {}, [ofReport], ['end not-configured: in silence']],
  ])('is what has changed of a matter: %s', (_, run, known, said, at = now) => {
    const watched = runsWith(run === null ? null : runOf(run));
    expect(summaryOf(compare(watched, { known, at }))).toEqual(said);
  });

  it('is how many addresses the events of a run suppressed, in one notice, and again where there are more, for seven days', () => {
    const first = [
      ...suppressedBy('weekly_2026-W46', 'bounce', 'complaint', 'bounce'),
      ...suppressedBy('old_2026-W46', 'bounce'),
    ];
    const more = [...first, ...suppressedBy('old_2026-W46', 'complaint')];
    const watched = runsWith(runOf());
    const changes = compare(watched, { suppressed: first });
    const known = changes.flatMap(({ begun }) => begun);
    expect(summaryOf(changes)).toEqual([
      'begin suppressed: 3 addresses suppressed',
      'begin suppressed: Address suppressed: old_2026-W46',
    ]);
    expect(changes[0]?.text?.body).toContain(': 2 bounced permanently, 1 complained about the mail.\n');
    expect(compare(watched, { known, suppressed: first })).toEqual([]);
    expect(summaryOf(compare(watched, { known, suppressed: more }))).toEqual([
      'begin suppressed: 2 addresses suppressed: old_2026-W46',
      'end suppressed: in silence',
    ]);
    expect(compare(watched, { suppressed: first, at: '2026-11-16T08:15:01Z' })).toEqual([]);
  });
});

/** Runs with which each matter begins. */
const open: Array<[MatterKind, WatchedRun[]]> = [
  ['failed', runsWith(failedRun)],
  ['failed', runsWith(runOf({ state: 'failed', error: { code: 'sender-unverified', message: 'Unverified.' } }))],
  ['stopped', runsWith(runOf({ state: 'sending', error }))],
  ['waiting', runsWith(runOf({ state: 'sending', waitsUntil: '2026-11-18T08:10:00Z' }))],
  ['overdue', runsWith(null, { isDue: true })],
  ['held', runsWith(runOf({ state: 'held', missing: 2, finishedAt: now }))],
  ['held', runsWith(runOf({ state: 'held', missing: 1, unsaid: 'createdBy', finishedAt: now }))],
  ['held-too-long', runsWith(runOf({ state: 'held', finishedAt: '2026-11-15T08:14:00Z' }))],
  ['unbalanced', runsWith(runOf({ summary: { balanced: false, sent: 1, failed: 0, unknown: 0 } }))],
  ['refused', runsWith(runOf({ summary: { balanced: true, sent: 1, failed: 1, unknown: 0 } }))],
  ['unknown', runsWith(runOf(), { unknown: { count: 1, forADay: 1 } })],
  ['incomplete', runsWith(runOf({ missing: 3 }))],
  ['off', []],
];

const receiptOf = (sent: number, unknown: number) => ({ summary: { balanced: true, sent, failed: 0, unknown } });

describe('a notice', () => {
  it('that a matter begins or is over is plain text of ten lines at most, in the words that were approved', async () => {
    const notices = open.flatMap(([kind, watched]) => {
      const off = kind === 'off' ? [{ report: 'weekly', firstSeenAt: '2026-11-09T08:15:00Z' }] : [];
      const begins = compare(watched, { off, place: staging }).filter(({ begun }) => begun[0]?.kind === kind);
      const known = [published(kind)];
      return textsOf([...begins, ...compare(runsWith(runOf()), { known, place: staging })]);
    });
    expect(notices.filter(({ body }) => body.trimEnd().split('\n').length > 10)).toEqual([]);
    const shown = notices.map(({ subject, body }) => `${subject}\n\n${body}`).join('\n---\n\n');
    expect(shown).toBe(await readFile('test/fixtures/notices.txt', 'utf8'));
  });

  it('has a subject that SNS takes, whatever the names, and does not grow with the cause', () => {
    const name = 'n'.repeat(53);
    const long = { code: 'internal', message: 'x'.repeat(10_000) };
    const run = runOf({ ...failedRun, error: long, run: `${name}_2026-W46`, report: name });
    const place = { environment: 'e'.repeat(31), flags: [] };
    const [found] = textsOf(compare(runsWith(run, { name }), { place }));
    expect(found?.subject).toMatch(/^Run failed: n{53}, 9 to 15 November 2026 [ -~]*$/);
    expect(found?.subject.length).toBe(99);
    expect(found?.body.length).toBeLessThan(1_000);
  });

  it.each([
    ['day', '2026-11-16T08:00:00Z', '15 November 2026'],
    ['week', '2026-11-02T08:00:00Z', '26 October to 1 November 2026'],
    ['week', '2026-01-05T08:00:00Z', '29 December 2025 to 4 January 2026'],
    ['month', '2026-11-16T08:00:00Z', 'October 2026'],
    ['quarter', '2026-11-16T08:00:00Z', 'July to September 2026'],
  ] as const)('names the period: a %s before %s', (kind, at, words) => {
    const run = { ...failedRun, period: periodBefore(kind, 'Europe/London', at) } satisfies Run;
    expect(textsOf(compare(runsWith(run)))[0]?.subject).toBe(`Run failed: weekly, ${words}`);
  });

  it.each<[Partial<Run>, string]>([
    [receiptOf(0, 0), 'nobody has the mail.'],
    [receiptOf(1, 0), '1 of 2 has it.'],
    [receiptOf(1, 1), '1 of 2 has it; for 1 it is not known.'],
    [receiptOf(0, 2), 'nobody is known to have the mail; for 2 it is not known.'],
    [{ summary: undefined, begun: 'begun-1' }, 'some may have the mail.'],
    [{ summary: undefined }, 'nobody has the mail.'],
    // It is being sent.
    [{ ...receiptOf(0, 0), state: 'sending', error: undefined }, 'some may have the mail.'],
  ])('says what the readers have: %j', (over, words) => {
    const [found] = textsOf(compare(runsWith({ ...failedRun, ...over }, { isDue: true })));
    expect(found?.body).toContain(`\nWhat the readers have: ${words}\n`);
  });
});
