import { describe, expect, test } from 'vitest';
import type { DigestBroadcast, DigestDelivery } from '../../../../functions/domain/digest.ts';
import { countAsked, countBroadcasts } from '../../../../functions/domain/broadcasts.ts';
import { content, delivery, grouped, nothing, unread } from './samples.ts';

/** The only entry of some deliveries. */
function only(deliveries: DigestDelivery[], since: Record<string, string> = {}): DigestBroadcast {
  const [entry, ...others] = grouped(deliveries, since);
  if (entry === undefined || others.length > 0) throw new Error(`There are ${others.length + 1} entries.`);
  return entry;
}

test('deliveries of one broadcast and kind are one entry, but not where they came without a broadcast’s id', () => {
  const silent = delivery('2', { kind: 'silent', ...nothing, inPeriod: nothing });
  const nameless = { broadcast: { id: '', name: null, createdAt: null, createdBy: null } };
  const entries = grouped([
    delivery('1'),
    silent,
    delivery('3', { firstSign: '2026-11-10T09:30:00+02:00', stillCounting: true }),
    unread('4'),
    delivery('5', nameless),
    delivery('6', nameless),
  ]);
  expect(entries.map(({ kind, deliveries, listedDeliveries }) => [kind, deliveries, listedDeliveries])).toEqual([
    ['new', ['1', '3'], 3],
    ['new', ['5'], 1],
    ['new', ['6'], 1],
    ['silent', ['2'], 3],
    [null, ['4'], 3],
  ]);
  expect(entries[0]).toMatchObject({ seen: 8, firstSign: '2026-11-10T09:30:00+02:00', stillCounting: true });
});

test.each([
  { types: ['TEXT', 'Image'], asks: false },
  { types: ['text', 'poll'], asks: true },
  { types: ['a type of the future'], asks: true },
  { types: [''], asks: true },
  { types: [], asks: false },
])('a broadcast asks or not with items of $types: $asks', ({ types, asks }) => {
  const contents = types.map((type, index) => content({ id: String(index), type }));
  expect(only([delivery('1', { contents })]).asks).toBe(asks);
});

const listed = (audience: number, over = {}) => content({ listed: audience, reach: 0.5, ...over });

describe('the audience', () => {
  test.each([
    { why: 'its items’ lists are the audience', contents: [listed(9), listed(9)], audience: 9 },
    { why: 'one of its items’ lists is', contents: [listed(9), content({ listed: 4 })], audience: 9 },
    { why: 'one item is unavailable', contents: [content({ listed: null, seen: null }), listed(9)], audience: 9 },
    { why: 'no list is the audience', contents: [content({ listed: 4 })], audience: null },
    { why: 'its items disagree', contents: [listed(9), listed(8)], audience: null },
    { why: 'more people saw it than are listed', contents: [listed(3)], audience: null },
    { why: 'the broadcast could not be read', contents: null, audience: null },
  ])('of a delivery is $audience where $why', ({ contents, audience }) => {
    expect(only([delivery('1', { contents })]).audience).toBe(audience);
  });

  test('is the sum over the deliveries, and not known where one’s is not', () => {
    const known = [delivery('1', { contents: [listed(9)] }), delivery('2', { contents: [listed(20)] })];
    expect(only(known).audience).toBe(29);
    expect(only([...known, delivery('3')]).audience).toBeNull();
  });
});

const rating = (over: Parameters<typeof content>[0]) => content({ id: 'r', type: 'rating', ...over });
const rated = (count: number, mean: number | null) => ({ responded: count, ratings: { count, mean, histogram: {} } });
const unavailable = { reason: 'forbidden', status: 403 } as const;

test.each([
  { others: rated(6, 3), sum: { responded: 8, ratings: { count: 8, mean: 3.5 } } },
  { others: { responded: 0 }, sum: { responded: 2, ratings: { count: 2, mean: 5 } } },
  { others: { responded: 1 }, sum: { responded: 3, ratings: null } },
  { others: rated(1, null), sum: { responded: 3, ratings: { count: 3, mean: null } } },
  { others: { seen: null, responded: null, unavailable }, sum: { responded: null, ratings: null, unavailable } },
])('a content item that two deliveries have, one with two ratings of 5, has the sum $sum', ({ others, sum }) => {
  const items = [rating(rated(2, 5)), rating(others)];
  const { contents } = only(items.map((item, index) => delivery(String(index), { contents: [item] })));
  expect(contents).toMatchObject([{ id: 'r', type: 'rating', ...sum }]);
});

