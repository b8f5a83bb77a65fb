import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import { historyKey } from '../../../../functions/ledger/runs/delivery-history.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { at, broadcast, collected, compose, engagement, recipients, type Engagement } from './collected-samples.ts';

const noticed = recipients('new', {
  engagement: engagement({
    listed: 8,
    seen: 8,
    responded: 4,
    inPeriod: { seen: 6, responded: 3 },
    firstSign: at('2026-11-10T08:00:00Z'),
    medianResponseSeconds: 90,
  }),
});
const late = recipients('active', {
  engagement: engagement({
    listed: 40,
    seen: 40,
    responded: 10,
    inPeriod: { seen: 2, responded: 1 },
    inPrecedingPeriod: { seen: 3, responded: 0 },
    firstSign: at('2026-10-01T08:00:00Z'),
    undated: 1,
  }),
});
const unnoticed = recipients('silent', { engagement: engagement() });
const unread = recipients('unread', { unavailable: { reason: 'failed', status: 500 } });
const past = recipients('past', { engagement: engagement({ seen: 3, firstSign: at('2026-10-01T08:00:00Z') }) });

describe('a digest', () => {
  const { digest, figures, shown, unavailable, empty } = compose(
    collected({
      list: { otherStatuses: { scheduled: 2, draft: 1 } },
      recipients: [unnoticed, past, late, noticed],
      broadcasts: [
        broadcast('new', '2026-11-09T09:30:00Z', [{ id: '1', type: 'rating' }]),
        broadcast('active', '2026-09-30T09:30:00Z'),
        broadcast('silent', '2026-11-12T09:30:00Z'),
      ],
      contents: [
        {
          delivery: 'new',
          content: '1',
          engagement: engagement({
            listed: 10,
            seen: 8,
            responded: 4,
            inPeriod: { seen: 6, responded: 3 },
            medianResponseSeconds: 60,
          }),
          ratings: { '5': 2, '3': 1, '4.5': 1 },
        },
      ],
    }),
  );

  test('gives each delivery its kind and its figures: new, silent, active, in this order', () => {
    expect(digest).toEqual({
      schemaVersion: 2,
      run: 'weekly_2026-W46',
      report: 'weekly',
      period: {
        kind: 'week',
        start: '2026-11-09T00:00:00+00:00',
        end: '2026-11-16T00:00:00+00:00',
        timeZone: 'Europe/London',
      },
      collectedAt: '2026-11-16T08:00:04+00:00',
      totals: {
        deliveries: 1,
        broadcasts: 1,
        seen: 8,
        responded: 4,
        asked: { seen: 6, responded: 3 },
        responseRate: 0.5,
        undated: 1,
        previous: {
          deliveries: 0,
          broadcasts: 0,
          seen: 3,
          responded: 0,
          asked: { seen: 0, responded: 0 },
          responseRate: null,
        },
        comparison: { basis: 'recounted' },
      },
      trend: expect.any(Array),
      deliveries: [
        {
          id: 'new',
          broadcast: {
            id: 'b-new',
            name: 'Broadcast new',
            createdAt: '2026-11-09T09:30:00+00:00',
            createdBy: 'Priya Shah',
          },
          status: 'delivered',
          kind: 'new',
          firstSign: '2026-11-10T08:00:00+00:00',
          stillCounting: false,
          listed: 8,
          seen: 8,
          responded: 4,
          responseRate: 0.5,
          inPeriod: { seen: 6, responded: 3 },
          medianResponseSeconds: 90,
          undated: 0,
          contents: [
            {
              id: '1',
              type: 'rating',
              listed: 10,
              seen: 8,
              responded: 4,
              responseRate: 0.5,
              inPeriod: { seen: 6, responded: 3 },
              medianResponseSeconds: 60,
              undated: 0,
              reach: 0.8,
              ratings: { count: 4, mean: 4.375, histogram: { '3': 1, '4.5': 1, '5': 2 } },
            },
          ],
        },
        {
          id: 'silent',
          broadcast: {
            id: 'b-silent',
            name: 'Broadcast silent',
            createdAt: '2026-11-12T09:30:00+00:00',
            createdBy: 'Priya Shah',
          },
          status: 'delivered',
          kind: 'silent',
          firstSign: '2026-11-12T09:30:00+00:00',
          stillCounting: false,
          listed: 0,
          seen: 0,
          responded: 0,
          responseRate: null,
          inPeriod: { seen: 0, responded: 0 },
          medianResponseSeconds: null,
          undated: 0,
          contents: [],
        },
        {
          id: 'active',
          broadcast: {
            id: 'b-active',
            name: 'Broadcast active',
            createdAt: '2026-09-30T10:30:00+01:00',
            createdBy: 'Priya Shah',
          },
          status: 'delivered',
          kind: 'active',
          firstSign: '2026-10-01T09:00:00+01:00',
          stillCounting: false,
          listed: 40,
          seen: 40,
          responded: 10,
          responseRate: 0.25,
          inPeriod: { seen: 2, responded: 1 },
          medianResponseSeconds: null,
          undated: 1,
          contents: [],
        },
      ],
      broadcasts: [
        {
          id: 'b-new',
          name: 'Broadcast new',
          createdAt: '2026-11-09T09:30:00+00:00',
          createdBy: 'Priya Shah',
          kind: 'new',
          asks: true,
          audience: 10,
          seen: 8,
          responded: 4,
          inPeriod: { seen: 6, responded: 3 },
          firstSign: '2026-11-10T08:00:00+00:00',
          stillCounting: false,
          unseenSince: null,
          deliveries: ['new'],
          listedDeliveries: 1,
          contents: [{ id: '1', type: 'rating', seen: 8, responded: 4, ratings: { count: 4, mean: 4.375 } }],
        },
        {
          id: 'b-silent',
          name: 'Broadcast silent',
          createdAt: '2026-11-12T09:30:00+00:00',
          createdBy: 'Priya Shah',
          kind: 'silent',
          asks: false,
          audience: null,
          seen: 0,
          responded: 0,
          inPeriod: { seen: 0, responded: 0 },
          firstSign: '2026-11-12T09:30:00+00:00',
          stillCounting: false,
          unseenSince: null,
          deliveries: ['silent'],
          listedDeliveries: 1,
          contents: [],
        },
        {
          id: 'b-active',
          name: 'Broadcast active',
          createdAt: '2026-09-30T10:30:00+01:00',
          createdBy: 'Priya Shah',
          kind: 'active',
          asks: false,
          audience: null,
          seen: 40,
          responded: 10,
          inPeriod: { seen: 2, responded: 1 },
          firstSign: '2026-10-01T09:00:00+01:00',
          stillCounting: false,
          unseenSince: null,
          deliveries: ['active'],
          listedDeliveries: 1,
          contents: [],
        },
      ],
      unseenNotNamed: 0,
      otherStatuses: { scheduled: 2, draft: 1 },
      missing: [],
    });
  });

  test('keeps its figures for the next one, with what was counted', () => {
    expect(figures).toEqual({
      kind: 'week',
      name: '2026-W46',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      filters: '{"statuses":["delivered"],"broadcastName":null}',
      informingTypes: '["audio","document","file","image","text","video"]',
      complete: true,
      totals: {
        deliveries: 1,
        broadcasts: 1,
        seen: 8,
        responded: 4,
        asked: { seen: 6, responded: 3 },
        responseRate: 0.5,
      },
    });
    expect([unavailable, empty]).toEqual([[], false]);
  });

  test('notes what it said of each delivery', () => {
    expect(Object.fromEntries(shown)).toEqual({
      [historyKey('delivery', 'new')]: { shownIn: '2026-11-09', engagedIn: '2026-11-09', newIn: '2026-11-09' },
      [historyKey('delivery', 'silent')]: { shownIn: '2026-11-09', namedIn: ['2026-11-09'] },
      [historyKey('delivery', 'active')]: { shownIn: '2026-11-09', engagedIn: '2026-11-09' },
    });
  });
});

