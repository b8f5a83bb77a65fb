import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectContent } from '../../../functions/collect/contents.ts';
import type { PeriodBounds } from '../../../functions/domain/period.ts';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Found } from '../../../functions/ledger/runs/collections.ts';
import { json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { connect, grantTokens } from '../reporting-service/connect.ts';

const path = '/v1/broadcasts/deliveries/d-1/contents/7/recipients';
const bounds: PeriodBounds = { start: Date.UTC(2026, 10, 9), end: Date.UTC(2026, 10, 16), timeZone: 'Europe/London' };
const filter = { name: 'rating', values: ['1', '2', '3', '4', '5'] };
const people = (count: number, over: object = {}) =>
  Array.from({ length: count }, () => ({
    recipient: { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:01:00Z', ...over },
  }));
let stub: HttpStub;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

/** Ratings of a content item: what is answered, and what is found. */
interface Case {
  what: string;
  /** Default: `rating`. */
  type?: string;
  ratingFilter?: Configuration['service']['ratingFilter'];
  rows: unknown[];
  /** The recipients with each value of the filter; the whole list for values that are not here. */
  byValue?: Record<string, number>;
  /** The status with which the service refuses the filter with a value. */
  refusal?: { value: string; code: number };
  found: Omit<Found<'contents'>, 'delivery' | 'content' | 'engagement'>;
  /** How the coverage says that the ratings were read. */
  reading?: string;
}

/** Answers that stand in `byValue` for one and two, so that nobody has these ratings. */
const none = { '1': 0, '2': 0, '3': 0 };

const cases: readonly Case[] = [
  {
    what: 'in the rows are taken from there',
    type: 'smiley',
    rows: [...people(2, { rating: 5 }), ...people(1, { rating: '3' })],
    found: { ratings: { '3': 1, '5': 2 } },
    reading: 'in the rows',
  },
  {
    what: 'in the rows that cannot be read are counted beside those that can',
    rows: [...people(2, { rating: 5 }), ...people(3, { rating: '4,5' })],
    found: { ratings: { '5': 2 }, unreadableRatings: 3 },
    reading: 'in the rows',
  },
  {
    what: 'in the rows of which none can be read are unavailable',
    rows: people(3, { rating: { value: 4 } }),
    found: { ratingsUnavailable: { reason: 'unreadable' } },
  },
  {
    what: 'that are not in the rows are counted with the filter, value by value',
    rows: people(10),
    byValue: { '1': 1, '2': 0, '3': 2, '4': 3, '5': 4 },
    found: { ratings: { '1': 1, '3': 2, '4': 3, '5': 4 } },
    reading: 'by filter',
  },
  {
    what: 'are counted with the configured name and values',
    ratingFilter: { name: 'score', values: ['low', 'high'] },
    rows: people(3),
    byValue: { low: 1, high: 2 },
    found: { ratings: { low: 1, high: 2 } },
    reading: 'by filter',
  },
  {
    what: 'add up where some did not respond',
    rows: [...people(2), ...people(8, { respondedAt: null })],
    byValue: { ...none, '4': 1, '5': 1 },
    found: { ratings: { '4': 1, '5': 1 } },
    reading: 'by filter',
  },
  {
    what: 'all of one value are not mistaken for a filter that is ignored',
    rows: people(4),
    byValue: { ...none, '4': 0, '5': 4 },
    found: { ratings: { '5': 4 } },
    reading: 'by filter',
  },
  ...[
    { responded: 10, four: 4, five: 5, adds: false },
    { responded: 10, four: 5, five: 6, adds: true },
    { responded: 10, four: 6, five: 6, adds: false },
    { responded: 100, four: 51, five: 51, adds: true },
    { responded: 100, four: 51, five: 52, adds: false },
    { responded: 4, four: 0, five: 0, adds: false },
  ].map(({ responded, four, five, adds }): Case => ({
    what: `of ${four} and ${five} where ${responded} responded ${adds ? 'add up' : 'do not add up, and are unavailable'}`,
    rows: people(responded),
    byValue: { ...none, '4': four, '5': five },
    found: adds ? { ratings: { '4': four, '5': five } } : { ratingsUnavailable: { reason: 'unreadable' } },
    reading: adds ? 'by filter' : 'filter does not add up',
  })),
  {
    what: 'are dropped where the service ignores the filter: every count equals the unfiltered one',
    rows: people(4),
    found: {},
    reading: 'filter ignored',
  },
  {
    what: 'are dropped where the service refuses the filter',
    rows: people(4),
    refusal: { value: '1', code: 422 },
    found: {},
    reading: 'filter refused',
  },
  {
    what: 'of which a part is unavailable are unavailable, beside the counts',
    rows: people(4),
    refusal: { value: '3', code: 403 },
    found: { ratingsUnavailable: { reason: 'forbidden', status: 403 } },
  },
  { what: 'are not asked for where the filter is off', ratingFilter: 'off', rows: people(2), found: {} },
  {
    what: 'are not asked for where nobody responded',
    rows: people(2, { respondedAt: null }),
    found: {},
  },
  ...['poll', 'operating instructions', 'narrating', 'Operating_Room'].map((type): Case => ({
    what: `are not asked for of an item of the type "${type}"`,
    type,
    rows: people(2),
    found: {},
  })),
  ...['Rating', 'star-rating', 'RATING_5', 'starRating', 'star_rating', 'NPSRating'].map((type): Case => ({
    what: `are asked for of an item of the type "${type}"`,
    type,
    rows: people(2),
    byValue: { ...none, '4': 0, '5': 2 },
    found: { ratings: { '5': 2 } },
    reading: 'by filter',
  })),
];

test.each(cases)('ratings $what', async ({ type = 'rating', ratingFilter = filter, rows, found, ...more }) => {
  const { byValue, refusal, reading } = more;
  const name = ratingFilter === 'off' ? '' : ratingFilter.name;
  stub.answer(path, json(rows));
  for (const [value, count] of Object.entries(byValue ?? {}))
    stub.answer(`${path}?${name}=${value}`, json(people(count)));
  if (refusal !== undefined) stub.answer(`${path}?rating=${refusal.value}`, status(refusal.code));
  const { service, tally } = connect(stub);
  const work = { delivery: 'd-1', content: { id: '7', type }, createdAt: null };
  const { engagement, ...others } = await collectContent(work, { service, tally, bounds, ratingFilter });
  expect([others, engagement?.listed]).toEqual([{ delivery: 'd-1', content: '7', ...found }, rows.length]);
  expect(tally.coverage.readings['ratings']).toEqual(reading === undefined ? undefined : { [reading]: 1 });
  const values = ratingFilter === 'off' ? [] : ratingFilter.values.map((value) => `${path}?${name}=${value}`);
  const asked = stub.asked().slice(1);
  if (refusal !== undefined) expect(asked).toContain(`${path}?rating=${refusal.value}`);
  else if (byValue === undefined && reading !== 'filter ignored') expect(asked).toEqual([path]);
  else expect(asked.toSorted()).toEqual([path, ...values].toSorted());
});

test('a content item that is not available says why', async () => {
  stub.answer(path, status(410));
  const { service, tally } = connect(stub);
  const work = { delivery: 'd-1', content: { id: '7', type: 'text' }, createdAt: null };
  expect(await collectContent(work, { service, tally, bounds, ratingFilter: 'off' })).toEqual({
    delivery: 'd-1',
    content: '7',
    unavailable: { reason: 'gone', status: 410 },
  });
});
