import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import { runMatterKinds, type MatterKind } from '../../../functions/ledger/notices.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { InspectedReport } from '../../../functions/watch/inspect.ts';
import { endOf, findMatters, watchedRuns } from '../../../functions/watch/matters.ts';
import { reportWith, runOf } from './inspected-samples.ts';

const monday = '2026-11-16T14:00:00Z';
const tuesday = '2026-11-17T14:00:00Z';
const error = { code: 'service-unavailable', message: 'The service does not answer.' };
const missingCredentials = { code: 'credentials-missing', message: 'Secret "credentials" has no "id".' };
const balanced = { balanced: true, sent: 2, failed: 0, unknown: 0 };

/** The matters that begin, or are open already, as "kind subject". */
function open(reports: readonly InspectedReport[], now = monday): string[] {
  return findMatters(watchedRuns(reports), Temporal.Instant.from(now))
    .filter(({ isRecent }) => isRecent)
    .map(({ kind, subject }) => `${kind} ${subject}`);
}

/** Whether an open matter of the run is over. */
function isOver(kind: MatterKind, reports: readonly InspectedReport[], subject = 'weekly_2026-W46'): boolean {
  const notice = { kind, subject, since: monday, noticedAt: monday, expiresAt: 2_000_000_000 };
  return endOf(notice, watchedRuns(reports)) !== null;
}

/** What the watch sees beside the run. */
type Look = { unknown?: { count: number; forADay: number }; isDue?: boolean; now?: string };

const due = { isDue: true };
const settled = { unknown: { count: 0, forADay: 0 } };
const oneOf = (over: Partial<typeof balanced>) => ({ summary: { ...balanced, ...over } });
const changed = { subscribersAdded: 0, subscribersRemoved: 0, mail: false };
const released = { execution: 'e', at: monday, changed };

