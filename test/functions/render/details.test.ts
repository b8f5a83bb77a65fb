import { expect, test } from 'vitest';
import type { DigestBroadcast } from '../../../functions/domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery } from '../../../functions/domain/digest.ts';
import { createDetails } from '../../../functions/render/details/broadcast-details.ts';
import type { BroadcastDetails } from '../../../functions/render/details/details-view.ts';
import { pageLimits, type Limits } from '../../../functions/render/limits.ts';
import { content, delivery, digest, input } from '../../support/digests/pieces.ts';
import { language, plain } from './sections/entries.ts';

const { report } = input(digest());

/** The details of all broadcasts of some deliveries. */
function detailsOf(deliveries: readonly DigestDelivery[], limits: Partial<Limits> = {}, statuses = ['delivered']) {
  const of = digest({ deliveries: [...deliveries] });
  const frame = { report: { ...report, statuses }, limits: { ...pageLimits, ...limits } };
  const details = createDetails({ digest: of, ...frame, elsewhere: 'file' }, language);
  return of.broadcasts.map((broadcast: DigestBroadcast) => plain(details(broadcast)));
}

/** Each row of a table in words. */
const rowsOf = ({ tables }: BroadcastDetails, table = 0) =>
  tables[table]?.rows.map(({ name, details, seen, responded }) =>
    [name, details, seen.figure, seen.inPeriod, responded.figure, responded.inPeriod].join(' | '),
  );

const rated = (over: Parameters<typeof content>[0] = {}) =>
  content({
    id: '2',
    type: 'rating',
    seen: 40,
    responded: 30,
    listed: 50,
    reach: 0.8,
    inPeriod: { seen: 10, responded: 5 },
    ratings: { count: 30, mean: 4, histogram: { '3': 10, '5': 20 } },
    ...over,
  });

test('a single delivery is the block itself: its items have a table, and its facts are in two lines', () => {
  const [shown] = detailsOf([delivery({ contents: [content(), rated()] })]);
  expect(shown).toMatchObject({
    anchor: 'broadcast-1',
    created: 'created Nov 9',
    delivery: 'delivery 501',
    inPeriod: 'This week: 90 views and 70 responses · half of the responses within 5 minutes',
    tables: [{ columns: { name: 'Item', seen: 'Seen', responded: 'Responded' } }],
    notes: [],
  });
  expect(shown && rowsOf(shown)).toEqual([
    '1 Text | half of the responses within 4 minutes | 80 (50%) | 80 this week | 60 (75%) | 60 this week',
    '2 Rating | half of the responses within 4 minutes · mean 4.0 (30 ratings) | 40 (80%) | 10 this week | 30 (75%) | 5 this week',
  ]);
});

test('several deliveries are a row each, and their items are summed up without a median', () => {
  const [shown] = detailsOf([
    delivery({ contents: [rated()], seen: 41, responded: 30 }),
    delivery({
      id: '502',
      contents: [rated({ ratings: { count: 30, mean: 2, histogram: { '1': 15, '3': 15 } } })],
      seen: 44,
      responded: 0,
      medianResponseSeconds: 200_000,
      stillCounting: true,
    }),
  ]);
  expect(shown && rowsOf(shown)).toEqual([
    '1 Rating | mean 3.0 (60 ratings) | 80 (80%) | 20 this week | 60 (75%) | 10 this week',
  ]);
  expect(shown?.tables[0]?.rows[0]?.ratings).toEqual({
    label: 'Ratings',
    hasBars: true,
    rows: [
      { rating: 'Rated 5', count: '20', bar: '80%' },
      { rating: 'Rated 3', count: '25', bar: '100%' },
      { rating: 'Rated 1', count: '15', bar: '60%' },
    ],
  });
  expect(shown?.tables[1]?.columns.name).toBe('Delivery');
  expect(shown && rowsOf(shown, 1)).toEqual([
    'Delivery 501 | first seen Nov 10 · half of the responses within 5 minutes | 41 of 50 (82%) | 90 this week | 30 (73%) | 70 this week',
    'Delivery 502 | first seen Nov 10 · still counting · half of the responses within 2 days | 44 of 50 (88%) | 90 this week | 0 | 70 this week',
  ]);
  expect([shown?.delivery, shown?.inPeriod]).toEqual([null, 'This week: 180 views and 140 responses']);
});

