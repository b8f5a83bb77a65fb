import { expect, test } from 'vitest';
import type { Closing, KnownDelivery } from '../../../../functions/ledger/observations.ts';
import { emptyCoverage } from '../../../../functions/reporting-service/coverage.ts';
import { dayMs } from '../../../../functions/domain/period.ts';
import { closingOf } from '../../../../functions/run/observe/observe.ts';

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

/** How observations end, one after the other: on which day, and on which days began what is then found. The list of one may be cut off. */
function close(observed: Record<number, number[]>, cutOffOn?: string): Closing[] {
  const closings: Closing[] = [];
  for (const [day, began] of Object.entries(observed)) {
    const before = closings.at(-1) ?? null;
    const added = began.filter((began) => before?.deliveries.every(({ id }) => id !== `d${began}`) ?? true).length;
    const cutOff = day === cutOffOn ? { unavailable: { reason: 'cut-off' as const } } : {};
    const list = { rows: began.length, added, deliveries: began.length, batches: 1, ...cutOff };
    const options = { list, known: known(...began), before, coverage: emptyCoverage() };
    closings.push(closingOf(Number(day) * dayMs, options));
  }
  return closings;
}

const five = [40, 42, 45, 50, 55];
test.each<[what: string, observed: Record<number, number[]>, days: number[]]>([
  ['the third earliest first sign of the first list', { 60: five }, [45]],
  ['the observation of a list with fewer than five', { 60: [40, 42, 45, 50] }, [60]],
  ['the same while each has one of the three newest', { 60: five, 70: [45, 61], 80: [61, 75] }, [45, 45, 45]],
  ['a later one where it has none of them', { 60: five, 70: [40, 42, 65] }, [45, 70]],
  ['the same over an empty list of three days', { 60: [], 63: [61], 64: [], 68: [66] }, [60, 60, 64, 68]],
])('facts cover everything since %s', (_what, observed, days) => {
  expect(close(observed).map(({ facts }) => facts.coveredSinceMs / dayMs)).toEqual(days);
});

test('a list that was twice in a row exactly as long, and more than a third new, may hold the newest only', () => {
  expect(close({ 60: [1, 2, 3], 61: [2, 3, 4], 62: [3, 4, 5] })[2]?.facts.mayHoldOnlyNewest).toBe(false);
  expect(close({ 60: [1, 2], 61: [2], 62: [3] })[2]?.facts.mayHoldOnlyNewest).toBe(false);
  expect(close({ 60: [1, 2], 61: [2, 3], 62: [3, 4] }, '62')[2]).toMatchObject({
    facts: { coveredSinceMs: 60 * dayMs, mayHoldOnlyNewest: true, unavailable: { reason: 'cut-off' } },
    wholeMs: 61 * dayMs,
  });
});
