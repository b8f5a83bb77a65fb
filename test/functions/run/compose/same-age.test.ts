import { expect, test } from 'vitest';
import type { AtAge } from '../../../../functions/domain/digest.ts';
import type { Growth } from '../../../../functions/ledger/runs/digests.ts';
import { compareAtAge } from '../../../../functions/run/compose/same-age.ts';
import { dating } from '../../../support/dating.ts';
import { week } from './collected-samples.ts';

const weekMs = 7 * 24 * 3_600_000;
/** Tuesday of the week of the digest, and two days of a curve from then on. */
const tuesday = Date.parse('2026-11-10T08:00:00Z');

/** A delivery of so many weeks ago, which so many had seen after a day and after two. */
function growth(weeksAgo: number, [day, two]: [number, number], over: Partial<Growth> = {}): Growth {
  return {
    broadcast: { id: `b${weeksAgo}`, name: `Friday Five ${weeksAgo + 1} Nov` },
    firstSign: tuesday - weeksAgo * weekMs,
    audience: null,
    curve: [
      [24, day, 1],
      [48, two, 2],
    ],
    ...over,
  };
}

/** What is said of the delivery `0` beside the others. */
function atAgeOf(...growths: Growth[]): AtAge | null {
  return compareAtAge(new Map(growths.map((each, id) => [String(id), each])), week, dating)(['0']);
}

const before = (count: number, over: Partial<Growth> = {}): Growth[] =>
  Array.from({ length: count }, (_, index) => growth(index + 1, [10 * (index + 1), 20 * (index + 1)], over));

test('usual is the median of at least three earlier editions at the same age, by their names', () => {
  const now = growth(0, [5, 9]);
  expect(atAgeOf(now, ...before(2))).toEqual({ hours: 48, seen: 9, responded: 2, usual: null });
  expect(atAgeOf(now, ...before(3))?.usual).toMatchObject({ of: 3, seen: 40, responded: 2, share: null });
  expect(atAgeOf(now, ...before(4))?.usual).toMatchObject({ of: 4, seen: 50 });
  // The eight latest.
  expect(atAgeOf(now, ...before(12))?.usual).toMatchObject({ of: 8, seen: 90 });
  const together = before(3, { firstSign: tuesday - weekMs });
  expect(atAgeOf(now, ...together)?.usual?.editions.map(({ seen }) => seen)).toEqual([60, 40, 20]);
  const other = before(3, { broadcast: { id: 'x', name: 'Canteen' } });
  expect(atAgeOf(now, ...other)?.usual).toBeNull();
});

test('a young one is compared with others when they were as young, and one that is too young with none', () => {
  const young = growth(0, [5, 0], { curve: [[24, 5, 1]] });
  expect(atAgeOf(young, ...before(3))).toMatchObject({
    hours: 24,
    seen: 5,
    responded: 1,
    usual: { of: 3, seen: 20, responded: 1, share: null },
  });
  expect(atAgeOf(growth(0, [0, 0], { curve: [] }), ...before(3))).toBeNull();
});

test('the same broadcast delivered again is its own series, also under another name', () => {
  const id = { broadcast: { id: 'b0', name: 'Changing' } };
  const again = before(3, id);
  expect(atAgeOf(growth(0, [5, 9]), ...again, ...before(3))?.usual).toMatchObject({ of: 3, seen: 40 });
  expect(atAgeOf(growth(0, [5, 9], id), ...again.slice(0, 2))?.usual).toBeNull();
});

test('shares are compared where the audiences are known on both sides, counts where on neither and as many were delivered', () => {
  const known = growth(0, [5, 9], { audience: 50 });
  expect(atAgeOf(known, ...before(3))?.usual).toBeNull();
  expect(atAgeOf(known, ...before(3, { audience: 100 }))?.usual).toMatchObject({ of: 3, seen: 40, share: 0.4 });
  expect(atAgeOf(growth(0, [5, 9]), ...before(3, { audience: 100 }))?.usual).toBeNull();
  const later = growth(3, [1, 1], { audience: 100, firstSign: tuesday - 3 * weekMs + 1 });
  const { editions } = atAgeOf(known, ...before(3, { audience: 100 }), later)?.usual ?? {};
  expect(editions?.at(-1)).toEqual({ firstSign: '2026-10-20T09:00:00+01:00', seen: 61, responded: 4, audience: 200 });
  // Each earlier edition has two deliveries.
  expect(atAgeOf(growth(0, [5, 9]), ...before(3), ...before(3))?.usual).toBeNull();
});

test('the deliveries of a broadcast count together, where their growth is known and they are of one period', () => {
  const two = [growth(0, [5, 9]), growth(0, [7, 0], { curve: [[24, 7, 3]] })];
  const compare = compareAtAge(
    new Map([...two, growth(1, [1, 2])].map((each, id) => [String(id), each])),
    week,
    dating,
  );
  expect(compare(['0', '1'])).toEqual({ hours: 24, seen: 12, responded: 4, usual: null });
  expect(compare(['0', 'unknown'])).toBeNull();
  expect(compare(['0', '2'])).toBeNull();
});

test('what was first seen two years ago and more is no edition, whatever year its date is of', () => {
  const firstSign = Date.parse('0001-01-01T00:00:00Z');
  expect(atAgeOf(growth(0, [5, 9], { firstSign }))).toBeNull();
  expect(atAgeOf(growth(0, [5, 9]), ...before(2), growth(3, [1, 1], { firstSign }))?.usual).toBeNull();
});
