import { expect, test } from 'vitest';
import { countDelivery, countEngagement, type CountedWithin } from '../../../functions/collect/engagement.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';

/** The week of 9 November 2026 in London. */
const bounds = {
  precedingStart: Date.UTC(2026, 10, 2),
  start: Date.UTC(2026, 10, 9),
  end: Date.UTC(2026, 10, 16),
  timeZone: 'Europe/London',
};
const counted = (pages: Array<ListPage['rows']>, within: Partial<CountedWithin> = {}, tally: Tally = createTally()) =>
  countEngagement(
    pages.map((rows) => ({ rows, mayBeCutOff: false })),
    { bounds, createdAt: null, readAt: bounds.end, ...within },
    tally,
  );
const row = (seenAt: unknown, respondedAt: unknown = null) => ({ seenAt, respondedAt });

test('views and responses are counted by the period of their dates, and rows without one of the fields apart', async () => {
  const tally = createTally();
  const pages = [
    [{ seenAt: null }, { respondedAt: null }, {}, null, row(null)],
    [row('2026-11-01T23:59:59Z'), row('2026-11-02', '2026-11-09'), row('2026-11-08T23:59:59Z', 'x')],
    [row('2026-11-09', '2026-11-15T23:59:59Z'), row('2026-11-15', '2026-11-16'), row('2026-11-16')],
    // Rows under an id that comes again are counted: what an id identifies is not documented.
    [1, 1].map((id) => ({ seenAt: '2026-11-10T08:00:00Z', respondedAt: null, id })),
  ];
  expect(await counted(pages, {}, tally)).toEqual({
    listed: 13,
    engaged: 8,
    untouched: 3,
    seen: 8,
    responded: 4,
    answered: 4,
    undated: 1,
    inPeriod: { seen: 4, responded: 2, answered: 1 },
    preceding: { seen: 2, responded: 0 },
    before: { seen: 3, responded: 0 },
    firstSign: Date.parse('2026-11-01T23:59:59Z'),
    lacking: { seenAt: 3, respondedAt: 3, neither: 2 },
  });
  expect(tally.coverage).toMatchObject({
    missingFields: { recipient: 1, 'recipient.seenAt': 2, 'recipient.respondedAt': 2 },
    readings: { dates: { 'date only': 6, 'ISO 8601 with offset': 5, unreadable: 1 } },
  });
});

test.each([
  [20, '2026-11-01T07:00:00Z', '2026-11-10T08:00:00Z'],
  [20, '2026-11-03T08:00:01Z', '2026-11-03T08:00:01Z'],
  [19, '2026-11-01T07:00:00Z', '2026-11-01T07:00:00Z'],
])('of %i rows the first, dated %s, is a first sign or a wrong clock: it is %s', async (rows, earliest, firstSign) => {
  const rest = Array.from({ length: rows - 1 }, () => row('2026-11-10T08:00:00Z'));
  expect((await counted([[row(earliest), ...rest]])).firstSign).toBe(Date.parse(firstSign));
});

test('a first sign that an earlier run counted stays', async () => {
  expect((await counted([[row('2026-11-10')]], { firstSign: 5 })).firstSign).toBe(5);
});

test.each([
  [20, [[24, 19, 0]]],
  [19, undefined],
])('of %i views one without a readable date leaves the growth of the others, or none: %j', async (views, curve) => {
  const rows = [row('10/11/2026'), ...Array.from({ length: views - 1 }, () => row('2026-11-14T08:00:00Z'))];
  const within = { bounds, createdAt: null, readAt: bounds.end };
  const delivery = await countDelivery([{ rows, mayBeCutOff: false }], within, createTally());
  expect(delivery.curve?.slice(2, 3)).toEqual(curve);
});