test('a digest of nothing is empty; one that only misses something is not', () => {
  expect(compose(collected()).empty).toBe(true);
  expect(compose(collected({ recipients: [past] })).empty).toBe(true);
  expect(compose(collected({ list: { otherStatuses: {}, unavailable: { reason: 'cut-off' } } })).empty).toBe(false);
  expect(compose(collected({ recipients: [unread] })).empty).toBe(false);
});

test('an engaged delivery whose dates nobody can read is of no kind, counts no view in the period, and is included once', () => {
  const undated = recipients('u', { engagement: engagement({ listed: 3, seen: 3, undated: 3 }) });
  const { digest, shown } = compose(collected({ recipients: [undated], broadcasts: [broadcast('u', null)] }));
  expect(digest.deliveries).toMatchObject([
    { id: 'u', kind: null, firstSign: null, seen: 3, inPeriod: { seen: 0, responded: 0 }, undated: 3 },
  ]);
  expect(digest.totals).toMatchObject({ deliveries: 0, seen: 0, undated: 3 });
  const next = periodBefore('week', 'Europe/London', '2026-11-23T08:00:00Z');
  const again = compose(
    collected({ recipients: [undated], broadcasts: [broadcast('u', null)], shown: Object.fromEntries(shown) }),
    { period: next },
  );
  expect(again.digest.deliveries).toEqual([]);
});

