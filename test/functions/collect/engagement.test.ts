import { expect, test } from 'vitest';
import { countEngagement, type CountedWithin } from '../../../functions/collect/batch.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import { engagement } from '../run/compose/collected-samples.ts';

/** The week of 9 November 2026 in London. */
const bounds = { start: Date.UTC(2026, 10, 9), end: Date.UTC(2026, 10, 16), timeZone: 'Europe/London' };
const counted = (pages: Array<ListPage['rows']>, within: Partial<CountedWithin> = {}, tally: Tally = createTally()) =>
  countEngagement(
    pages.map((rows) => ({ rows, mayBeCutOff: false })),
    { bounds, createdAt: null, ...within },
    tally,
  );
const row = (seenAt: unknown, respondedAt: unknown = null, over: object = {}) => ({ seenAt, respondedAt, ...over });

/** What is counted of an empty list. */
const nothing = engagement();

test('views and responses are counted to date, in the period and before it, over all pages; of an empty list none', async () => {
  const pages = [
    [row('2026-11-10T08:00:00Z', '2026-11-10T08:10:00Z'), row('2026-11-05T08:00:00Z', '2026-11-11T08:00:00Z')],
    [row('2026-10-01T08:00:00Z', '2026-11-03T08:00:00Z'), row('2026-11-16T00:00:00Z'), row(null), row('', false)],
  ];
  const rows = { listed: 6, engaged: 4, untouched: 2, seen: 4, responded: 3, answered: 3 };
  expect(await counted(pages)).toEqual({
    ...nothing,
    ...rows,
    inPeriod: { seen: 1, responded: 2, answered: 1 },
    before: { seen: 2, responded: 1 },
    firstSign: Date.parse('2026-10-01T08:00:00Z'),
    medianResponseSeconds: 6 * 86_400,
  });
  expect(await counted([[]])).toEqual(nothing);
});

test.each([
  { seenAt: '2026-11-09T07:59:59Z', createdAt: '2026-11-10T08:00:00Z', undated: 1 },
  { seenAt: '2026-11-09T08:00:00Z', createdAt: '2026-11-10T08:00:00Z', undated: 0 },
  { seenAt: '2026-11-08', createdAt: '2026-11-10T08:00:00Z', undated: 1 },
  { seenAt: '2001-01-01T00:00:00Z', createdAt: null, undated: 0 },
])(
  'a view dated $seenAt, of a broadcast created at $createdAt, comes from a wrong clock or not: $undated',
  async ({ seenAt, createdAt, undated }) => {
    const tally = createTally();
    const right = '2026-11-11T08:00:00Z';
    const within = { createdAt: createdAt === null ? null : Date.parse(createdAt) };
    const firstSign = Date.parse(undated === 1 ? right : seenAt);
    expect(await counted([[row(right), row(seenAt)]], within, tally)).toMatchObject({ seen: 2, undated, firstSign });
    expect(tally.coverage.readings['dates']?.['before the broadcast'] ?? 0).toBe(undated);
  },
);

test('the time from seen to responded is of rows with a time of day in both dates, in this order', async () => {
  const london = { date: '2026-11-10', timezone: 'Europe/London' };
  const untimed = [
    row('2026-11-10', '2026-11-10'),
    row('2026-11-10', '2026-11-11T07:00:00Z'),
    row(london, london),
    row('2026-11-10T08:00:00Z', '2026-11-10T07:00:00Z'),
  ];
  expect((await counted([untimed])).medianResponseSeconds).toBeNull();
});

test('ratings in the rows are counted by their decimal text, and those that cannot be read, over all pages', async () => {
  const ratings = [0, 5, '5', ' 4 ', 4.5, '4.50', '-1', null, 'good', Infinity, { value: 5 }, '', '05'];
  const rows = ratings.map((rating) => row(null, null, { rating }));
  expect(await counted([rows, [row(null, null, { rating: '4,5' })]])).toMatchObject({
    ratings: { '-1': 1, '0': 1, '4': 1, '4.5': 2, '5': 3 },
    unreadableRatings: 4,
  });
});

test.each([
  { distinct: 1_000, kept: 1_000, unreadable: undefined },
  { distinct: 1_001, kept: 0, unreadable: 1_001 },
])('$distinct different ratings are a scale of $kept', async ({ distinct, kept, unreadable }) => {
  const rows = Array.from({ length: distinct }, (_, rating) => row(null, null, { rating }));
  const { ratings, unreadableRatings } = await counted([rows.slice(0, 600), rows.slice(600)]);
  expect([Object.keys(ratings).length, unreadableRatings]).toEqual([kept, unreadable]);
});

test('rows without one or both of the two dates are counted', async () => {
  const tally = createTally();
  const pages = [
    [{ seenAt: null }, { respondedAt: null }, {}, null, null, null],
    [{ seen_at: '2026-11-10T08:00:00Z' }, row('2026-11-10', 1_794_300_000), row({ date: '2026-11-10' }, 'x')],
    // Rows under an id that comes again are counted: what an id identifies is not documented.
    [row('2026-11-10T08:00:00Z', null, { id: 1 }), row('2026-11-10T08:00:00Z', null, { id: 1 })],
  ];
  const dates = { 'date only': 1, 'epoch seconds': 1, '{date, timezone}': 1, unreadable: 1, 'ISO 8601 with offset': 2 };
  const counts = { listed: 11, engaged: 4, untouched: 0, seen: 4, lackingFields: 7 };
  expect(await counted(pages, {}, tally)).toMatchObject(counts);
  expect(tally.coverage).toMatchObject({
    missingFields: { recipient: 3, 'recipient.seenAt': 3, 'recipient.respondedAt': 3 },
    readings: { dates },
  });
});

test.each([
  { how: 'may be cut off', reason: 'cut-off', rows: [row('2026-11-10T08:00:00Z')] },
  { how: 'has its dates under other names', rows: [{ seen_at: '2026-11-10T08:00:00Z', responded_at: null }] },
  { how: 'has them in an object', rows: [{ state: { seenAt: '2026-11-10T08:00:00Z' } }, { state: {} }] },
  { how: 'has bare ids', rows: [null, null] },
])('a list that $how has no counts, and is not empty', async ({ reason = 'unreadable', rows }) => {
  const pages = [rows, []].map((each, n) => ({ rows: each, mayBeCutOff: n === 1 && reason === 'cut-off' }));
  await expect(countEngagement(pages, { bounds, createdAt: null }, createTally())).rejects.toMatchObject({
    name: 'UnavailableError',
    unavailable: { reason },
  });
});