test('what nobody has seen is unseen since the earliest naming of one of its deliveries, and nothing that was seen is', () => {
  const silent = { kind: 'silent', ...nothing, inPeriod: nothing } as const;
  const since = { '2': '2026-11-02T00:00:00+00:00', '3': '2026-10-26T00:00:00+00:00' };
  const deliveries = ['1', '2', '3'].map((id) => delivery(id, silent));
  expect(only(deliveries, since).unseenSince).toBe('2026-10-26T00:00:00+00:00');
  expect(only(deliveries.slice(0, 1), since).unseenSince).toBeNull();
  expect(only([delivery('2')], since).unseenSince).toBeNull();
});

const entry = (id: string, kind: DigestDelivery['kind'], seen: number, over: Partial<DigestDelivery> = {}) =>
  delivery(id, {
    broadcast: { id, name: id, createdAt: null, createdBy: null },
    kind,
    inPeriod: { seen, responded: 0, answered: 0 },
    ...over,
  });

test('the order is that of the mail: new, silent by audience, active, unread; else by views and responses in the period', () => {
  const silent = nothing;
  const entries = grouped([
    unread('u', { broadcast: { id: 'u', name: null, createdAt: null, createdBy: null } }),
    entry('active', 'active', 90),
    entry('unknown', 'silent', 0, silent),
    entry('small', 'silent', 0, { ...silent, contents: [listed(9)] }),
    entry('large', 'silent', 0, { ...silent, contents: [listed(68)] }),
    entry('b', 'new', 3),
    entry('a', 'new', 3),
    entry('answered', 'new', 3, { inPeriod: { seen: 3, responded: 1, answered: 1 } }),
    entry('most', 'new', 4),
  ]);
  const order = ['most', 'answered', 'a', 'b', 'large', 'small', 'unknown', 'active', 'u'];
  expect(entries.map(({ id }) => id)).toEqual(order);
});

const inBroadcast = (id: string, broadcast: string) => ({ id, broadcast: { id: broadcast } });
const engaged = (asks: boolean | null, seen: number, responded = 0, answered = responded) => ({
  asks,
  inPeriod: { seen, responded, answered },
});

test('what asks is summed, and what does not is left out: 105 of 151 viewers, not 107, and not of 372', () => {
  expect(countAsked([engaged(true, 100, 80, 78), engaged(false, 221, 8), engaged(true, 51, 27)])).toEqual({
    asked: { seen: 151, responded: 107, answered: 105 },
    responseRate: 105 / 151,
  });
});

test('there is no sum where it is not known of something with engagement whether it asks, or how much there was', () => {
  const unknown = { asked: null, responseRate: null };
  expect(countAsked([engaged(true, 5), engaged(null, 1)])).toEqual(unknown);
  expect(countAsked([engaged(true, 5), engaged(null, 0, 1)])).toEqual(unknown);
  expect(countAsked([engaged(true, 5), { asks: false, inPeriod: null }])).toEqual(unknown);
  expect(countAsked([engaged(true, 5), engaged(null, 0)]).asked).toEqual({ seen: 5, responded: 0, answered: 0 });
});

test('there is no rate where nothing that asks was seen', () => {
  expect(countAsked([]).responseRate).toBeNull();
  expect(countAsked([engaged(true, 0, 3)]).responseRate).toBeNull();
  expect(countAsked([engaged(true, 4)]).responseRate).toBe(0);
});

test('a broadcast is counted once, and a delivery without a broadcast’s id as one', () => {
  expect(
    countBroadcasts([
      inBroadcast('1', 'a'),
      inBroadcast('2', 'a'),
      inBroadcast('3', 'b'),
      inBroadcast('4', ''),
      inBroadcast('5', ''),
    ]),
  ).toBe(4);
});
