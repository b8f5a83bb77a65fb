import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import type { PublishedMatter } from '../../../functions/ledger/notices.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { WatchedRun } from '../../../functions/watch/inspect.ts';
import { endOf, openMatters, readersOf, runMatters } from '../../../functions/watch/matters.ts';
import { runOf, runsWith, type Beside } from './inspected-samples.ts';

const monday = '2026-11-16T14:00:00Z';
const error = { code: 'service-unavailable', message: 'The service does not answer.' };
const balanced = { balanced: true, sent: 2, failed: 0, unknown: 0 };

const opened = (watched: readonly WatchedRun[], now = monday) =>
  openMatters({ watched, left: [], suppressed: [] }, Temporal.Instant.from(now));

/** The matters that begin, or are known already, as "kind subject". */
const begun = (watched: readonly WatchedRun[], now = monday): string[] =>
  opened(watched, now)
    .filter(({ isRecent }) => isRecent)
    .map(({ kind, subject }) => `${kind} ${subject}`);

/** The kinds of those of the weekly run. */
const kindsIn = (watched: readonly WatchedRun[], now: string): string =>
  begun(watched, now)
    .map((matter) => matter.replace(' weekly_2026-W46', ''))
    .join(' ');

/** Whether a matter of the run is over. */
const isOver = (kind: PublishedMatter['kind'], watched: readonly WatchedRun[]): boolean =>
  endOf({ kind, subject: 'weekly_2026-W46' }, watched) !== null;

const due = { isDue: true };
const others = 'failed overdue held held-too-long unbalanced refused';
const settled = { unknown: { count: 0, forADay: 0 } };
const oneOf = (over: Partial<typeof balanced>) => ({ summary: { ...balanced, ...over } });
const released = { execution: 'e', at: monday, changed: { subscribersAdded: 0, subscribersRemoved: 0, mail: false } };

/** A run, what begins with it or lasts, and what is over by it; every other matter neither begins nor is over. */
const worlds: Array<[run: Partial<Run> | null, look: Beside & { now?: string }, begins: string, ends: string]> = [
  [null, {}, '', ''],
  [null, due, 'overdue', ''],
  [{}, settled, '', `${others} unknown`],
  [{}, due, '', `${others} unknown`],
  [{ state: 'planned' }, {}, '', 'held held-too-long unbalanced unknown'],
  [{ state: 'kept' }, due, 'overdue', 'held held-too-long unbalanced unknown'],
  [{ state: 'sending' }, due, 'overdue', 'held held-too-long unbalanced'],
  [{ state: 'failed', error }, due, 'failed', 'held held-too-long unbalanced unknown'],
  [{ state: 'sending', error }, due, 'failed', 'held held-too-long unbalanced unknown'],
  [{ state: 'held', missing: 2 }, due, 'held', 'unbalanced unknown'],
  [{ state: 'held' }, { now: '2026-11-17T08:04:59Z' }, 'held', 'unbalanced unknown'],
  [{ state: 'held' }, { now: '2026-11-17T08:05:00Z' }, 'held held-too-long', 'unbalanced unknown'],
  [oneOf({ balanced: false }), {}, 'unbalanced', 'failed overdue held held-too-long refused unknown'],
  [oneOf({ failed: 1 }), {}, 'refused', 'failed overdue held held-too-long unbalanced unknown'],
  [{ state: 'sending', ...oneOf({ failed: 1 }) }, {}, '', 'held held-too-long unbalanced'],
  [{ summary: undefined }, {}, '', 'failed overdue held held-too-long'],
  [{}, { unknown: { count: 2, forADay: 1 } }, 'unknown', others],
  [oneOf({ unknown: 1 }), {}, '', others],
  [oneOf({ unknown: 1 }), settled, '', `${others} unknown`],
  [{ missing: 3 }, {}, 'incomplete', `${others} unknown`],
  [{ missing: 3, released }, {}, '', `${others} unknown`],
];

it.each(worlds)('with the run %j and %j there begins "%s" and ends "%s"', (over, look, begins, ends) => {
  const { now = monday, ...options } = look;
  const runs = runsWith(over === null ? null : runOf(over), options);
  expect(kindsIn(runs, now)).toBe(begins);
  const kinds = Object.keys(runMatters);
  expect(kinds.filter((kind) => isOver(kind, runs)).join(' ')).toBe(ends);
});

const lasting = [{ state: 'failed', error }, { state: 'sending', error }, { missing: 1 }] as const;
it.each(lasting)('a matter begins until seven days after its run’s last work, and stays open: %j', (over) => {
  const runs = runsWith(runOf(over));
  expect(begun(runs, '2026-11-23T08:05:00Z').length).toBe(1);
  const later = '2026-11-23T08:05:01Z';
  expect(begun(runs, later)).toEqual([]);
  expect(opened(runs, later).length).toBe(1);
});

it.each<[over: Partial<Run>, says: string]>([
  [{ withheld: 'empty' }, 'nobody gets a mail, because there was nothing to report.'],
  [{ state: 'sending' }, 'some may have the mail.'],
  [{ state: 'sending', error }, '2 of 2 messages were sent.'],
  [{ state: 'planned', summary: undefined }, 'nobody has the mail.'],
  [{ state: 'planned', summary: undefined, begun: 'execution-1' }, 'some may have the mail.'],
  [oneOf({ sent: 1, unknown: 1 }), '1 of 2 messages were sent; 1 more may or may not have arrived.'],
])('of the run %j a notice says of its readers: %s', (over, says) => {
  expect(readersOf(runsWith(runOf(over))[0])).toBe(says);
});

it('one address that is suppressed is named so, several by their number, and others not', () => {
  const at = '2026-11-16T09:00:00Z';
  const suppressed = (...reasons: Array<'bounce' | 'complaint' | 'refusal'>) => {
    const events = reasons.map((reason) => ({ run: 'weekly_2026-W46', reason, at }));
    const matters = openMatters({ watched: [], left: [], suppressed: events }, Temporal.Instant.from(monday));
    return matters.map(({ words: { title, heading } }) => [title, heading]);
  };
  expect(suppressed('bounce', 'refusal')).toEqual([['Address suppressed', undefined]]);
  expect(suppressed('bounce', 'complaint')).toEqual([['2 addresses suppressed', 'Address suppressed']]);
  expect(suppressed('refusal')).toEqual([['Mails not delivered', undefined]]);
});

it.each<[run: Partial<Run> | null, happened: string, advice: RegExp]>([
  [null, 'it has not begun.', /^check/],
  [{ state: 'kept' }, 'it is kept.', /^check/],
  [{ state: 'sending', waitsUntil: '2026-11-17T08:00:00Z' }, 'most until 2026-11-17 08:00 (Europe/London)', /^nothing/],
])('what an overdue run (%j) waits for decides what helps', (run, happened, advice) => {
  const words = { happened: expect.stringContaining(happened), advice: expect.stringMatching(advice) };
  expect(opened(runsWith(run && runOf(run), due))[0]?.words).toMatchObject(words);
});
