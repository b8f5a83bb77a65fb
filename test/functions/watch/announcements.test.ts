import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { PublishedMatter, Suppressed } from '../../../functions/ledger/notices.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { WatchedRun } from '../../../functions/watch/inspect.ts';
import { compareMatters, type Change } from '../../../functions/watch/publish-notices.ts';
import { runOf, runsWith, type Beside } from './inspected-samples.ts';

const now = '2026-11-16T08:15:00Z';
const error = { code: 'service-unavailable', message: 'The service did not answer\nwithin 20 s.' };
const failedRun = runOf({ state: 'failed', error, summary: { balanced: true, sent: 0, failed: 0, unknown: 0 } });

/** A matter that operators were notified of. */
const published = (kind: PublishedMatter['kind'], subject = 'weekly_2026-W46'): PublishedMatter => ({ kind, subject });

/** What the watch sees beside the runs, and whose watch it is. */
interface Look {
  known?: PublishedMatter[];
  suppressed?: Suppressed[];
  at?: string;
  environment?: string;
}

/** What has changed since operators were told of the matters that are `known`. */
const compare = (watched: WatchedRun[], { known = [], suppressed = [], at = now, environment }: Look = {}) => {
  const place = { environment, flags: environment === undefined ? [] : ['--env', environment] };
  return compareMatters(known, { watched, left: [], suppressed }, { now: Temporal.Instant.from(at), place });
};

/** Which matters begin or end, and whether that is said. */
const summaryOf = (changes: readonly Change[]): string[] =>
  changes.map(({ text, begun, over }) => {
    const kinds = [...begun, ...over].map(({ kind }) => kind).join('+');
    return `${begun.length > 0 ? 'begin' : 'end'} ${kinds}${text === null ? ' in silence' : ''}`;
  });

const failed = published('failed');
const bothHeld = [published('held'), published('held-too-long')];
const ofReport = published('not-configured', 'weekly');
const old = '2027-05-13T08:15:00Z';

/** What events of a run suppressed, the last one a week ago. */
const suppressedBy = (run: string, ...reasons: Array<Suppressed['reason']>): Suppressed[] =>
  reasons.map((reason, day) => ({ run, reason, at: `2026-11-0${9 - day}T08:15:00Z` }));

describe('what operators are told', () => {
  it.each<[string, Partial<Run> | null, PublishedMatter[], string[], string?]>([
    ['it begins', failedRun, [], ['begin failed']],
    ['it is old', failedRun, [], [], '2026-11-23T08:15:00Z'],
    ['operators know of it', failedRun, [failed], [], '2026-11-23T08:15:00Z'],
    ['two are over', {}, [failed, published('overdue')], ['end failed+overdue']],
    ['a digest was released', { state: 'kept' }, bothHeld, ['end held+held-too-long']],
    ['it is neither open nor over', { state: 'planned' }, [failed], [], old],
    ['its run is gone, and not long ago', null, [failed], [], '2027-05-12T08:15:00Z'],
    ['its run is gone', null, [failed, published('incomplete')], ['end failed+incomplete in silence'], old],
    ['another run is done', {}, [published('failed', 'weekly_2026-W45')], []],
    ['its report is configured again', {}, [ofReport], ['end not-configured in silence']],
  ])('is what has changed of a matter: %s', (_, run, known, changes, at = now) => {
    const watched = runsWith(run === null ? null : runOf(run));
    expect(summaryOf(compare(watched, { known, at }))).toEqual(changes);
  });

  it('is how many addresses the events of a run suppressed, in one notice, and again where there are more, for seven days', () => {
    const ofWeekly = suppressedBy('weekly_2026-W46', 'bounce', 'complaint', 'bounce');
    const first = [...ofWeekly, ...suppressedBy('old_2026-W46', 'bounce')];
    const more = [...first, ...suppressedBy('old_2026-W46', 'complaint')];
    const watched = runsWith(runOf());
    const changes = compare(watched, { suppressed: first });
    const known = changes.flatMap(({ begun }) => begun);
    expect(known).toMatchObject([
      { kind: 'suppressed', subject: 'weekly_2026-W46', count: 3 },
      { kind: 'suppressed', subject: 'old_2026-W46', count: 1 },
    ]);
    expect(changes[0]?.text?.body).toMatch(/\b2 bounced\b.*\b1 complained\b/);
    expect(changes[1]?.text?.subject).toBe('Address suppressed: old_2026-W46');
    expect(compare(watched, { known, suppressed: first })).toEqual([]);
    const later = compare(watched, { known, suppressed: more });
    expect(summaryOf(later)).toEqual(['begin suppressed', 'end suppressed in silence']);
    expect(later[0]?.begun).toMatchObject([{ subject: 'old_2026-W46', count: 2 }]);
    expect(compare(watched, { suppressed: first, at: '2026-11-16T08:15:01Z' })).toEqual([]);
    // One was dealt with.
    const fewer = compare(watched, { known, suppressed: first.toSpliced(1, 1) });
    expect(summaryOf(fewer)).toEqual(['begin suppressed in silence', 'end suppressed in silence']);
  });
});