const countingAt = (firstSign: string, report: object = {}) => {
  const found = recipients('n', { engagement: engagement({ seen: 1, firstSign: at(firstSign) }) });
  return compose(collected({ recipients: [found] }), { report }).digest.deliveries[0]?.stillCounting;
};

describe('still counting', () => {
  test("is a delivery whose first sign is younger than the report's hours at the period's end", () => {
    expect(countingAt('2026-11-14T00:00:00Z')).toBe(false);
    expect(countingAt('2026-11-14T00:00:00.001Z')).toBe(true);
    expect(countingAt('2026-11-10T00:00:01Z', { settleHours: 144 })).toBe(true);
    expect(countingAt('2026-11-15T23:59:59Z', { settleHours: 0 })).toBe(false);
  });

  test('is a silent delivery by its creation, and one without any date is not', () => {
    const created = compose(
      collected({ recipients: [unnoticed], broadcasts: [broadcast('silent', '2026-11-15T08:00:00Z')] }),
    );
    expect(created.digest.deliveries[0]).toMatchObject({ kind: 'silent', stillCounting: true });
    expect(compose(collected({ recipients: [unnoticed] })).digest.deliveries[0]).toMatchObject({
      stillCounting: false,
    });
  });
});

const reachOf = (listed: number, reading: 'auto' | 'audience' | 'engaged') =>
  compose(
    collected({
      contentRecipients: reading,
      recipients: [noticed],
      broadcasts: [broadcast('new', '2026-11-09T09:30:00Z', [{ id: '1', type: 'text' }])],
      contents: [{ delivery: 'new', content: '1', engagement: engagement({ listed, seen: Math.min(listed, 4) }) }],
    }),
  ).digest.deliveries[0]?.contents?.[0]?.reach;

describe('reach', () => {
  test.each([
    { listed: 9, reading: 'auto', reach: 4 / 9 },
    { listed: 8, reading: 'auto', reach: null },
    { listed: 5, reading: 'auto', reach: null },
    { listed: 8, reading: 'audience', reach: 0.5 },
    { listed: 0, reading: 'audience', reach: null },
    { listed: 9, reading: 'engaged', reach: null },
  ] as const)(
    'of an item with $listed listed beside a delivery with 8, read as $reading, is $reach',
    ({ listed, reading, reach }) => {
      expect(reachOf(listed, reading)).toBe(reach);
    },
  );
});