test('what is not available says why in its row, and is never zero', () => {
  const none = { seen: null, responded: null, inPeriod: null, listed: null, reach: null, medianResponseSeconds: null };
  const [shown] = detailsOf([
    delivery({ contents: [content({ ...none, unavailable: { reason: 'failed', status: 503 } })] }),
  ]);
  expect(shown && rowsOf(shown)).toEqual([
    '1 Text | the service did not answer after several attempts (status 503) | – |  | – | ',
  ]);
  expect(shown?.tables[0]?.rows[0]?.bar).toBeNull();
  const [unread] = detailsOf([delivery({ contents: null, unavailable: { reason: 'forbidden', status: 403 } })]);
  expect(unread?.notes).toEqual(['Items not available: the account is not allowed to read this (status 403).']);
});

test('a rate is of those who saw it, and what was answered without views has none', () => {
  const items = [content({ answered: 40 }), content({ id: '2', seen: 0, medianResponseSeconds: null })];
  const [shown] = detailsOf([delivery({ contents: items })]);
  expect(shown && rowsOf(shown)).toEqual([
    '1 Text | half of the responses within 4 minutes | 80 (50%) | 80 this week | 60 (50%) | 60 this week',
    '2 Text |  | – |  | 60 | 60 this week',
  ]);
  const [several] = detailsOf([delivery(), delivery({ id: '502', seen: 0, medianResponseSeconds: null })]);
  expect(several && rowsOf(several)?.[1]).toBe('Delivery 502 |  | – |  | 72 | 70 this week');
});

test('what nobody has seen has no items to tell apart', () => {
  const nothing = { seen: 0, responded: 0, inPeriod: { seen: 0, responded: 0 }, medianResponseSeconds: null };
  const [shown] = detailsOf([delivery({ kind: 'silent', ...nothing, contents: [content(nothing)] })]);
  expect(shown).toMatchObject({ tables: [], inPeriod: null, notes: [] });
});

test('each status is said where a report wants several', () => {
  const both = [delivery({ status: 'in_progress' }), delivery({ id: '502' })];
  const [shown] = detailsOf(both, {}, ['delivered', 'in_progress']);
  expect(shown && rowsOf(shown)?.map((row) => row.split(' · ')[1])).toEqual(['status in progress', 'status delivered']);
});

test('rows beyond what a page has room for are counted, and are in the file', () => {
  const items = Array.from({ length: 3 }, (_, index) => content({ id: String(index) }));
  const deliveries = [
    delivery({ contents: items }),
    delivery({ id: '502', contents: items }),
    delivery({ id: '9', broadcast: { ...delivery().broadcast, id: '99' }, contents: items }),
  ];
  const [first, second] = detailsOf(deliveries, { rows: 4 });
  expect([first?.tables.map(({ rows }) => rows.length), first?.notes]).toEqual([
    [3, 1],
    ['1 more delivery. It is in the file.'],
  ]);
  expect([second?.tables, second?.notes]).toEqual([[], ['3 items are not shown. They are in the file.']]);
  const [few] = detailsOf(deliveries, { items: 2 });
  expect(few?.notes).toEqual(['1 more item. It is in the file.']);
});

test('the bar of an item ends where its share of the most seen one does, and that of a delivery at its audience', () => {
  const [shown] = detailsOf([
    delivery({ contents: [content({ seen: 80, responded: 20 }), content({ id: '2', seen: 40, responded: 0 })] }),
    delivery({
      id: '502',
      seen: 8,
      responded: 16,
      contents: [content({ seen: 0, responded: 0 }), content({ id: '2', seen: 0, responded: 0 })],
    }),
  ]);
  expect(shown?.tables.map(({ rows }) => rows.map(({ bar }) => bar))).toEqual([
    [
      { responded: '25%', seen: '100%' },
      { responded: '0%', seen: '50%' },
    ],
    [
      { responded: '45%', seen: '60%' },
      { responded: '5%', seen: '5%' },
    ],
  ]);
});

test('ratings of a long scale have no bars', () => {
  const histogram = Object.fromEntries(Array.from({ length: 12 }, (_, rating) => [String(rating), 1]));
  const [shown] = detailsOf([delivery({ contents: [rated({ ratings: { count: 12, mean: 5.5, histogram } })] })]);
  const ratings = shown?.tables[0]?.rows[0]?.ratings;
  expect([ratings?.hasBars, ratings?.rows.length, ratings?.rows[0]]).toEqual([
    false,
    12,
    { rating: 'Rated 11', count: '1', bar: null },
  ]);
});

test('durations are in whole units of the size that suits them', () => {
  const seconds = [0, 1, 89, 90, 5_399, 5_400, 129_599, 129_600, 864_000];
  expect(seconds.map((each) => language.figures.duration(each))).toEqual([
    '1 second',
    '1 second',
    '89 seconds',
    '2 minutes',
    '90 minutes',
    '2 hours',
    '36 hours',
    '2 days',
    '10 days',
  ]);
});
