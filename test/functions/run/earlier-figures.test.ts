import { expect, test } from 'vitest';
import { periodBefore, type PeriodKind } from '../../../functions/domain/period.ts';
import { putFigures, putHistory } from '../../../functions/ledger/runs/digests.ts';
import { readEarlier } from '../../../functions/run/earlier-figures.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { collected, compose, figuresOf, history, week } from './compose/collected-samples.ts';
import { reportOf } from './configured.ts';

const ledger = await openLedger();
let reports = 0;

const expiresAt = 1_900_000_000;

/** What was kept for a period of some report, by a digest that has a history of as many rows. */
interface Kept {
  kind?: PeriodKind;
  before: string;
  listed: number;
}

async function readAfter(...kept: Kept[]) {
  reports += 1;
  const report = { ...reportOf(), name: `report-${reports}` };
  for (const { kind = 'week', before, listed } of kept) {
    const period = periodBefore(kind, 'Europe/London', before);
    const run = `${report.name}_${period.startDate}_${period.kind}`;
    const figures = { ...figuresOf(compose(collected(), { period })), run };
    await putFigures(ledger.table, report.name, period, figures, expiresAt);
    // Of a digest that was composed at the same time, and is not the run's.
    await putHistory(ledger.table, { run, digest: 'b' }, history({}, { listed: 99 }), expiresAt);
    await putHistory(ledger.table, { run, digest: figures.digest }, history({}, { listed }), expiresAt);
  }
  return await readEarlier(ledger.table, report, week);
}

test.each<{ what: string; kept: Kept[]; listed: number | undefined; hasLater?: boolean }>([
  { what: 'nothing was kept', kept: [], listed: undefined },
  {
    what: 'several weeks were, and a later one: by the last before',
    kept: [
      { before: '2026-11-02T08:00:00Z', listed: 1 },
      { before: '2026-11-09T08:00:00Z', listed: 2 },
      { before: '2026-11-23T08:00:00Z', listed: 3 },
    ],
    listed: 2,
    hasLater: true,
  },
  {
    what: 'the report was a daily one: by the day that ended last',
    kept: [
      { before: '2026-11-02T08:00:00Z', listed: 1 },
      { kind: 'day', before: '2026-11-08T08:00:00Z', listed: 2 },
    ],
    listed: 2,
  },
  {
    what: 'a day and a week end together: by that of its own kind',
    kept: [
      { before: '2026-11-09T08:00:00Z', listed: 1 },
      { kind: 'day', before: '2026-11-09T08:00:00Z', listed: 2 },
    ],
    listed: 1,
  },
])(
  'a digest goes by what an earlier one of the ledger left where $what',
  async ({ kept, listed, hasLater = false }) => {
    const read = await readAfter(...kept);
    expect([read.history?.listed, read.hasLater]).toEqual([listed, hasLater]);
  },
);