test('ratings have a histogram, lowest first, and a mean over all of them', () => {
  const { digest } = compose(
    collected({
      recipients: [noticed],
      broadcasts: [broadcast('new', '2026-11-09T09:30:00Z', [{ id: '1', type: 'scale' }])],
      contents: [{ delivery: 'new', content: '1', engagement: engagement(), ratings: { '10': 1, '-1.5': 2, '2': 1 } }],
    }),
  );
  const ratings = digest.deliveries[0]?.contents?.[0]?.ratings;
  expect(ratings).toEqual({ count: 4, mean: 2.25, histogram: { '-1.5': 2, '2': 1, '10': 1 } });
});

const noticedBy = (id: string, seen: number, responded: number) =>
  recipients(id, {
    engagement: engagement({ seen: 9, firstSign: at('2026-11-10T08:00:00Z'), inPeriod: { seen, responded } }),
  });

test('deliveries of one kind come by their views in the period, then their responses, then their ids', () => {
  const found = [
    noticedBy('c', 1, 0),
    noticedBy('b', 1, 0),
    noticedBy('a', 0, 9),
    noticedBy('d', 1, 5),
    noticedBy('e', 7, 0),
    unread,
  ];
  expect(compose(collected({ recipients: found })).digest.deliveries.map(({ id }) => id)).toEqual([
    'e',
    'd',
    'b',
    'c',
    'a',
    'unread',
  ]);
});

test('instants are given in the zone of the report, on both sides of a clock change', () => {
  const period = periodBefore('week', 'Europe/London', '2026-11-02T08:00:00Z');
  const found = recipients('a', { engagement: engagement({ seen: 1, firstSign: at('2026-10-26T08:00:00Z') }) });
  const { digest } = compose(collected({ recipients: [found], broadcasts: [broadcast('a', '2026-10-25T00:30:00Z')] }), {
    period,
  });
  expect(digest.deliveries[0]).toMatchObject({
    firstSign: '2026-10-26T08:00:00+00:00',
    broadcast: { createdAt: '2026-10-25T01:30:00+01:00' },
  });
});

