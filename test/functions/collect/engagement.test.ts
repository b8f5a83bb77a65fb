import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countEngagement } from '../../../functions/collect/engagement.ts';
import type { PeriodBounds } from '../../../functions/domain/period.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import type { RowSink } from '../../../functions/reporting-service/lists/rows.ts';

/** The week of 9 November 2026 in London, and the one before. */
const bounds: PeriodBounds = {
  precedingStart: Date.parse('2026-11-02T00:00:00Z'),
  start: Date.parse('2026-11-09T00:00:00Z'),
  end: Date.parse('2026-11-16T00:00:00Z'),
  timeZone: 'Europe/London',
};

/** A list of these pages, the last of which may be cut off. */
function pagesOf(pages: unknown[][], mayBeCutOff = false): Pick<ListPages, 'into'> {
  const into = async <Taken>(
    createSink: () => RowSink<Taken>,
    [rows = [], ...others] = pages,
  ): Promise<ListPage<Taken>> => {
    const sink = createSink();
    sink.take(rows);
    const isLast = others.length === 0;
    const next = isLast ? null : () => into(createSink, others);
    return await Promise.resolve({ rows: sink.result(), mayBeCutOff: isLast && mayBeCutOff, next });
  };
  return { into };
}
const count = (rows: unknown[], tally: Tally = createTally()) => countEngagement(pagesOf([rows]), bounds, tally);
const row = (seenAt: unknown, respondedAt: unknown = null, over: object = {}) => ({ seenAt, respondedAt, ...over });

const isoOf = (instant: number): string => new Date(instant).toISOString();

const nothing = {
  listed: 0,
  seen: 0,
  responded: 0,
  undated: 0,
  inPeriod: { seen: 0, responded: 0 },
  inPrecedingPeriod: { seen: 0, responded: 0 },
  firstSign: null,
  medianResponseSeconds: null,
  ratings: {},
};

test('an empty list counts nothing', async () => {
  expect(await count([])).toEqual(nothing);
});

test('an audience without engagement is listed, and nothing else', async () => {
  expect(await count([row(null), row(''), row(false)])).toEqual({ ...nothing, listed: 3 });
});

test('views and responses are counted to date, in the period and in the one before, over all pages', async () => {
  const pages = pagesOf([
    [
      { recipient: row('2026-11-10T08:00:00Z', '2026-11-10T08:10:00Z') },
      { recipient: row('2026-11-05T08:00:00Z', '2026-11-11T08:00:00Z') },
    ],
    [row('2026-10-01T08:00:00Z', '2026-11-03T08:00:00Z'), row('2026-11-16T00:00:00Z'), row(null)],
  ]);
  expect(await countEngagement(pages, bounds, createTally())).toEqual({
    listed: 5,
    seen: 4,
    responded: 3,
    undated: 0,
    inPeriod: { seen: 1, responded: 2 },
    inPrecedingPeriod: { seen: 1, responded: 1 },
    firstSign: Date.parse('2026-10-01T08:00:00Z'),
    medianResponseSeconds: 6 * 86_400,
    ratings: {},
  });
});

test.each([
  { at: '2026-11-01T23:59:59.999Z', inPeriod: 0, inPrecedingPeriod: 0 },
  { at: '2026-11-02T00:00:00Z', inPeriod: 0, inPrecedingPeriod: 1 },
  { at: '2026-11-08T23:59:59.999Z', inPeriod: 0, inPrecedingPeriod: 1 },
  { at: '2026-11-09T00:00:00Z', inPeriod: 1, inPrecedingPeriod: 0 },
  { at: '2026-11-15T23:59:59.999Z', inPeriod: 1, inPrecedingPeriod: 0 },
  { at: '2026-11-16T00:00:00Z', inPeriod: 0, inPrecedingPeriod: 0 },
])(
  'a period begins with its first instant and ends before its last: $at',
  async ({ at, inPeriod, inPrecedingPeriod }) => {
    expect(await count([row(at)])).toMatchObject({
      seen: 1,
      inPeriod: { seen: inPeriod, responded: 0 },
      inPrecedingPeriod: { seen: inPrecedingPeriod, responded: 0 },
    });
  },
);

