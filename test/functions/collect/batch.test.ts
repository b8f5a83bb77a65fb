import { expect, test } from 'vitest';
import ratings from '../../fixtures/ratings.json' with { type: 'json' };
import { readListFacts } from '../../../functions/collect/observation/list-facts.ts';
import { orUnavailable, readContent } from '../../../functions/collect/observation/read.ts';
import { createRatingCollector, type RatingFilter } from '../../../functions/collect/ratings.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { OutOfTimeError, UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import { connectTo } from '../reporting-service/connect.ts';

const within = { timeZone: 'Europe/London', createdAt: null, readAt: Date.UTC(2026, 10, 16), stepMinutes: 60 as const };
const usual = { name: 'rating', values: ['1', '2', '3', '4', '5'] };
const dates = { seenAt: '2026-11-10T08:00:00Z', respondedAt: '2026-11-10T08:01:00Z' };
const people = (count: number, over: object = {}) => Array.from({ length: count }, () => ({ ...dates, ...over }));

/** What a batch is collected with, of a service whose lists of recipients are these rows. */
function contextOf(filter: RatingFilter | 'off', rowsOf: (content: string, value?: string) => ListPage['rows']) {
  const asked: string[] = [];
  const { service, tally } = connectTo('https://service.example');
  const contentRecipients: typeof service.contentRecipients = async function* (_delivery, content, by) {
    if (by !== undefined) asked.push(`${by.name}=${by.value}`);
    yield await Promise.resolve({ rows: rowsOf(content, by?.value), mayBeCutOff: false });
  };
  const collectRatings = createRatingCollector(filter, tally);
  const count = (pages: ListPages) => readListFacts(pages, within, tally);
  const reading = { atMs: within.readAt, isLastTry: false, collectRatings, count };
  const context = { service: { ...service, contentRecipients }, ...reading };
  const collect = async (id: string, type: string) => await readContent({ id, list: null }, 'd-1', type, context);
  return { collect, asked, readings: tally.coverage.readings };
}

/** Ratings of a content item. */
interface Case {
  what: string;
  /** Default: `rating`. */
  type?: string;
  /** `null`: off. Default: the service's own. */
  filter?: RatingFilter | null;
  /** Who is on the list: so many who saw it and responded, each with these fields. */
  people: ReadonlyArray<{ times: number }>;
  /** The recipients with each value of the filter; the whole list for values that are not here. */
  byValue?: Record<string, number>;
  /** The status with which the service refuses the filter with a value. */
  refusal?: { value: string; code: number };
  /** The ratings, or why there are none. */
  expected: object;
  /** How the coverage says that the ratings were read. */
  reading?: string;
  /** For how many values the filter is asked; default all, or none where nothing is answered by value. */
  asked?: number;
}

const sums = [
  { responded: 10, four: 4, five: 5, adds: false },
  { responded: 10, four: 5, five: 6, adds: true },
  { responded: 10, four: 6, five: 6, adds: false },
  { responded: 100, four: 51, five: 51, adds: true },
  { responded: 100, four: 51, five: 52, adds: false },
  { responded: 4, four: 0, five: 0, adds: false },
].map(({ responded, four, five, adds }): Case => ({
  what: `of ${four} and ${five} where ${responded} responded ${adds ? 'add up' : 'do not add up, and are unavailable'}`,
  people: [{ times: responded }],
  byValue: { '1': 0, '2': 0, '3': 0, '4': four, '5': five },
  expected: adds ? { ratings: { '4': four, '5': five } } : { ratingsUnavailable: { reason: 'unreadable' } },
  reading: adds ? 'by filter' : 'filter does not add up',
}));

test.each<Case>([...ratings, ...sums])('ratings $what', async ({ type = 'rating', filter = usual, ...item }) => {
  const { byValue = {}, refusal, reading, asked: values = item.byValue ? filter?.values.length : 0 } = item;
  const rows = item.people.flatMap(({ times, ...fields }) => people(times, fields));
  const { collect, asked, readings } = contextOf(filter ?? 'off', (_content, value = '') => {
    if (value === refusal?.value) {
      const reason = refusal.code === 403 ? 'forbidden' : 'refused';
      throw new UnavailableError('', '', { reason, status: refusal.code });
    }
    return byValue[value] === undefined ? rows : people(byValue[value]);
  });
  const { list, ...others } = await collect('7', type);
  const { listed, ratings: counted, unreadableRatings } = list ?? {};
  const expected = { id: '7', listed: rows.length, ...item.expected };
  expect({ ...others, listed, ratings: counted, unreadableRatings }).toEqual(expected);
  expect(readings['ratings']).toEqual(reading === undefined ? undefined : { [reading]: 1 });
  expect(asked).toEqual((filter?.values ?? []).slice(0, values).map((value) => `${filter?.name}=${value}`));
});

test.each([
  { answers: 'refused', unavailable: { reason: 'refused', status: 400 } as const, times: 1 },
  { answers: 'ignored', unavailable: { reason: 'unreadable' } as const, times: 2 },
])('a filter that is $answers is asked for one item of a type, and named as missing for each', async (filter) => {
  const { collect, asked } = contextOf(usual, (content, value) => {
    if (content === '2') return people(value === undefined ? 3 : ({ '1': 1, '2': 2 }[value] ?? 0));
    if (value !== undefined && filter.answers === 'refused') throw new UnavailableError('', '', filter.unavailable);
    return people(3);
  });
  const types = ['rating', 'rating', 'star_rating', 'rating'];
  const contents = await Promise.all(types.map((type, index) => collect(String(index), type)));
  const { unavailable } = filter;
  expect(contents.map((content) => content.ratingsUnavailable ?? content.list?.ratings)).toEqual([
    unavailable,
    unavailable,
    { '1': 1, '2': 2 },
    unavailable,
  ]);
  expect(asked.length).toBe(filter.times + usual.values.length);
});

test('a filter that does not add up for one item is asked for the next', async () => {
  const { collect } = contextOf({ name: 'rating', values: ['4', '5'] }, (content, value) =>
    people(value === undefined ? 3 : value === '5' && content === '2' ? 2 : 1),
  );
  expect((await collect('1', 'rating')).ratingsUnavailable).toEqual({ reason: 'unreadable' });
  expect((await collect('2', 'rating')).list?.ratings).toEqual({ '4': 1, '5': 2 });
});

const late = () => Promise.reject(new OutOfTimeError());

test('what a worker had no time for is another one’s, and failed at its last try', async () => {
  await expect(orUnavailable(late, false)).rejects.toThrow(OutOfTimeError);
  expect(await orUnavailable(late, true)).toEqual({ reason: 'failed' });
});

const failing = async (error: Error) =>
  orUnavailable(async () => {
    throw error;
  }, false);

test('what one absurd answer throws costs one item, and what the ledger or the credentials throw ends all', async () => {
  expect(await failing(new RangeError('Maximum call stack size exceeded'))).toEqual({ reason: 'unreadable' });
  await expect(failing(new CodedError('credentials-refused', 'Refused.'))).rejects.toThrow('Refused.');
});
