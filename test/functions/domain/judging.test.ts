import { expect, test } from 'vitest';
import { areTooFew } from '../../../functions/domain/judging.ts';

test.each([
  ['fewer than half of an audience', { audience: 40, engaged: 19 }, true],
  ['half of an audience', { audience: 40, engaged: 20 }, false],
  ['nine people who did nothing', { audience: 10, engaged: 1 }, false],
  ['ten people who did nothing', { audience: 10, engaged: 0 }, true],
  ['a small group', { audience: 9, engaged: 0 }, null],
  ['an audience of nobody', { audience: 0, engaged: 0 }, null],
  ['an unknown audience', { audience: null, engaged: 3 }, null],
])('without a usual, it is said of %s whether they are too few', (_title, reached, expected) => {
  expect(areTooFew(reached, null, 10)).toBe(expected);
});

test.each([
  ['three quarters of its usual then and now', 100, 45, 45, true],
  ['more than that by now', 100, 45, 46, false],
  ['more than that at the age', 100, 46, 45, false],
  ['nine people fewer', 40, 15, 15, false],
  ['ten people fewer', 40, 14, 14, true],
])(
  'it is said of an edition of which 60 percent is usual whether it has too few with %s',
  (_title, audience, seenAtAge, engaged, expected) => {
    expect(areTooFew({ audience, engaged }, { share: 0.6, seenAtAge }, 10)).toBe(expected);
  },
);
