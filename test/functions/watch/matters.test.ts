import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import type { MatterKind } from '../../../functions/ledger/notices.ts';
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

type Look = {
  run: Partial<Run> | null;
  unknown?: { count: number; forADay: number } | null;
  isDue?: boolean;
  now?: string;
};

const reportOf = ({ run, unknown = null, isDue = false }: Look): InspectedReport =>
  reportWith(run === null ? null : runOf(run), { unknown, isDue });

/** Each matter of a run: what begins it, in what it neither begins nor is over, and what it is over by. */
const matters: Array<[MatterKind, { begins: Look[]; lasts: Look[]; ends: Look[] }]> = [
  [
    'failed',
    {
      begins: [{ run: { state: 'failed', error } }],
      lasts: [{ run: { state: 'sending' } }, { run: { state: 'held' } }, { run: { state: 'planned' } }],
      ends: [{ run: { state: 'done' } }],
    },
  ],
  [
    'stopped',
    {
      begins: [{ run: { state: 'sending', error } }],
      lasts: [{ run: { state: 'sending' } }, { run: { state: 'failed', error } }],
      ends: [{ run: { state: 'done' } }],
    },
  ],
  [
    'overdue',
    {
      begins: [
        { run: null, isDue: true },
        { run: { state: 'planned' }, isDue: true },
        { run: { state: 'kept' }, isDue: true },
        { run: { state: 'sending' }, isDue: true },
      ],
      lasts: [
        { run: null },
        { run: { state: 'planned' } },
        { run: { state: 'failed', error }, isDue: true },
        { run: { state: 'sending', error }, isDue: true },
        { run: { state: 'held' }, isDue: true },
      ],
      ends: [{ run: { state: 'done' }, isDue: true }],
    },
  ],
  [
    'held',
    {
      begins: [{ run: { state: 'held' } }],
      lasts: [],
      ends: [{ run: { state: 'kept' } }, { run: { state: 'done' } }, { run: { state: 'planned' } }],
    },
  ],
  [
    'held-too-long',
    {
      begins: [{ run: { state: 'held' }, now: tuesday }],
      lasts: [{ run: { state: 'held' }, now: '2026-11-17T08:04:59Z' }],
      ends: [{ run: { state: 'done' }, now: tuesday }],
    },
  ],
  [
    'unbalanced',
    {
      begins: [{ run: { summary: { ...balanced, balanced: false } } }],
      lasts: [{ run: { summary: undefined } }],
      ends: [{ run: { summary: balanced } }],
    },
  ],
  [
    'refused',
    {
      begins: [{ run: { summary: { ...balanced, failed: 1 } } }],
      lasts: [{ run: { state: 'sending', summary: { ...balanced, failed: 1 } } }, { run: { summary: undefined } }],
      ends: [{ run: { summary: balanced } }],
    },
  ],
  [
    'unknown',
    {
      begins: [{ run: {}, unknown: { count: 2, forADay: 1 } }],
      lasts: [
        { run: {}, unknown: { count: 1, forADay: 0 } },
        { run: { state: 'sending' }, unknown: { count: 0, forADay: 0 } },
        { run: { summary: { ...balanced, unknown: 1 } }, unknown: null },
      ],
      ends: [{ run: { summary: { ...balanced, unknown: 1 } }, unknown: { count: 0, forADay: 0 } }, { run: {} }],
    },
  ],
  [
    'incomplete',
    {
      begins: [{ run: { missing: 3 } }],
      lasts: [
        { run: { missing: 0 } },
        { run: { missing: undefined } },
        { run: { state: 'failed', error, missing: 3 } },
        { run: { missing: 3, released: { execution: 'e', at: monday, changed: noChange() } } },
      ],
      ends: [],
    },
  ],
];

function noChange(): { subscribersAdded: number; subscribersRemoved: number; mail: boolean } {
  return { subscribersAdded: 0, subscribersRemoved: 0, mail: false };
}

describe.each(matters)('the matter "%s"', (kind, { begins, lasts, ends }) => {
  const name = `${kind} weekly_2026-W46`;

  it.each(begins)('begins with %j', (look) => {
    expect(open([reportOf(look)], look.now)).toContain(name);
    expect(isOver(kind, [reportOf(look)])).toBe(false);
  });

  it.each(lasts)('neither begins nor ends with %j', (look) => {
    expect(open([reportOf(look)], look.now)).not.toContain(name);
    expect(isOver(kind, [reportOf(look)])).toBe(false);
  });

  it.each(ends)('is over with %j', (look) => {
    expect(open([reportOf(look)], look.now)).not.toContain(name);
    expect(isOver(kind, [reportOf(look)])).toBe(true);
  });
});

describe('a run that went well', () => {
  it('is no matter', () => {
    expect(open([reportWith(runOf(), { isDue: true, unknown: { count: 0, forADay: 0 } })])).toEqual([]);
  });
});

describe('a run that failed, is held or has stopped', () => {
  it.each([
    [{ state: 'failed', error }, ['failed weekly_2026-W46']],
    [{ state: 'sending', error }, ['stopped weekly_2026-W46']],
    [{ state: 'held', missing: 2 }, ['held weekly_2026-W46']],
  ] as const)('is one matter, also where it is due: %j', (over, expected) => {
    expect(open([reportWith(runOf(over), { isDue: true })])).toEqual(expected);
  });
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

  it('begins at any age where somebody still waits: a run is overdue', () => {
    const overdue = runOf({ state: 'planned', finishedAt: undefined });
    expect(open([reportWith(overdue, { isDue: true })], '2026-12-16T08:00:00Z')).toEqual(['overdue weekly_2026-W46']);
  });

  it('begins at any age where somebody still waits: a digest is held', () => {
    expect(open([reportWith(runOf({ state: 'held' }))], '2026-12-24T08:00:00Z')).toEqual([
      'held weekly_2026-W46',
      'held-too-long weekly_2026-W46',
    ]);
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
