import { readFile } from 'node:fs/promises';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { periodBefore } from '../../../functions/domain/period.ts';
import type { Notice } from '../../../functions/ledger/notices.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { compareMatters, type Changes } from '../../../functions/watch/publish-notices.ts';
import type { InspectedReport } from '../../../functions/watch/inspect.ts';
import type { NoticePlace } from '../../../functions/watch/notice-text.ts';
import { reportWith, runOf } from './inspected-samples.ts';

const now = '2026-11-16T08:15:00Z';
const expiresAt = Date.parse('2029-01-16T08:15:00Z') / 1_000;
const nowhere: NoticePlace = { environment: undefined, flags: [] };
const staging: NoticePlace = { environment: 'staging', flags: ['--env', 'staging'] };
const error = { code: 'service-unavailable', message: 'The service did not answer\nwithin 20 s.' };
const failedRun = runOf({ state: 'failed', error, summary: { balanced: true, sent: 0, failed: 0, unknown: 0 } });

/** A matter that is recorded, and one that operators were notified of, too. */
const recorded = (kind: Notice['kind'], over: Partial<Notice> = {}): Notice => ({
  kind,
  subject: 'weekly_2026-W46',
  since: now,
  expiresAt,
  ...over,
});
const noticeOf: typeof recorded = (kind, over) => recorded(kind, { noticedAt: now, ...over });

function compare(report: InspectedReport, notices: readonly Notice[], at = now, place = nowhere): Changes {
  return compareMatters({ notices, reports: [report] }, { now: Temporal.Instant.from(at), place });
}

const about = 'weekly, 9 to 15 November 2026';
const kindsOf = (matters: ReadonlyArray<{ kind: string }>): string => matters.map(({ kind }) => kind).join('+');

/** What is recorded, kept and said of the weekly run, each matter by its kind. */
const summaryOf = ({ begun, overSilently, lasting, announcements }: Changes): string[] => [
  ...begun.map(({ kind, subject }) => `record ${kind} of ${subject}`),
  ...overSilently.map(({ kind }) => `over in silence: ${kind}`),
  ...lasting.map(({ kind }) => `keep ${kind}`),
  ...announcements.map(
    ({ phase, text, matters }) => `${phase} ${kindsOf(matters)}: ${text.subject.replace(`: ${about}`, '')}`,
  ),
];

const unpublished = recorded('failed');
const expiringAt = (instant: string) => noticeOf('failed', { expiresAt: Date.parse(instant) / 1_000 });
const released = { execution: 'e', at: now, changed: { subscribersAdded: 0, subscribersRemoved: 0, mail: false } };
const discarded = { execution: 'e', at: now, digest: 'd' };
const overHeld = noticeOf('held', { overAt: now });
const bothHeld = [noticeOf('held'), noticeOf('held-too-long')];

describe('what has changed since the last look', () => {
  it.each<[string, Partial<Run>, Notice[], string[], string?]>([
    ['it begins', failedRun, [], ['record failed of weekly_2026-W46', 'begin failed: Run failed']],
    ['it is old news', failedRun, [unpublished], ['begin failed: Run failed'], '2026-12-16T08:15:00Z'],
    ['operators know of it', failedRun, [noticeOf('failed')], []],
    ['two are over', {}, [noticeOf('failed'), noticeOf('overdue')], ['end failed+overdue: Run done']],
    ['it is over and was never published', {}, [unpublished], ['over in silence: failed']],
    ['it begins again', { state: 'held' }, [overHeld], ['record held of weekly_2026-W46', 'begin held: Digest held']],
    ['its item would expire', failedRun, [expiringAt('2026-12-17T08:14:59Z')], ['keep failed']],
    ['its item expires later', failedRun, [expiringAt('2026-12-17T08:15:00Z')], []],
    ['a digest was released', { state: 'kept', released }, bothHeld, ['end held+held-too-long: Digest released']],
    ['one was discarded', { state: 'planned', discarded }, bothHeld, ['end held+held-too-long: Digest discarded']],
  ])('of a matter is recorded and said: %s', (_, run, notices, said, at = now) => {
    expect(summaryOf(compare(reportWith(runOf(run)), notices, at))).toEqual(said);
  });

  it('is that addresses were suppressed, in one notice a run, which names none', () => {
    const notices = (['bounce', 'complaint', 'bounce'] as const).map((reason, index) =>
      recorded('suppressed', { message: `ses-${index + 1}`, reason }),
    );
    const known = noticeOf('suppressed', { message: 'ses-0', reason: 'bounce' });
    const gone = recorded('suppressed', { message: 'ses-4', reason: 'bounce', subject: 'old_2026-W46' });
    const changes = compare(reportWith(runOf()), [known, ...notices, gone]);
    expect(summaryOf(changes)).toEqual([
      'begin suppressed+suppressed+suppressed: 3 addresses suppressed',
      'begin suppressed: Address suppressed: old_2026-W46',
    ]);
    expect(changes.announcements[0]?.text.body).toContain(': 2 bounced permanently, 1 complained about the mail.\n');
  });
});