describe('of any collection', () => {
  const count = fc.nat(50);
  const instant = fc
    .date({ min: new Date('2026-10-20'), max: new Date('2026-11-20'), noInvalidDate: true })
    .map(Number);
  const engaged = fc
    .record({
      extra: count,
      seen: count,
      responded: count,
      undated: count,
      before: count,
      firstSign: fc.option(instant),
    })
    .map(({ extra, seen, responded, undated, before, firstSign }): Engagement => {
      const half = { seen: Math.floor(seen / 2), responded: Math.floor(responded / 2) };
      const preceding = Math.min(before, seen - half.seen, responded - half.responded);
      return engagement({
        listed: Math.max(seen, responded) + extra,
        seen,
        responded,
        undated: Math.min(undated, seen + responded),
        inPeriod: half,
        inPrecedingPeriod: { seen: preceding, responded: preceding },
        firstSign: seen + responded === 0 ? null : firstSign,
      });
    });
  const reason = fc.constantFrom('failed', 'gone', 'not-found', 'forbidden', 'cut-off');
  const delivery = fc.record({
    engaged: fc.option(engaged, { freq: 10 }),
    reason,
    createdAt: fc.option(instant),
    broadcastRead: fc.boolean(),
    contents: fc.array(fc.record({ engaged: fc.option(engaged, { freq: 5 }), reason }), { maxLength: 3 }),
    shown: fc.option(fc.constantFrom('2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16')),
  });

  const world = fc.array(delivery, { maxLength: 12 }).map((deliveries) => ({
    recipients: deliveries.map((each, n) =>
      recipients(
        `d${n}`,
        each.engaged === null ? { unavailable: { reason: each.reason } } : { engagement: each.engaged },
      ),
    ),
    broadcasts: deliveries.map((each, n): Found<'broadcasts'> => {
      if (!each.broadcastRead) return { id: `b-d${n}`, unavailable: { reason: each.reason } };
      const contents = each.contents.map((_, content) => ({ id: String(content), type: 'text' }));
      return {
        id: `b-d${n}`,
        broadcast: { name: `Broadcast d${n}`, createdAt: each.createdAt, createdBy: null, contents },
      };
    }),
    contents: deliveries.flatMap((each, n) =>
      each.contents.map((content, id): Found<'contents'> => ({
        delivery: `d${n}`,
        content: String(id),
        ...(content.engaged === null ? { unavailable: { reason: content.reason } } : { engagement: content.engaged }),
      })),
    ),
    shown: Object.fromEntries(
      deliveries.flatMap(({ shown }, n) =>
        shown === null ? [] : [[historyKey('delivery', `d${n}`), { newIn: shown, shownIn: shown, goneIn: shown }]],
      ),
    ),
  }));

  test('the totals are the sums of the parts, or withheld', () => {
    fc.assert(
      fc.property(world, (found) => {
        const { totals, deliveries, missing } = compose(collected(found)).digest;
        const withheld = missing.some(({ what }) => what === 'delivery' || what === 'deliveries');
        const sum = (what: 'seen' | 'responded') =>
          deliveries.reduce((all, { inPeriod }) => all + (inPeriod?.[what] ?? 0), 0);
        const expected = withheld
          ? [null, null, null]
          : [deliveries.filter(({ kind }) => kind === 'new').length, sum('seen'), sum('responded')];
        expect([totals.deliveries, totals.seen, totals.responded]).toEqual(expected);
        expect(totals.unavailable).toEqual(withheld ? { reason: 'incomplete' } : undefined);
      }),
    );
  });

  test('no figure is negative, none in the period is more than to date, and rates are ratios of what is shown', () => {
    fc.assert(
      fc.property(world, (found) => {
        const { deliveries, totals } = compose(collected(found)).digest;
        for (const each of [...deliveries, ...deliveries.flatMap(({ contents }) => contents ?? [])]) {
          if (each.seen === null || each.responded === null || each.inPeriod === null) {
            expect([each.listed, each.seen, each.responded, each.responseRate, each.inPeriod]).toEqual([
              null,
              null,
              null,
              null,
              null,
            ]);
            continue;
          }
          expect(
            Math.min(each.seen, each.responded, each.inPeriod.seen, each.inPeriod.responded, each.undated),
          ).toBeGreaterThanOrEqual(0);
          expect(each.inPeriod.seen).toBeLessThanOrEqual(each.seen);
          expect(each.inPeriod.responded).toBeLessThanOrEqual(each.responded);
          expect(each.responseRate).toBe(each.seen === 0 ? null : each.responded / each.seen);
          if ('reach' in each && each.reach !== null) expect(each.reach).toBeLessThanOrEqual(1);
        }
        for (const figure of [totals.deliveries, totals.seen, totals.responded, totals.undated])
          expect(figure ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('the order of the answers does not matter', () => {
    fc.assert(
      fc.property(world, (found) => {
        const turned = {
          ...found,
          recipients: found.recipients.toReversed(),
          broadcasts: found.broadcasts.toReversed(),
          contents: found.contents.toReversed(),
        };
        const [one, other] = [compose(collected(found)), compose(collected(turned))];
        expect(JSON.stringify(other.digest)).toBe(JSON.stringify(one.digest));
        expect(other).toEqual(one);
      }),
    );
  });

  test('nothing that is not available is left out in silence', () => {
    fc.assert(
      fc.property(world, (found) => {
        const { digest, unavailable } = compose(collected(found));
        const included = new Set(digest.deliveries.map(({ id }) => id));
        for (const { delivery: of, unavailable: why } of found.recipients) {
          const createdAt = found.broadcasts.find(({ id }) => id === of.broadcast.id)?.broadcast?.createdAt ?? 0;
          if (why === undefined || createdAt >= at('2026-11-16T00:00:00Z')) continue;
          expect(unavailable.filter(({ what, delivery: id }) => what === 'delivery' && id === of.id)).toHaveLength(1);
        }
        for (const { delivery: of, content, unavailable: why } of found.contents) {
          if (why === undefined || !included.has(of)) continue;
          expect(
            unavailable.some((gap) => gap.what === 'content' && gap.delivery === of && gap.content === content),
          ).toBe(true);
        }
        expect(unavailable).toEqual(expect.arrayContaining(digest.missing));
      }),
    );
  });
});
