import { expect, test } from 'vitest';
import { curveOf, sumOfCurves, type Curve } from '../../../functions/domain/curve.ts';

const first = Date.parse('2026-11-09T08:00:00Z');
const hour = 3_600_000;
const after = (...hours: number[]): number[] => hours.map((age) => first + age * hour);

test('a curve counts who saw it and responded within each age that the end of the period had reached', () => {
  const instants = { seen: after(0, 5.9, 6, 11, 24, 47.9, 300), responded: after(1, 30), areDays: false };
  const reached: Curve = [
    [6, 2, 1],
    [12, 4, 1],
    [24, 4, 1],
    [48, 6, 2],
  ];
  expect(curveOf(instants, first, first + 48 * hour)).toEqual(reached);
  expect(curveOf(instants, first, first + 72 * hour).at(-1)).toEqual([72, 6, 2]);
  expect(curveOf(instants, first, first + 5 * hour)).toEqual([]);
});

test('dates without a time give whole days, also over a change of the clocks', () => {
  // London's clocks go forward on 29 March 2026: that day has 23 hours.
  const days = ['2026-03-28T00:00Z', '2026-03-29T00:00Z', '2026-03-29T23:00Z', '2026-03-30T23:00Z'].map(Date.parse);
  const [firstDay = 0, , , lastDay = 0] = days;
  const curve = curveOf({ seen: days, responded: [lastDay], areDays: true }, firstDay, firstDay + 80 * hour);
  expect(curve).toEqual([
    [24, 1, 0],
    [48, 2, 0],
    [72, 3, 0],
  ]);
});

test('deliveries together have a curve at the ages that all of them have reached', () => {
  const old: Curve = [
    [6, 1, 0],
    [24, 4, 2],
    [48, 5, 2],
  ];
  expect(sumOfCurves([old, [[24, 3, 1]]])).toEqual([[24, 7, 3]]);
  expect(sumOfCurves([old])).toEqual(old);
  expect(sumOfCurves([old, []])).toEqual([]);
});