/** A report in which each matter begins. */
const open: Array<[Notice['kind'], InspectedReport]> = [
  ['failed', reportWith(failedRun)],
  ['stopped', reportWith(runOf({ state: 'sending', error }))],
  ['overdue', reportWith(null, { isDue: true })],
  ['held', reportWith(runOf({ state: 'held', missing: 2, finishedAt: now }))],
  ['held-too-long', reportWith(runOf({ state: 'held', finishedAt: '2026-11-15T08:14:00Z' }))],
  ['unbalanced', reportWith(runOf({ summary: { balanced: false, sent: 1, failed: 0, unknown: 0 } }))],
  ['refused', reportWith(runOf({ summary: { balanced: true, sent: 1, failed: 1, unknown: 0 } }))],
  ['unknown', reportWith(runOf(), { unknown: { count: 1, forADay: 1 } })],
  ['incomplete', reportWith(runOf({ missing: 3 }))],
  ['not-set-up', reportWith(runOf({ state: 'failed', error: { ...error, code: 'credentials-missing' } }))],
];

const receiptOf = (sent: number, unknown: number) => ({ summary: { balanced: true, sent, failed: 0, unknown } });

describe('a notice', () => {
  it('that a matter begins or is over is plain text of ten lines at most, in the words that were approved', async () => {
    const notices = open.flatMap(([kind, report]) => {
      const begins = compare(report, [], now, staging).announcements;
      const notice = noticeOf(kind, kind === 'not-set-up' ? { subject: '@deployment' } : {});
      const ends = compare(reportWith(runOf()), [notice], now, staging).announcements;
      return [...begins.filter(({ matters }) => matters[0]?.kind === kind), ...ends].map(({ text }) => text);
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
    const [found] = compare(reportWith(run, { name }), [], now, place).announcements;
    expect(found?.text.subject).toMatch(/^Run failed: n{53}, 9 to 15 November 2026 [ -~]*$/);
    expect(found?.text.subject.length).toBe(99);
    expect(found?.text.body.length).toBeLessThan(1_000);
  });

  it.each([
    ['day', '2026-11-16T08:00:00Z', '15 November 2026'],
    ['week', '2026-11-02T08:00:00Z', '26 October to 1 November 2026'],
    ['week', '2026-01-05T08:00:00Z', '29 December 2025 to 4 January 2026'],
    ['month', '2026-11-16T08:00:00Z', 'October 2026'],
    ['quarter', '2026-11-16T08:00:00Z', 'July to September 2026'],
  ] as const)('names the period: a %s before %s', (kind, at, words) => {
    const run = { ...failedRun, period: periodBefore(kind, 'Europe/London', at) } satisfies Run;
    expect(compare(reportWith(run), []).announcements[0]?.text.subject).toBe(`Run failed: weekly, ${words}`);
  });

  it.each<[Partial<Run>, string]>([
    [receiptOf(0, 0), 'nobody has the mail.'],
    [receiptOf(1, 0), '1 of 2 subscribers has the mail.'],
    [receiptOf(1, 1), '1 of 2 subscribers has the mail; for 1 it is not known.'],
    [receiptOf(0, 2), 'nobody is known to have the mail; for 2 it is not known.'],
    [{ summary: undefined, begun: 'begun-1' }, 'some may have the mail.'],
    [{ summary: undefined }, 'nobody has the mail.'],
    // It is being sent.
    [{ ...receiptOf(0, 0), state: 'sending', error: undefined }, 'some may have the mail.'],
  ])('says what the readers have: %j', (over, words) => {
    const [found] = compare(reportWith({ ...failedRun, ...over }, { isDue: true }), []).announcements;
    expect(found?.text.body).toContain(`\nWhat the readers have: ${words}\n`);
  });
});
