import { expect, test } from 'vitest';
import { curveOf } from '../../../functions/domain/curve.ts';

const hour = 3_600_000;
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