const run = 'weekly_2026-W46';
const runAgain = 'run weekly --at 2026-11-16T08:00:00Z';
const summary = { balanced: true, sent: 1, failed: 0, unknown: 0 };
/** Each matter, a run of which it is, and the commands that its notice names. */
type Row = [PublishedMatter['kind'], run: Partial<Run> | null, commands: string[], seen?: Beside];
const open: Row[] = [
  ['failed', failedRun, ['doctor', runAgain]],
  ['failed', { state: 'failed', error: { ...error, code: 'sender-unverified' } }, ['sender', runAgain]],
  ['overdue', null, ['doctor', runAgain], { isDue: true }],
  ['held', { state: 'held', missing: 2 }, [`show ${run}`, `release ${run}`]],
  ['held-too-long', { state: 'held', finishedAt: '2026-11-15T08:00:00Z' }, [`release ${run}`, `discard ${run}`]],
  ['unbalanced', { summary: { ...summary, balanced: false } }, [`show ${run} --messages`]],
  ['refused', { summary: { ...summary, failed: 1 } }, [`show ${run} --messages`, runAgain]],
  ['unknown', {}, [`show ${run} --messages`, `${runAgain} --resend-unknown`], { unknown: { count: 1, forADay: 1 } }],
  ['incomplete', { missing: 3 }, [`show ${run}`]],
];

const bodyOf = (over: Partial<Run>): string | undefined =>
  compare(runsWith(runOf(over), { isDue: true }))[0]?.text?.body;
describe('a notice', () => {
  it.each(open)('of %s is plain text of ten lines at most, with commands that help', (kind, over, commands, seen) => {
    const watched = runsWith(over && runOf(over), seen);
    const begins = compare(watched, { environment: 'staging' }).find(({ begun }) => begun[0]?.kind === kind);
    const { subject = '', body = '' } = begins?.text ?? {};
    expect(subject).toMatch(/^[A-Z][a-z ]+: weekly, 9 to 15 November 2026 \(staging\)$/);
    expect(body.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(body).not.toMatch(/\b0 messages/);
    const named = commands.map((command) => `npm run ops -- ${command} --env staging`);
    expect(body.match(/^npm run ops -- .*$/gm)).toEqual(named);
    const [end] = compare(runsWith(runOf()), { known: [published(kind)], environment: 'staging' });
    // Of a digest that was incomplete there is nothing more to say.
    expect(end?.text?.subject).toBe(kind === 'incomplete' ? undefined : `Over: ${subject}`);
  });

  it('has a subject that SNS takes, whatever the names, and does not grow with the cause', () => {
    const name = 'n'.repeat(53);
    const long = { code: 'internal', message: 'x'.repeat(10_000) };
    const run = runOf({ ...failedRun, error: long, run: `${name}_2026-W46`, report: name });
    const [{ text } = { text: null }] = compare(runsWith(run, { name }), { environment: 'e'.repeat(31) });
    expect(text?.subject).toMatch(/^[A-Z][a-z ]+: n{53}, 9 to 15 November 2026 [ -~]*$/);
    expect(text?.subject.length).toBe(99);
    expect(text?.body.length).toBeLessThan(1_000);
  });

  it('says the cause in one line, with its code, what is missing, or what comes nearest to a slice', () => {
    expect(bodyOf(failedRun)).toContain('The service did not answer within 20 s. (service-unavailable)\n');
    expect(bodyOf({ state: 'held' })).toContain(' your release.\n');
    expect(bodyOf({ state: 'held', missing: 1 })).toContain(' release. 1 thing was unavailable from the service.\n');
    expect(bodyOf({ state: 'held', nearest: [] })).toContain(' say.\n');
    expect(bodyOf({ state: 'held', nearest: ['Tom Baker'] })).toContain(' say. What comes nearest: "Tom Baker".\n');
  });
});