/** A run, what begins with it or lasts, and what is over by it; every other matter neither begins nor is over. */
const worlds: Array<[run: Partial<Run> | null, look: Look, begins: string, ends: string]> = [
  [null, {}, '', ''],
  [null, due, 'overdue', ''],
  [{}, settled, '', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
  [{}, due, '', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
  [{ state: 'planned' }, {}, '', 'held held-too-long unbalanced unknown'],
  [{ state: 'planned' }, due, 'overdue', 'held held-too-long unbalanced unknown'],
  [{ state: 'kept' }, due, 'overdue', 'held held-too-long unbalanced unknown'],
  [{ state: 'sending' }, due, 'overdue', 'held held-too-long unbalanced'],
  [{ state: 'sending' }, settled, '', 'held held-too-long unbalanced'],
  [{ state: 'failed', error }, due, 'failed', 'held held-too-long unbalanced unknown'],
  [{ state: 'sending', error }, due, 'stopped', 'held held-too-long unbalanced unknown'],
  [{ state: 'failed', error, missing: 3 }, {}, 'failed', 'held held-too-long unbalanced unknown'],
  [{ state: 'held', missing: 2 }, due, 'held', 'unbalanced unknown'],
  [{ state: 'held' }, { now: '2026-11-17T08:04:59Z' }, 'held', 'unbalanced unknown'],
  [{ state: 'held' }, { now: '2026-11-17T08:05:00Z' }, 'held held-too-long', 'unbalanced unknown'],
  [oneOf({ balanced: false }), {}, 'unbalanced', 'failed stopped overdue held held-too-long refused unknown'],
  [oneOf({ failed: 1 }), {}, 'refused', 'failed stopped overdue held held-too-long unbalanced unknown'],
  [{ state: 'sending', ...oneOf({ failed: 1 }) }, {}, '', 'held held-too-long unbalanced'],
  [{ summary: undefined }, {}, '', 'failed stopped overdue held held-too-long'],
  [
    {},
    { unknown: { count: 2, forADay: 1 } },
    'unknown',
    'failed stopped overdue held held-too-long unbalanced refused',
  ],
  [{}, { unknown: { count: 1, forADay: 0 } }, '', 'failed stopped overdue held held-too-long unbalanced refused'],
  [oneOf({ unknown: 1 }), {}, '', 'failed stopped overdue held held-too-long unbalanced refused'],
  [oneOf({ unknown: 1 }), settled, '', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
  [{ missing: 3 }, {}, 'incomplete', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
  [{ missing: undefined }, {}, '', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
  [{ missing: 3, released }, {}, '', 'failed stopped overdue held held-too-long unbalanced refused unknown'],
];

it.each(worlds)('with the run %j and %j there begins "%s" and ends "%s"', (over, look, begins, ends) => {
  const { now = monday, ...options } = look;
  const reports = [reportWith(over === null ? null : runOf(over), options)];
  const found = open(reports, now).map((matter) => matter.replace(' weekly_2026-W46', ''));
  expect(found.join(' ')).toBe(begins);
  expect(runMatterKinds.filter((kind) => isOver(kind, reports)).join(' ')).toBe(ends);
});

describe('a matter of an old ledger', () => {
  const later = '2026-11-23T08:05:01Z';

  it.each([{ state: 'failed', error }, { state: 'sending', error }, { missing: 1 }] as const)(
    'does not begin more than seven days after its run’s last work: %j',
    (over) => {
      expect(open([reportWith(runOf(over))], '2026-11-23T08:05:00Z').length).toBe(1);
      expect(open([reportWith(runOf(over))], later)).toEqual([]);
    },
  );

  it('that the ledger has recorded is open for as long as it lasts', () => {
    const found = findMatters(
      watchedRuns([reportWith(runOf({ state: 'failed', error }))]),
      Temporal.Instant.from(later),
    );
    expect(found.map(({ kind, isRecent }) => ({ kind, isRecent }))).toEqual([{ kind: 'failed', isRecent: false }]);
  });

  it.each([
    [{ state: 'planned', finishedAt: undefined }, { isDue: true }, ['overdue']],
    [{ state: 'held' }, {}, ['held', 'held-too-long']],
  ] as const)('begins at any age where somebody still waits: %j', (over, look, begins) => {
    const found = open([reportWith(runOf(over), look)], '2026-12-24T08:00:00Z');
    expect(found).toEqual(begins.map((kind) => `${kind} weekly_2026-W46`));
  });
});

function daily(over: Partial<Run>): InspectedReport {
  const run = runOf({ run: 'daily_2026-11-16', finishedAt: '2026-11-17T07:30:05Z', ...over });
  return reportWith(run, { name: 'daily' });
}

describe('credentials that are missing', () => {
  const weekly = reportWith(runOf({ state: 'failed', error: missingCredentials }));

  it('are one matter of the deployment, and no matter of a run', () => {
    const both = [weekly, daily({ state: 'failed', error: missingCredentials })];
    expect(open(both, tuesday)).toEqual(['not-set-up @deployment']);
    expect(isOver('not-set-up', both, '@deployment')).toBe(false);
  });

  it('are over with the next run that ends another way; a report’s latest run that lacked them failed', () => {
    const both = [weekly, daily({ state: 'done' })];
    expect(open(both, tuesday)).toEqual(['failed weekly_2026-W46']);
    expect(isOver('not-set-up', both, '@deployment')).toBe(true);
  });

  it('are lacked by the latest run, whose period began before those of days that it covers', () => {
    const day = periodBefore('day', 'Europe/London', '2026-11-15T08:00:00Z');
    const { runs, ...rest } = weekly;
    const first = { run: runOf({ run: runName('weekly', day), period: day, state: 'done' }), unknown: null };
    const report = { ...rest, runs: [...runs, first] };
    expect(open([report, daily({ state: 'done' })], tuesday)).toEqual(['failed weekly_2026-W46']);
  });

  it('are not over because a run has begun', () => {
    const both = [weekly, daily({ state: 'planned', finishedAt: undefined })];
    expect(open(both, tuesday)).toEqual(['not-set-up @deployment']);
    expect(isOver('not-set-up', both, '@deployment')).toBe(false);
  });
});

describe('two runs of one period', () => {
  it('are not overdue where one of them is done', () => {
    const { report, due, runs } = reportWith(runOf({ state: 'planned' }), { isDue: true });
    const other = runOf({ run: 'news_2026-W46', report: 'news' });
    expect(open([{ report, due, runs: [...runs, { run: other, unknown: null }] }])).toEqual([]);
  });
});
