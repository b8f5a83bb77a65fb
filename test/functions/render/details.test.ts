import { expect, test } from 'vitest';
import type { DigestDelivery } from '../../../functions/domain/digest.ts';
import { pageLimits, type Limits } from '../../../functions/render/input.ts';
import { viewDetails, type BroadcastDetails } from '../../../functions/render/sections/details.ts';
import { content, delivery, digest } from '../../support/digests/pieces.ts';
import { plain, sectionOf } from './entries.ts';

/** The details of all broadcasts of some deliveries. */
function detailsOf(deliveries: DigestDelivery[], limits: Partial<Limits> = {}, statuses = ['delivered']) {
  const section = sectionOf(digest({ deliveries }), { limits: { ...pageLimits, ...limits } });
  const details = viewDetails({ ...section, report: { ...section.report, statuses } });
  return plain([...details.values()]);
}

/** Each row of a table in words. */
const rowsOf = (details: BroadcastDetails | undefined, table = 0) =>
  details?.tables[table]?.rows.map(({ name, details, seen, responded }) =>
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

const twoItems = (seen: number, other: number, responded: number) => [
  content({ seen, responded }),
  content({ id: '2', seen: other, responded: 0 }),
];

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
  expect(rowsOf(shown)).toEqual([
    '1 Text | half of the responses within 4 minutes | 80 (50%) | 80 this week | 60 (75%) | 60 this week',
    '2 Rating | half of the responses within 4 minutes · mean 4.0 (30 ratings) | 40 (80%) | 10 this week | 30 (75%) | 5 this week',
  ]);
});

test('several deliveries are a row each, and their items are summed up without a median', () => {
  const second = {
    contents: [rated({ ratings: { count: 30, mean: 2, histogram: { '1': 15, '3': 15 } } })],
    seen: 44,
    responded: 0,
    medianResponseSeconds: 200_000,
    stillCounting: true,
  };
  const first = delivery({ contents: [rated()], seen: 41, responded: 30, status: 'in_progress' });
  const [shown] = detailsOf([first, delivery({ id: '502', ...second })], {}, ['delivered', 'in_progress']);
  expect(rowsOf(shown)).toEqual([
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
  expect(rowsOf(shown, 1)).toEqual([
    'Delivery 501 | first seen Nov 10 · status in progress · half of the responses within 5 minutes | 41 of 50 (82%) | 90 this week | 30 (73%) | 70 this week',
    'Delivery 502 | first seen Nov 10 · still counting · status delivered · half of the responses within 2 days | 44 of 50 (88%) | 90 this week | 0 | 70 this week',
  ]);
  expect([shown?.delivery, shown?.inPeriod]).toEqual([null, 'This week: 180 views and 140 responses']);
});

test('what is not available says why in its row, and is never zero', () => {
  const none = { seen: null, responded: null, inPeriod: null, listed: null, reach: null, medianResponseSeconds: null };
  const unavailable = { reason: 'failed', status: 503 } as const;
  const [shown] = detailsOf([delivery({ contents: [content({ ...none, unavailable })] })]);
  expect(rowsOf(shown)).toEqual([
    '1 Text | the service did not answer after several attempts (status 503) | – |  | – | ',
  ]);
  expect(shown?.tables[0]?.rows[0]?.bar).toBeNull();
  const [unread] = detailsOf([delivery({ contents: null, unavailable: { reason: 'forbidden', status: 403 } })]);
  expect(unread?.notes).toEqual(['Items not available: the account is not allowed to read this (status 403).']);
});

test('a rate is of those who saw it, what was answered without views has none, and what nobody saw has no items', () => {
  const items = [content({ answered: 40 }), content({ id: '2', seen: 0, medianResponseSeconds: null })];
  expect(rowsOf(detailsOf([delivery({ contents: items })])[0])).toEqual([
    '1 Text | half of the responses within 4 minutes | 80 (50%) | 80 this week | 60 (50%) | 60 this week',
    '2 Text |  | – |  | 60 | 60 this week',
  ]);
  const [several] = detailsOf([delivery(), delivery({ id: '502', seen: 0, medianResponseSeconds: null })]);
  expect(rowsOf(several)?.[1]).toBe('Delivery 502 |  | – |  | 72 | 70 this week');
  const nothing = { seen: 0, responded: 0, inPeriod: { seen: 0, responded: 0 }, medianResponseSeconds: null };
  const [silent] = detailsOf([delivery({ kind: 'silent', ...nothing, contents: [content(nothing)] })]);
  expect(silent).toMatchObject({ tables: [], inPeriod: null, notes: [] });
});

test('rows beyond what a page has room for are counted, and are in the file', () => {
  const items = Array.from({ length: 3 }, (_, index) => content({ id: String(index) }));
  const deliveries = [
    delivery({ contents: items }),
    delivery({ id: '502', contents: items }),
    delivery({ id: '9', broadcast: { ...delivery().broadcast, id: '99' }, contents: items }),
  ];
  const shown = detailsOf(deliveries, { rows: 4 });
  expect(shown.map(({ tables, notes }) => [tables.map(({ rows }) => rows.length), notes])).toEqual([
    [[3, 1], ['1 more delivery. It is in the file.']],
    [[], ['3 items are not shown. They are in the file.']],
  ]);
  expect(detailsOf(deliveries, { items: 2 })[0]?.notes).toEqual(['1 more item. It is in the file.']);
});

test('the bar of an item ends where its share of the most seen one does, and that of a delivery at its audience', () => {
  const first = delivery({ contents: twoItems(80, 40, 20) });
  const [shown] = detailsOf([first, delivery({ id: '502', seen: 8, responded: 16, contents: twoItems(0, 0, 0) })]);
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
  const { hasBars, rows } = shown?.tables[0]?.rows[0]?.ratings ?? {};
  expect([hasBars, rows?.length, rows?.[0]]).toEqual([false, 12, { rating: 'Rated 11', count: '1', bar: null }]);
});
