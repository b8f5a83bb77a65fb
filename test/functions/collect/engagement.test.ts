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
    expect(tally.coverage.readings['dates']?.['of a wrong clock'] ?? 0).toBe(undated);
  },
);

test('rows without one or both of the two dates are counted', async () => {
  const tally = createTally();
  const pages = [
    [{ seenAt: null }, { respondedAt: null }, {}, null, null, null],
    [{ seen_at: '2026-11-10T08:00:00Z' }, row('2026-11-10', 1_794_300_000), row({ date: '2026-11-10' }, 'x')],
    // Rows under an id that comes again are counted: what an id identifies is not documented.
    [1, 1].map((id) => ({ seenAt: '2026-11-10T08:00:00Z', respondedAt: null, id })),
  ];
  const dates = { 'date only': 1, 'epoch seconds': 1, '{date, timezone}': 1, unreadable: 1, 'ISO 8601 with offset': 2 };
  const counts = { listed: 11, engaged: 4, untouched: 2, seen: 4, lacking: { seenAt: 6, respondedAt: 6, neither: 5 } };
  expect(await counted(pages, {}, tally)).toMatchObject(counts);
  expect(tally.coverage).toMatchObject({
    missingFields: { recipient: 3, 'recipient.seenAt': 3, 'recipient.respondedAt': 3 },
    readings: { dates },
  });
});

test('a date more than a day after it was read comes from a wrong clock', async () => {
  const dates = ['2031-01-01T08:00:00Z', '2026-11-17T00:00:01Z', '2026-11-17T00:00:00Z'].map((date) => row(date));
  expect(await counted([dates])).toMatchObject({ seen: 3, undated: 2 });
});

test.each([
  [20, '2026-11-01T07:00:00Z', '2026-11-10T08:00:00Z'],
  [20, '2026-11-03T08:00:01Z', '2026-11-03T08:00:01Z'],
  [19, '2026-11-01T07:00:00Z', '2026-11-01T07:00:00Z'],
])('of %i rows the first, dated %s, is a first sign or a wrong clock: it is %s', async (rows, earliest, firstSign) => {
  const rest = Array.from({ length: rows - 1 }, () => row('2026-11-10T08:00:00Z'));
  expect((await counted([[row(earliest), ...rest]])).firstSign).toBe(Date.parse(firstSign));
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

test('a first sign that an earlier run counted stays', async () => {
  expect((await counted([[row('2026-11-10')]], { firstSign: 5 })).firstSign).toBe(5);
});

test('a rating of somebody who did not respond is none', async () => {
  const rows = [
    { ...row('2026-11-10', '2026-11-10'), rating: 4 },
    { ...row('2026-11-10'), rating: 0 },
  ];
  expect(await counted([rows])).toMatchObject({ ratings: { 4: 1 } });
});
