import { expect, test } from 'vitest';
import { editionsIn, usualOf, viewsOf, type Growth } from '../../../functions/domain/editions.ts';

const dayMs = 24 * 3_600_000;
const tuesday = Date.parse('2026-11-10T08:00:00Z');

/** A delivery of so many days ago, which so many of its audience had seen within two days. */
function growth(daysAgo: number, seen: number, over: Partial<Growth> = {}): Growth {
  return {
    broadcast: { id: `b${daysAgo}`, name: 'Friday Five' },
    firstSign: tuesday - daysAgo * dayMs,
    audience: 100,
    curve: [[48, seen, 1]],
    ...over,
  };
}

/** The edition of the first delivery, and what it is compared with. */
function compare(...growths: Growth[]) {
  const byId = new Map(growths.map((delivery, place) => [String(place), delivery]));
  const edition = editionsIn(byId, (name) => name?.toLowerCase() ?? '').get('0');
  if (edition === undefined) throw new Error('The delivery is of no edition.');
  return { edition, usual: usualOf(edition, 48), views: viewsOf(edition, 48) };
}

const weekly = (count: number, over: Partial<Growth> = {}): Growth[] =>
  Array.from({ length: count }, (_, place) => growth(7 * (place + 1), 10 * (place + 1), over));

test('usual is the median share of three to eight earlier editions, the latest ones', () => {
  expect(compare(growth(0, 9), ...weekly(2)).usual).toBeNull();
  expect(compare(growth(0, 9), ...weekly(3)).usual?.share).toBe(0.2);
  expect(compare(growth(0, 9), ...weekly(12)).usual?.share).toBe(0.45);
  const { editions } = compare(growth(0, 9), ...weekly(3)).usual ?? {};
  expect(editions?.[0]).toEqual({ firstSign: tuesday - 7 * dayMs, audience: 100, seen: 10, responded: 1 });
});

test('a series is of one name, and without a name of one broadcast', () => {
  const canteen = weekly(3, { broadcast: { id: 'x', name: 'Canteen' } });
  expect(compare(growth(0, 9), ...canteen).usual).toBeNull();
  const nameless = { broadcast: { id: 'x', name: null } };
  expect(compare(growth(0, 9, nameless), ...weekly(3, nameless)).usual?.share).toBe(0.2);
  const idless = { broadcast: { id: '', name: null } };
  expect(compare(growth(0, 9, idless), ...weekly(3, idless)).usual).toBeNull();
});

test('deliveries whose first signs lie within three days are one edition', () => {
  expect(compare(growth(0, 9), growth(3, 5)).edition).toMatchObject({ deliveries: ['1', '0'], audience: 200 });
  expect(compare(growth(0, 9), growth(3.1, 5)).edition).toMatchObject({ deliveries: ['0'], audience: 100 });
  expect(compare(growth(0, 9), growth(2, 5), growth(4, 1)).edition.deliveries).toEqual(['0']);
  expect(compare(growth(0, 9), growth(1, 5, { audience: null })).edition.audience).toBeNull();
});

test.each([
  [49, null],
  [50, 0.2],
  [200, 0.2],
  [201, null],
])('an edition for 100 is compared with those for %i: %j', (audience, share) => {
  const curve: Growth['curve'] = [[48, audience / 5, 1]];
  const { usual } = compare(growth(0, 9), ...weekly(3, { audience, curve }));
  expect(usual?.share ?? null).toBe(share);
});

test('where audiences are not known, earlier views are a fact if they are alike, and of as many deliveries', () => {
  const unknown = { audience: null };
  const alike = [20, 30, 25].map((seen, place) => growth(7 * (place + 1), seen, unknown));
  expect(compare(growth(0, 9, unknown), ...alike)).toMatchObject({ usual: null, views: { fewest: 20, most: 30 } });
  expect(compare(growth(0, 9, unknown), ...alike.slice(0, 2)).views).toBeNull();
  expect(compare(growth(0, 9, unknown), ...weekly(3, unknown)).views).toBeNull();
  expect(compare(growth(0, 9, unknown), growth(1, 2, unknown), ...alike).views).toBeNull();
  expect(compare(growth(0, 9), ...alike).views).toBeNull();
});
