import { expect, test } from 'vitest';
import ratings from '../../fixtures/ratings.json' with { type: 'json' };
import { collectItem } from '../../../functions/collect/batch.ts';
import { createRatingCollector } from '../../../functions/collect/ratings.ts';
import type { PeriodBounds } from '../../../functions/domain/period.ts';
import { OutOfTimeError } from '../../../functions/reporting-service/requests/request.ts';
import { json, status } from '../../support/http-stub.ts';
import { connect, stub, stubEachTest } from '../reporting-service/service-stub.ts';

const ofItem = '/v1/broadcasts/deliveries/d-1/contents/7/recipients';
const bounds: PeriodBounds = {
  precedingStart: Date.UTC(2026, 10, 2),
  start: Date.UTC(2026, 10, 9),
  end: Date.UTC(2026, 10, 16),
  timeZone: 'Europe/London',
};
const usual = { name: 'rating', values: ['1', '2', '3', '4', '5'] };
const people = (count: number, over: object = {}) =>
  Array.from({ length: count }, () => ({
    recipient: { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:01:00Z', ...over },
  }));

stubEachTest();

/** Ratings of a content item: what is answered, and what is found. */
interface Case {
  what: string;
  /** Default: `rating`. */
  type?: string;
  /** `null`: off. Default: the service's own. */
  filter?: { name: string; values: string[] } | null;
  /** Who is on the list: so many who saw it and responded, each with these fields. */
  people: ReadonlyArray<{ times: number }>;
  /** The recipients with each value of the filter; the whole list for values that are not here. */
  byValue?: Record<string, number>;
  /** The status with which the service refuses the filter with a value. */
  refusal?: { value: string; code: number };
  /** What is found of the ratings. */
  found: object;
  /** How the coverage says that the ratings were read. */
  reading?: string;
  /** For how many values the filter is asked; default all, or none where nothing is answered by value. */
  asked?: number;
}

/** Nobody has these ratings. */
const none = { '1': 0, '2': 0, '3': 0 };

const cases: readonly Case[] = [
  ...ratings,
  ...[1_000, 1_001].map((distinct): Case => {
    const people = Array.from({ length: distinct }, (_, rating) => ({ times: 1, rating }));
    const given = Object.fromEntries(people.map(({ rating }) => [rating, 1]));
    const lost = { unreadableRatings: distinct, ratingsUnavailable: { reason: 'unreadable' } };
    const what = `of ${distinct} different values are no ratings from 1,001 on`;
    return distinct === 1_000
      ? { what, people, found: { ratings: given }, reading: 'in the rows' }
      : { what, people, found: lost };
  }),
  ...[
    { responded: 10, four: 4, five: 5, adds: false },
    { responded: 10, four: 5, five: 6, adds: true },
    { responded: 10, four: 6, five: 6, adds: false },
    { responded: 100, four: 51, five: 51, adds: true },
    { responded: 100, four: 51, five: 52, adds: false },
    { responded: 4, four: 0, five: 0, adds: false },
  ].map(({ responded, four, five, adds }): Case => ({
    what: `of ${four} and ${five} where ${responded} responded ${adds ? 'add up' : 'do not add up, and are unavailable'}`,
    people: [{ times: responded }],
    byValue: { ...none, '4': four, '5': five },
    found: adds ? { ratings: { '4': four, '5': five } } : { ratingsUnavailable: { reason: 'unreadable' } },
    reading: adds ? 'by filter' : 'filter does not add up',
  })),
];

test.each(cases)('ratings $what', async ({ type = 'rating', filter = usual, people: given, found, ...more }) => {
  const { byValue, refusal, reading, asked = byValue === undefined ? 0 : filter?.values.length } = more;
  const rows = given.flatMap(({ times, ...fields }) => people(times, fields));
  stub.answer(ofItem, json(rows));
  const addressOf = (value: string): string => `${ofItem}?${filter?.name}=${value}`;
  for (const [value, count] of Object.entries(byValue ?? {})) stub.answer(addressOf(value), json(people(count)));
  if (refusal !== undefined) stub.answer(addressOf(refusal.value), status(refusal.code));
  const { service, tally } = connect();
  const work = { delivery: 'd-1', content: { id: '7', type }, createdAt: null };
  const collectRatings = createRatingCollector(filter ?? 'off', tally);
  const context = { service, tally, bounds, readAt: bounds.end, collectRatings };
  const { engagement, ...others } = await collectItem('contents', work, context);
  const { listed, ratings: counted, unreadableRatings } = engagement ?? {};
  const expected = { delivery: 'd-1', content: '7', listed: rows.length, ...found };
  expect({ ...others, listed, ratings: counted, unreadableRatings }).toEqual(expected);
  expect(tally.coverage.readings['ratings']).toEqual(reading === undefined ? undefined : { [reading]: 1 });
  expect(stub.asked().slice(1)).toEqual([ofItem, ...(filter?.values ?? []).slice(0, asked).map(addressOf)]);
});

test.each([
  { answers: 'refused', answer: status(400), unavailable: { reason: 'refused', status: 400 }, times: 1 },
  { answers: 'ignored', answer: json(people(3)), unavailable: { reason: 'unreadable' }, times: 2 },
])('a filter that is $answers is asked for one item of a type, and named as missing for each', async (one) => {
  const { answer, unavailable, times } = one;
  const { service, tally } = connect();
  const collectRatings = createRatingCollector(usual, tally);
  const items = ['rating', 'rating', 'star_rating', 'rating'].map((type, index) => ({ type, id: String(index) }));
  for (const { id } of items) {
    const path = ofItem.replace('7', id);
    stub.answer(path, json(people(3)));
    for (const value of usual.values) stub.answer(`${path}?rating=${value}`, answer);
  }
  const honest = { '1': 1, '2': 2, '3': 0, '4': 0, '5': 0 };
  for (const [value, given] of Object.entries(honest)) {
    stub.answer(`${ofItem.replace('7', '2')}?rating=${value}`, json(people(given)));
  }
  const found = await Promise.all(
    items.map(async (content) => {
      const work = { delivery: 'd-1', content, createdAt: null };
      return await collectItem('contents', work, { service, tally, bounds, readAt: bounds.end, collectRatings });
    }),
  );
  expect(found.map((each) => each.ratingsUnavailable ?? each.engagement?.ratings)).toEqual([
    unavailable,
    unavailable,
    { '1': 1, '2': 2 },
    unavailable,
  ]);
  expect(stub.asked().filter((address) => address.includes('?')).length).toBe(times + usual.values.length);
});

test('a filter that does not add up for one item is asked for the next', async () => {
  const { service, tally } = connect();
  const collectRatings = createRatingCollector({ name: 'rating', values: ['4', '5'] }, tally);
  const ratingsOf = async (fours: number, fives: number) => {
    stub.answer(ofItem, json(people(3)));
    stub.answer(`${ofItem}?rating=4`, json(people(fours)));
    stub.answer(`${ofItem}?rating=5`, json(people(fives)));
    const work = { delivery: 'd-1', content: { id: '7', type: 'rating' }, createdAt: null };
    const found = await collectItem('contents', work, { service, tally, bounds, readAt: bounds.end, collectRatings });
    return found.ratingsUnavailable ?? found.engagement?.ratings;
  };
  expect([await ratingsOf(1, 1), await ratingsOf(1, 2)]).toEqual([{ reason: 'unreadable' }, { '4': 1, '5': 2 }]);
});

test('an item that a worker had no time for is another one’s, and failed at its last try', async () => {
  const { service, tally } = connect();
  const late = {
    service: { ...service, broadcast: () => Promise.reject(new OutOfTimeError()) },
    tally,
    bounds,
    readAt: bounds.end,
    collectRatings: createRatingCollector('off', tally),
  };
  await expect(collectItem('broadcasts', '71', late)).rejects.toThrow(OutOfTimeError);
  const failed = { id: '71', unavailable: { reason: 'failed' } };
  expect(await collectItem('broadcasts', '71', { ...late, isLastTry: true })).toEqual(failed);
});
