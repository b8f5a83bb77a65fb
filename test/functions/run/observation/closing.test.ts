import { expect, test } from 'vitest';
import type { Closing, KnownDelivery } from '../../../../functions/ledger/observations.ts';
import { emptyCoverage } from '../../../../functions/reporting-service/coverage.ts';
import { dayMs } from '../../../../functions/domain/period.ts';
import { closingOf } from '../../../../functions/run/observation/observe.ts';

/** Deliveries that began on these days, of which all is known. */
const known = (...days: number[]): KnownDelivery[] =>
  days.map((day) => ({
    id: `d${day}`,
    broadcastId: '71',
    month: '1970-02',
    isListed: true,
    firstSignMs: day * dayMs,
    begunMs: day * dayMs,
    followedUntilMs: 0,
    mayBeReadLater: false,
  }));

/** A day, on which days began what is found then, and why the list may lack some. */
type Observed = [day: number, began: number[], reason?: 'cut-off'];

/** How observations end that find these deliveries, each on a day, one after the other. */
function close(...observed: Observed[]): Closing[] {
  const closings: Closing[] = [];
  for (const [day, began, reason] of observed) {
    const before = closings.at(-1) ?? null;
    const added = began.filter((began) => before?.deliveries.every(({ id }) => id !== `d${began}`) ?? true).length;
    const list = {
      rows: began.length,
      added,
      deliveries: began.length,
      batches: 1,
      ...(reason && { unavailable: { reason } }),
    };
    closings.push(closingOf(day * dayMs, { list, known: known(...began), before, coverage: emptyCoverage() }));
  }
  return closings;
}

test.each<[what: string, observed: Observed[], days: number[]]>([
  ['the third earliest first sign of the first list', [[60, [40, 42, 45, 50, 55]]], [45]],
  ['the observation of a list with fewer than five', [[60, [40, 42, 45, 50]]], [60]],
  [
    'the same while each has one of the three newest',
    [
      [60, [40, 42, 45, 50, 55]],
      [70, [45, 61]],
      [80, [61, 75]],
    ],
    [45, 45, 45],
  ],
  [
    'a later one where it has none of them',
    [
      [60, [40, 42, 45, 50, 55]],
      [70, [40, 42, 65]],
    ],
    [45, 70],
  ],
  [
    'the same over an empty list of three days',
    [
      [60, []],
      [63, [61]],
      [64, []],
      [68, [66]],
    ],
    [60, 60, 64, 68],
  ],
])('facts cover everything since %s', (_what, observed, days) => {
  expect(close(...observed).map(({ facts }) => facts.coveredSinceMs / dayMs)).toEqual(days);
});

const third = (...observed: Observed[]) => close(...observed)[2];

test('a list that was twice in a row exactly as long, and more than a third new, may hold the newest only', () => {
  expect(third([60, [1, 2, 3]], [61, [2, 3, 4]], [62, [3, 4, 5]])?.facts.mayHoldOnlyNewest).toBe(false);
  expect(third([60, [1, 2]], [61, [2]], [62, [3]])?.facts.mayHoldOnlyNewest).toBe(false);
  expect(third([60, [1, 2]], [61, [2, 3]], [62, [3, 4], 'cut-off'])).toMatchObject({
    facts: { coveredSinceMs: 60 * dayMs, mayHoldOnlyNewest: true, unavailable: { reason: 'cut-off' } },
    wholeMs: 61 * dayMs,
  });
});
