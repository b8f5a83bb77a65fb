import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { collectContent } from '../../../functions/collect/contents.ts';
import type { PeriodBounds } from '../../../functions/domain/period.ts';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { connect, grantTokens } from '../reporting-service/connect.ts';

const path = '/v1/broadcasts/deliveries/d-1/contents/7/recipients';
const bounds: PeriodBounds = {
  start: Date.parse('2026-11-09T00:00:00Z'),
  end: Date.parse('2026-11-16T00:00:00Z'),
  timeZone: 'Europe/London',
};
const filter = { name: 'rating', values: ['1', '2', '3', '4', '5'] };
const answered = { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:01:00Z' };
const people = (count: number, over: object = {}) =>
  Array.from({ length: count }, () => ({ recipient: { ...answered, ...over } }));
let stub: HttpStub;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

/** What is found of the content item, and which reading of its ratings was met. */
async function collect(over: { type?: string; ratingFilter?: Configuration['service']['ratingFilter'] } = {}) {
  const { service, tally } = connect(stub);
  const work = { delivery: 'd-1', content: { id: '7', type: over.type ?? 'rating' }, createdAt: null };
  const found = await collectContent(work, { service, tally, bounds, ratingFilter: over.ratingFilter ?? filter });
  return { found, reading: tally.coverage.readings['ratings'], asked: stub.asked().slice(1) };
}

/** Answers the filter with these many recipients a value. */
function answerFilter(counts: Record<string, number>, name = 'rating'): void {
  for (const [value, count] of Object.entries(counts)) stub.answer(`${path}?${name}=${value}`, json(people(count)));
}

test('the recipients of a content item are counted', async () => {
  stub.answer(path, json([...people(2), { recipient: { seenAt: null, respondedAt: null } }]));
  expect((await collect({ type: 'text' })).found).toMatchObject({
    delivery: 'd-1',
    content: '7',
    engagement: { listed: 3, untouched: 1, seen: 2, responded: 2, inPeriod: { seen: 2, responded: 2, answered: 2 } },
  });
});

test.each([
  { code: 403, reason: 'forbidden' },
  { code: 404, reason: 'not-found' },
  { code: 410, reason: 'gone' },
  { code: 500, reason: 'failed' },
])('a content item that answers $code is $reason', async ({ code, reason }) => {
  stub.answer(path, status(code));
  expect((await collect()).found).toEqual({ delivery: 'd-1', content: '7', unavailable: { reason, status: code } });
});

describe('ratings', () => {
  test('in the rows are taken from there, and no filter is asked', async () => {
    stub.answer(path, json([...people(2, { rating: 5 }), ...people(1, { rating: '3' })]));
    const { found, reading, asked } = await collect({ type: 'smiley' });
    expect([found.ratings, reading, asked]).toEqual([{ '3': 1, '5': 2 }, { 'in the rows': 1 }, [path]]);
  });

  test('in the rows that cannot be read are counted beside those that can', async () => {
    stub.answer(path, json([...people(2, { rating: 5 }), ...people(3, { rating: '4,5' })]));
    const { found, asked } = await collect({ type: 'smiley' });
    expect([found.ratings, found.unreadableRatings, asked]).toEqual([{ '5': 2 }, 3, [path]]);
  });

  test('in the rows of which none can be read are unavailable, and no filter is asked', async () => {
    stub.answer(path, json(people(3, { rating: { value: 4 } })));
    const { found, asked } = await collect();
    expect([found.ratings, found.ratingsUnavailable, asked]).toEqual([undefined, { reason: 'unreadable' }, [path]]);
  });

  test('that are not in the rows are counted with the filter, value by value', async () => {
    stub.answer(path, json(people(10)));
    answerFilter({ '1': 1, '2': 0, '3': 2, '4': 3, '5': 4 });
    const { found, reading, asked } = await collect();
    expect([found.ratings, reading]).toEqual([{ '1': 1, '3': 2, '4': 3, '5': 4 }, { 'by filter': 1 }]);
    expect(asked.toSorted()).toEqual([path, ...filter.values.map((value) => `${path}?rating=${value}`)]);
  });

  test('are counted with the configured name and values', async () => {
    stub.answer(path, json(people(3)));
    answerFilter({ low: 1, high: 2 }, 'score');
    const { found } = await collect({ ratingFilter: { name: 'score', values: ['low', 'high'] } });
    expect(found.ratings).toEqual({ low: 1, high: 2 });
  });

  test('add up where some did not respond', async () => {
    stub.answer(path, json([...people(2), ...people(8, { respondedAt: null })]));
    answerFilter({ '1': 0, '2': 0, '3': 0, '4': 1, '5': 1 });
    expect((await collect()).found.ratings).toEqual({ '4': 1, '5': 1 });
  });

  test.each([
    { responded: 10, four: 4, five: 5, adds: false },
    { responded: 10, four: 5, five: 6, adds: true },
    { responded: 10, four: 6, five: 6, adds: false },
    { responded: 100, four: 51, five: 51, adds: true },
    { responded: 100, four: 51, five: 52, adds: false },
    { responded: 4, four: 0, five: 0, adds: false },
  ])('of $responded who responded are $four and $five: they add up: $adds', async ({ responded, four, five, adds }) => {
    stub.answer(path, json(people(responded)));
    answerFilter({ '1': 0, '2': 0, '3': 0, '4': four, '5': five });
    const { found, reading } = await collect();
    expect([found.ratings, found.ratingsUnavailable, reading]).toEqual(
      adds
        ? [{ '4': four, '5': five }, undefined, { 'by filter': 1 }]
        : [undefined, { reason: 'unreadable' }, { 'filter does not add up': 1 }],
    );
  });

  test('are dropped where the service ignores the filter: every count equals the unfiltered one', async () => {
    stub.answer(path, json(people(4)));
    const { found, reading } = await collect();
    expect([found.ratings, found.engagement?.listed, reading]).toEqual([undefined, 4, { 'filter ignored': 1 }]);
  });

  test('all of one value are not mistaken for a filter that is ignored', async () => {
    stub.answer(path, json(people(4)));
    answerFilter({ '1': 0, '2': 0, '3': 0, '4': 0, '5': 4 });
    expect((await collect()).found.ratings).toEqual({ '5': 4 });
  });

  test.each([400, 422])('are dropped where the service refuses the filter (%i)', async (code) => {
    stub.answer(path, json(people(4)));
    stub.answer(`${path}?rating=1`, status(code));
    const { found, reading } = await collect();
    expect([found.engagement?.listed, found.ratings, found.ratingsUnavailable, reading]).toEqual([
      4,
      undefined,
      undefined,
      { 'filter refused': 1 },
    ]);
  });

  test.each([
    { code: 500, reason: 'failed' },
    { code: 403, reason: 'forbidden' },
    { code: 408, reason: 'failed' },
  ])('that are unavailable ($code) are named so, beside the counts', async ({ code, reason }) => {
    stub.answer(path, json(people(4)));
    answerFilter({ '1': 0, '2': 0, '3': 0, '4': 0, '5': 4 });
    stub.answer(`${path}?rating=3`, status(code));
    const { found } = await collect();
    expect([found.engagement?.listed, found.ratings, found.ratingsUnavailable]).toEqual([
      4,
      undefined,
      { reason, status: code },
    ]);
  });

  test.each([
    { why: 'the filter is off', over: { ratingFilter: 'off' as const }, rows: people(2) },
    ...['poll', 'operating instructions', 'operating', 'narrating', 'Operating_Room'].map((type) => {
      return { why: `the item is "${type}"`, over: { type }, rows: people(2) };
    }),
    { why: 'nobody responded', over: {}, rows: [{ recipient: { ...answered, respondedAt: null } }] },
  ])('are not asked for where $why', async ({ over, rows }) => {
    stub.answer(path, json(rows));
    const { found, asked } = await collect(over);
    expect([found.ratings, asked]).toEqual([undefined, [path]]);
  });

  test.each(['Rating', 'star-rating', 'RATING_5', 'starRating', 'star_rating', 'NPSRating'])(
    'are asked for of a content item of the type %s',
    async (type) => {
      stub.answer(path, json(people(2)));
      answerFilter({ '1': 0, '2': 0, '3': 0, '4': 0, '5': 2 });
      expect((await collect({ type })).found.ratings).toEqual({ '5': 2 });
    },
  );
});
