import { expect, test } from 'vitest';
import { periodBefore, type PeriodKind } from '../../../functions/domain/period.ts';
import { dropFigures, putFigures, putHistory } from '../../../functions/ledger/runs/digests.ts';
import { readEarlier } from '../../../functions/run/earlier-figures.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { collected, compose, figuresOf, history, week } from './compose/collected-samples.ts';
import { reportOf } from './configured.ts';

const ledger = await openLedger();
let reports = 0;

const account = 'reporting.example.com';
const expiresAt = 1_900_000_000;

/** What is left of a list of so many rows. */
const listOf = (rows: number) => ({ list: { rows, steady: 0, lostAll: false, leftSaid: 0 } });

/** What was kept for the period that ended before an instant, by a digest that has a history of as many rows. */
type Kept = readonly [kind: PeriodKind, before: string, listed: number];

const weekOf = (before: string, listed: number): Kept => ['week', before, listed];
const dayOf = (before: string, listed: number): Kept => ['day', before, listed];

async function readAfter(...kept: Kept[]) {
  reports += 1;
  const report = { ...reportOf(), name: `report-${reports}` };
  for (const [kind, before, listed] of kept) {
    const period = periodBefore(kind, 'Europe/London', before);
    const run = `${report.name}_${period.startDate}_${period.kind}`;
    const figures = { ...figuresOf(compose(collected(), { period })), run };
    await putFigures(ledger.table, report.name, period, figures, expiresAt);
    // Of a digest that was composed at the same time, and is not the run's.
    await putHistory(ledger.table, { run, digest: 'b' }, history({}, listOf(99)), expiresAt);
    await putHistory(ledger.table, { run, digest: figures.digest }, history({}, listOf(listed)), expiresAt);
  }
  return await readEarlier(ledger.table, report, { ...week, account });
}

const monday = '2026-11-09T08:00:00Z';
const weekBefore = '2026-11-02T08:00:00Z';
const weekAfter = '2026-11-23T08:00:00Z';
test.each<[what: string, kept: Kept[], listed: number | undefined, hasLater: boolean]>([
  [
    'weeks were, and a later one: by the last before',
    [weekOf(weekBefore, 1), weekOf(monday, 2), weekOf(weekAfter, 3)],
    2,
    true,
  ],
  ['it was daily: by the day that ended last', [weekOf(weekBefore, 1), dayOf('2026-11-08T08:00:00Z', 2)], 2, false],
  ['a day and a week end together: by that of its kind', [weekOf(monday, 1), dayOf(monday, 2)], 1, false],
])('a digest goes by what an earlier one of the ledger left where %s', async (_what, kept, listed, hasLater) => {
  const read = await readAfter(...kept);
  expect([read.history?.list.rows, read.hasLater]).toEqual([listed, hasLater]);
});

/** Keeps the figures of the week before that Monday for a report. */
async function keepFigures(name: string) {
  const report = reportOf({ name });
  const period = periodBefore('week', 'Europe/London', monday);
  const figures = figuresOf(compose(collected(), { period }));
  await putFigures(ledger.table, report.name, period, figures, expiresAt);
  return { report, period, figures };
}

test('a digest goes by none that was dropped, and by another one of its period', async () => {
  const { report, period, figures } = await keepFigures('dropped');
  const afterDropping = async (digest: string): Promise<unknown> => {
    await dropFigures(ledger.table, report.name, period, digest);
    return (await readEarlier(ledger.table, report, { ...week, account })).earlier;
  };
  expect(await afterDropping('another')).toEqual([figures]);
  expect(await afterDropping(figures.digest)).toEqual([]);
});

test('what a digest of another account left is no history, and its figures are there to be told apart', async () => {
  const { report, figures } = await keepFigures('moved');
  await putHistory(ledger.table, figures, history({}, listOf(5)), expiresAt);
  const readOf = async (account: string) => await readEarlier(ledger.table, report, { ...week, account });
  expect(await readOf(account)).toMatchObject({ earlier: [figures], history: listOf(5) });
  expect(await readOf('staging.example.com')).toMatchObject({ earlier: [figures], history: null });
});