test('responding does not imply seeing', async () => {
  expect(await count([row(null, '2026-11-10T08:00:00Z')])).toMatchObject({
    seen: 0,
    responded: 1,
    inPeriod: { seen: 0, responded: 1 },
    firstSign: Date.parse('2026-11-10T08:00:00Z'),
    medianResponseSeconds: null,
  });
});

test('a date that cannot be read counts as seen, at an unknown instant', async () => {
  const rows = [row('last week'), row('2026-11-10T08:00:00Z', true), row('x', 'y'), row('2026-11-11T08:00:00Z')];
  expect(await count(rows)).toEqual({
    ...nothing,
    listed: 4,
    seen: 4,
    responded: 2,
    undated: 3,
    inPeriod: { seen: 2, responded: 0 },
    firstSign: Date.parse('2026-11-10T08:00:00Z'),
  });
});

test('the coverage counts the date formats', async () => {
  const tally = createTally();
  await count([row('2026-11-10', 1_794_300_000), row('2026-11-10T08:00:00Z', 'x'), row({ date: '2026-11-10' })], tally);
  expect(tally.coverage.readings['dates']).toEqual({
    'date only': 1,
    'epoch seconds': 1,
    'ISO 8601 with offset': 1,
    unreadable: 1,
    '{date, timezone}': 1,
  });
});

test('dates without an offset count in the day of the zone', async () => {
  const inNewYork = { ...bounds, timeZone: 'America/New_York' };
  const rows = [row('2026-11-08T19:00:00'), row('2026-11-08T18:59:59')];
  expect((await countEngagement(pagesOf([rows]), inNewYork, createTally())).inPeriod).toEqual({
    seen: 1,
    responded: 0,
  });
});

test.each([
  { minutes: [1], median: 60 },
  { minutes: [1, 10, 2], median: 120 },
  { minutes: [1, 10, 2, 3], median: 150 },
  { minutes: [0, 0], median: 0 },
])('the median time from seen to responded of $minutes minutes is $median s', async ({ minutes, median }) => {
  const seen = Date.parse('2026-11-10T08:00:00Z');
  const rows = minutes.map((each) => row(seen, seen + each * 60_000));
  expect((await count(rows)).medianResponseSeconds).toBe(median);
});

test('a response dated before the view has no time from seen to responded', async () => {
  expect((await count([row('2026-11-10T08:00:00Z', '2026-11-10T07:00:00Z')])).medianResponseSeconds).toBeNull();
});

test('dates without a time of day do not say how long a response took', async () => {
  const london = { date: '2026-11-10', timezone: 'Europe/London' };
  expect((await count([row('2026-11-10', '2026-11-10')])).medianResponseSeconds).toBeNull();
  expect((await count([row('2026-11-10', '2026-11-11T07:00:00Z')])).medianResponseSeconds).toBeNull();
  expect((await count([row(london, london)])).medianResponseSeconds).toBeNull();
  const timed = row('2026-11-10T08:00:00Z', '2026-11-10T08:01:00Z');
  expect((await count([row('2026-11-10', '2026-11-10'), timed])).medianResponseSeconds).toBe(60);
});

test('ratings in the rows are counted by their decimal text', async () => {
  const ratings = [5, '5', ' 4 ', 4.5, '4.50', '-1', null, 'good', Number.POSITIVE_INFINITY, { value: 5 }, '', '05'];
  expect((await count(ratings.map((rating) => row(null, null, { rating })))).ratings).toEqual({
    '-1': 1,
    '4': 1,
    '4.5': 2,
    '5': 3,
  });
});

const rated = (rating: unknown) => row('2026-11-10T08:00:00Z', null, { rating });

test('ratings that are set and cannot be read are counted, over all pages', async () => {
  const pages = pagesOf([
    [rated('4,5'), rated({ value: 4 }), rated(5)],
    [rated('good'), rated(null), rated('')],
  ]);
  expect(await countEngagement(pages, bounds, createTally())).toMatchObject({
    ratings: { '5': 1 },
    unreadableRatings: 3,
  });
});

