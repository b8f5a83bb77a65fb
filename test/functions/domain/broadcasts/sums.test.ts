import { expect, test } from 'vitest';
import { responseRateOf, sumOf, sumOfEngaged } from '../../../../functions/domain/broadcasts/sums.ts';

test('a response rate is of the views, and there is none where nobody saw anything, or it is not known', () => {
  expect(responseRateOf({ seen: 4, answered: 1 })).toBe(0.25);
  expect(responseRateOf({ seen: 4, answered: 0 })).toBe(0);
  expect(responseRateOf({ seen: 0, answered: 0 })).toBeNull();
  expect(responseRateOf(null)).toBeNull();
});

test('a sum with something unknown in it is unknown', () => {
  expect([sumOf([1, 2]), sumOf([]), sumOf([1, null])]).toEqual([3, 0, null]);
  expect(
    sumOfEngaged([
      { seen: 1, responded: 2, answered: 1 },
      { seen: 3, responded: 4, answered: 3 },
    ]),
  ).toEqual({ seen: 4, responded: 6, answered: 4 });
  expect(sumOfEngaged([{ seen: 1, responded: 2, answered: 1 }, null])).toBeNull();
});