test.each([
  { distinct: 1_000, kept: 1_000, unreadable: undefined },
  { distinct: 1_001, kept: 0, unreadable: 1_001 },
  { distinct: 20_000, kept: 0, unreadable: 20_000 },
])('$distinct different ratings are a scale of $kept', async ({ distinct, kept, unreadable }) => {
  const rows = Array.from({ length: distinct }, (_, rating) => row(null, null, { rating }));
  const { ratings, unreadableRatings } = await countEngagement(
    pagesOf([rows.slice(0, 600), rows.slice(600)]),
    bounds,
    createTally(),
  );
  expect([Object.keys(ratings).length, unreadableRatings]).toEqual([kept, unreadable]);
});

test('rows that are no objects say nothing of their recipients, and are counted as missing', async () => {
  const tally = createTally();
  expect(await count([null, 'x', [], row('2026-11-10T08:00:00Z')], tally)).toMatchObject({
    listed: 4,
    seen: 1,
    lackingFields: 3,
    lackingBoth: 3,
  });
  expect(tally.coverage.missingFields).toEqual({ recipient: 3 });
});

test('rows without one or both of the two dates are counted, over all pages, bare and wrapped', async () => {
  const pages = pagesOf([
    [{ seenAt: null }, { recipient: { respondedAt: null } }, { recipient: {} }],
    [{ seen_at: '2026-11-10T08:00:00Z' }, row(null), row('2026-11-10T08:00:00Z')],
  ]);
  expect(await countEngagement(pages, bounds, createTally())).toEqual({
    ...nothing,
    listed: 6,
    seen: 1,
    inPeriod: { seen: 1, responded: 0 },
    firstSign: Date.parse('2026-11-10T08:00:00Z'),
    lackingFields: 4,
    lackingBoth: 2,
  });
});

test('rows under ids that come again are counted: what an id identifies is not documented', async () => {
  const page = [row('2026-11-10T08:00:00Z', null, { id: 1 }), row('2026-11-10T08:00:00Z', null, { id: 2 })];
  expect(await countEngagement(pagesOf([page, page]), bounds, createTally())).toMatchObject({ listed: 4, seen: 4 });
});

test('a list that may be cut off has no counts: they would be of an unknown part', async () => {
  await expect(
    countEngagement(pagesOf([[row('2026-11-10T08:00:00Z')], []], true), bounds, createTally()),
  ).rejects.toMatchObject({
    name: 'UnavailableError',
    unavailable: { reason: 'cut-off' },
  });
});

test('the median of any number of minutes is that of their sorted list', async () => {
  const some = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(some, async (minutes) => {
      const seen = Date.parse('2026-11-09T08:00:00Z');
      const rows = minutes.map((each) => row(isoOf(seen), isoOf(seen + each * 60_000)));
      const sorted = minutes.toSorted((one, other) => one - other);
      const [lower = 0, upper = 0] = [
        sorted[Math.floor((sorted.length - 1) / 2)],
        sorted[Math.floor(sorted.length / 2)],
      ];
      expect((await count(rows)).medianResponseSeconds).toBe((lower + upper) * 30);
    }),
  );
});

test('no count is negative or more than its whole, and neither pages nor order matter', async () => {
  const date = fc.oneof(
    fc.constantFrom(null, undefined, '', 'x', true),
    fc
      .date({ min: new Date('2026-10-20'), max: new Date('2026-11-20'), noInvalidDate: true })
      .map((each) => each.toISOString()),
    fc.integer({ min: 1_793_000_000, max: 1_795_000_000 }),
  );
  const rows = fc.array(fc.record({ seenAt: date, respondedAt: date, rating: fc.constantFrom(1, 5, null) }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(30), async (all, cut) => {
      const { inPeriod, inPrecedingPeriod, ...engagement } = await count(all);
      expect(inPeriod.seen + inPrecedingPeriod.seen).toBeLessThanOrEqual(engagement.seen);
      expect(inPeriod.responded + inPrecedingPeriod.responded).toBeLessThanOrEqual(engagement.responded);
      expect(Math.max(engagement.seen, engagement.responded, engagement.undated)).toBeLessThanOrEqual(all.length);
      expect(engagement.medianResponseSeconds ?? 0).toBeGreaterThanOrEqual(0);
      const turned = all.toReversed();
      const paged = await countEngagement(pagesOf([turned.slice(0, cut), turned.slice(cut)]), bounds, createTally());
      expect(paged).toEqual({ inPeriod, inPrecedingPeriod, ...engagement });
    }),
  );
});
