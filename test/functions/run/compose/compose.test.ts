import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import type { Found } from '../../../../functions/ledger/runs/collections.ts';
import {
  at,
  broadcast,
  collected,
  compose,
  engagement,
  history,
  listedDelivery,
  recipients,
  seenInPeriod,
} from './collected-samples.ts';

const noticed = recipients('new', {
  engagement: engagement({
    seen: 8,
    responded: 4,
    answered: 3,
    inPeriod: { seen: 6, responded: 3, answered: 2 },
    firstSign: at('2026-11-10T08:00:00Z'),
    medianResponseSeconds: 90,
  }),
});
const older = recipients('active', {
  engagement: engagement({
    seen: 40,
    responded: 10,
    answered: 10,
    untouched: 60,
    inPeriod: { seen: 2, responded: 1, answered: 0 },
    before: { seen: 37, responded: 9 },
    firstSign: at('2026-10-01T08:00:00Z'),
    undated: 1,
  }),
});
const unnoticed = recipients('silent', { engagement: engagement() });
const past = recipients('past', { engagement: engagement({ seen: 3, firstSign: at('2026-10-01T08:00:00Z') }) });

test('a digest has each delivery with its kind and its figures, each broadcast, and the totals of what is dated within the period', () => {
  const composition = compose(
    collected({
      others: ['scheduled', 'draft', 'scheduled', 'Delivering'].map((status, n) => listedDelivery(`o${n}`, status)),
      recipients: [unnoticed, past, older, noticed],
      audience: { deliveries: true, contents: new Set(['rating']) },
      broadcasts: [
        broadcast('new', '2026-11-09T09:30:00Z', [{ id: '1', type: 'rating' }]),
        broadcast('active', '2026-09-30T09:30:00Z'),
        broadcast('silent', '2026-11-12T09:30:00Z'),
      ],
      contents: [
        {
          delivery: 'new',
          content: '1',
          engagement: engagement({ seen: 8, responded: 4, answered: 4, untouched: 2, medianResponseSeconds: 60 }),
          ratings: { '10': 1, '-1.5': 2, '2': 1 },
          unreadableRatings: 1,
        },
      ],
    }),
  );
  const none = { seen: 0, responded: 0, answered: 0 };
  const ofNew = { id: 'b-new', name: 'Broadcast new', createdAt: '2026-11-09T09:30:00+00:00', createdBy: 'Priya Shah' };
  const ofSilent = { ...ofNew, id: 'b-silent', name: 'Broadcast silent', createdAt: '2026-11-12T09:30:00+00:00' };
  const ofActive = { ...ofNew, id: 'b-active', name: 'Broadcast active', createdAt: '2026-09-30T10:30:00+01:00' };
  const shared = { stillCounting: false, unseenSince: null, listedDeliveries: 1 };
  expect(composition.digest).toEqual({
    schemaVersion: 3,
    run: 'weekly_2026-11-09',
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
      asked: { seen: 6, responded: 3, answered: 2 },
      responseRate: 2 / 6,
      undated: 1,
      previous: null,
      comparison: {
        basis: 'none',
        reason: 'first',
        lacking: { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' },
      },
    },
    late: null,
    trend: [expect.objectContaining({ start: '2026-11-09T00:00:00+00:00', seen: 8, responded: 4, complete: true })],
    deliveries: [
      {
        id: 'new',
        broadcast: ofNew,
        status: 'delivered',
        kind: 'new',
        firstSign: '2026-11-10T08:00:00+00:00',
        stillCounting: false,
        judged: true,
        listed: 8,
        seen: 8,
        responded: 4,
        answered: 3,
        responseRate: 0.375,
        reach: 1,
        inPeriod: { seen: 6, responded: 3, answered: 2 },
        medianResponseSeconds: 90,
        undated: 0,
        contents: [
          {
            id: '1',
            type: 'rating',
            listed: 10,
            seen: 8,
            responded: 4,
            answered: 4,
            responseRate: 0.5,
            reach: 0.8,
            inPeriod: none,
            medianResponseSeconds: 60,
            undated: 0,
            ratings: { count: 4, mean: 2.25, histogram: { '-1.5': 2, '2': 1, '10': 1 }, unreadable: 1 },
          },
        ],
      },
      {
        id: 'silent',
        broadcast: ofSilent,
        status: 'delivered',
        kind: 'silent',
        firstSign: null,
        stillCounting: false,
        judged: false,
        listed: 0,
        seen: 0,
        responded: 0,
        answered: 0,
        responseRate: null,
        reach: null,
        inPeriod: none,
        medianResponseSeconds: null,
        undated: 0,
        contents: [],
      },
      {
        id: 'active',
        broadcast: ofActive,
        status: 'delivered',
        kind: 'active',
        firstSign: '2026-10-01T09:00:00+01:00',
        stillCounting: false,
        judged: false,
        listed: 100,
        seen: 40,
        responded: 10,
        answered: 10,
        responseRate: 0.25,
        reach: 0.4,
        inPeriod: { seen: 2, responded: 1, answered: 0 },
        medianResponseSeconds: null,
        undated: 1,
        contents: [],
      },
    ],
    broadcasts: [
      {
        ...ofNew,
        ...shared,
        kind: 'new',
        asks: true,
        audience: 8,
        seen: 8,
        responded: 4,
        answered: 3,
        inPeriod: { seen: 6, responded: 3, answered: 2 },
        firstSign: '2026-11-10T08:00:00+00:00',
        deliveries: ['new'],
        contents: [{ id: '1', type: 'rating', seen: 8, responded: 4, ratings: { count: 4, mean: 2.25 } }],
      },
      {
        ...ofSilent,
        ...shared,
        kind: 'silent',
        asks: false,
        audience: null,
        seen: 0,
        responded: 0,
        answered: 0,
        inPeriod: none,
        firstSign: null,
        deliveries: ['silent'],
        contents: [],
      },
      {
        ...ofActive,
        ...shared,
        kind: 'active',
        asks: false,
        audience: 100,
        seen: 40,
        responded: 10,
        answered: 10,
        inPeriod: { seen: 2, responded: 1, answered: 0 },
        firstSign: '2026-10-01T09:00:00+01:00',
        deliveries: ['active'],
        contents: [],
      },
    ],
    unseenNotNamed: 0,
    unknownDate: 0,
    otherStatuses: { scheduled: 2, draft: 1, Delivering: 1 },
    missing: [],
  });
  expect(composition).toMatchObject({
    counted: {
      filters: '{"statuses":["delivered"],"broadcastName":null}',
      informingTypes: '["audio","document","file","image","text","video"]',
    },
    complete: true,
    unavailable: [],
    readings: { 'delivery lists': { 'the audience': 2 }, 'content lists': { 'the audience': 1 } },
    empty: false,
  });
  const listedIn = at('2026-11-09T00:00:00Z');
  const of = (createdAt: string, counted: object) => ({ listedIn, createdAt: at(createdAt), counted, shown: true });
  expect(composition.history).toEqual({
    listed: 8,
    gone: new Set(),
    deliveries: new Map([
      [
        'silent',
        {
          ...of('2026-11-12T09:30:00Z', { engaged: 0, undated: 0, seen: 0, responded: 0 }),
          namedIn: ['2026-11-09T00:00:00+00:00'],
        },
      ],
      ['past', { listedIn, counted: { engaged: 3, undated: 0, seen: 0, responded: 0 } }],
      [
        'active',
        { ...of('2026-09-30T09:30:00Z', { engaged: 40, undated: 1, seen: 39, responded: 10 }), engaged: true },
      ],
      [
        'new',
        { ...of('2026-11-09T09:30:00Z', { engaged: 8, undated: 0, seen: 6, responded: 3 }), engaged: true, new: true },
      ],
      ...[0, 1, 2, 3].map((n): [string, object] => [`o${n}`, { listedIn, pending: true }]),
    ]),
  });
});

describe('a digest is empty', () => {
  const unread = recipients('unread', { unavailable: { reason: 'failed', status: 500 } });
  test.each([
    { why: 'nothing is listed', found: {}, empty: true },
    { why: 'nothing of what is listed is of the period', found: { recipients: [past] }, empty: true },
    { why: 'the list is cut off', found: { unavailable: { reason: 'cut-off' } }, empty: false },
    { why: 'a delivery cannot be read', found: { recipients: [unread] }, empty: false },
    { why: 'nothing has a wanted status', found: { others: [listedDelivery('o', 'sent')] }, empty: false },
  ] as const)('or not where $why: $empty', ({ found, empty }) => {
    expect(compose(collected(found)).empty).toBe(empty);
  });
});

describe('rows without a readable date', () => {
  const seen = (id: string, all: number, undated: number) =>
    recipients(id, {
      engagement: engagement({
        seen: all,
        undated,
        inPeriod: { seen: all - undated, responded: 0, answered: 0 },
        firstSign: all === undated ? null : at('2026-11-10T08:00:00Z'),
      }),
    });
  const totalsOf = (...found: Array<ReturnType<typeof seen>>) => {
    const { digest, complete } = compose(collected({ recipients: found }));
    const { totals, missing, deliveries } = digest;
    expect(complete).toBe(totals.unavailable === undefined);
    return [
      totals.seen,
      totals.undated,
      missing.map(({ delivery }) => delivery),
      deliveries.map(({ inPeriod }) => inPeriod?.seen),
    ];
  };

  test('leave a delivery without figures of the period where they are more than a tenth and more than two, and that is named', () => {
    expect(totalsOf(seen('a', 30, 3), seen('b', 9, 2), seen('c', 20, 0))).toEqual([54, 5, [], [27, 20, 7]]);
    expect(totalsOf(seen('a', 29, 3), seen('b', 70, 0))).toEqual([96, 3, ['a'], [70, undefined]]);
    const { digest } = compose(collected({ recipients: [seen('a', 29, 3), seen('b', 70, 0)] }));
    expect(digest.missing).toEqual([
      { what: 'delivery', delivery: 'a', broadcast: 'b-a', name: 'Broadcast a', reason: 'dates-unreadable' },
    ]);
    expect(digest.deliveries[1]).toMatchObject({
      id: 'a',
      kind: 'new',
      judged: false,
      seen: 29,
      inPeriod: null,
      undated: 3,
      unavailable: { reason: 'dates-unreadable' },
    });
  });

  test('leave the totals unavailable where they are more than a tenth over all deliveries', () => {
    expect(totalsOf(seen('a', 10, 3), seen('b', 20, 0))).toEqual([27, 3, ['a'], [20, undefined]]);
    expect(totalsOf(seen('a', 10, 3), seen('b', 19, 0))).toEqual([null, 3, ['a'], [19, undefined]]);
    expect(totalsOf(seen('a', 10, 2), seen('b', 10, 1))).toEqual([null, 3, [], [9, 8]]);
  });

  test('are those that came since the last run, whatever its list had', () => {
    const counted = { engaged: 60, undated: 20, seen: 40, responded: 0 };
    const before = history({ a: { counted, shown: true, engaged: true, new: true } });
    const composed = (all: number, undated: number) =>
      compose(collected({ recipients: [seen('a', all, undated)], history: before })).digest.missing.length;
    expect([composed(90, 23), composed(89, 23), composed(61, 22)]).toEqual([0, 1, 0]);
  });

  test('let a delivery that has no other be of no kind, and be shown once', () => {
    const { digest } = compose(collected({ recipients: [seen('a', 2, 2)] }));
    expect(digest.deliveries).toMatchObject([{ kind: null, firstSign: null, seen: 2, undated: 2 }]);
    const shown = history({ a: { counted: { engaged: 2, undated: 2, seen: 0, responded: 0 }, shown: true } });
    expect(compose(collected({ recipients: [seen('a', 2, 2)], history: shown })).digest.deliveries).toEqual([]);
  });
});

test('the type of a content item decides whether its list is the audience, and an empty list has no reach', () => {
  const items = ['poll', 'text', 'poll'].map((type, n) => ({ id: String(n), type }));
  const lists = [engagement({ seen: 4, untouched: 4 }), engagement({ seen: 4, untouched: 4 }), engagement()];
  const { digest, readings } = compose(
    collected({
      audience: { deliveries: false, contents: new Set(['poll']) },
      recipients: [recipients('a', { engagement: seenInPeriod(4) })],
      broadcasts: [broadcast('a', '2026-11-09T09:30:00Z', items)],
      contents: lists.map((each, n) => ({ delivery: 'a', content: String(n), engagement: each })),
    }),
  );
  expect(digest.deliveries[0]?.contents?.map(({ reach }) => reach)).toEqual([0.5, null, null]);
  expect(digest.deliveries[0]?.reach).toBeNull();
  expect(readings).toEqual({
    'delivery lists': { 'those who engaged': 1 },
    'content lists': { 'the audience': 1, 'those who engaged': 1 },
  });
});

test('deliveries of one kind come by their views in the period, then their responses, then their ids', () => {
  const noticedBy = (id: string, seen: number, responded: number) =>
    recipients(id, {
      engagement: engagement({
        seen: 9,
        firstSign: at('2026-11-10T08:00:00Z'),
        inPeriod: { seen, responded, answered: 0 },
      }),
    });
  const found = [
    recipients('unread', { unavailable: { reason: 'failed' } }),
    noticedBy('c', 1, 0),
    noticedBy('b', 1, 0),
    noticedBy('a', 0, 9),
    noticedBy('d', 1, 5),
    noticedBy('e', 7, 0),
  ];
  const { deliveries } = compose(collected({ recipients: found })).digest;
  expect(deliveries.map(({ id }) => id)).toEqual(['e', 'd', 'b', 'c', 'a', 'unread']);
});

test('instants are given in the zone of the report, on both sides of a clock change', () => {
  const period = periodBefore('week', 'Europe/London', '2026-11-02T08:00:00Z');
  const found = recipients('a', { engagement: seenInPeriod(1, '2026-10-26T08:00:00Z') });
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
    .record({ untouched: count, seen: count, responded: count, undated: fc.nat(5), firstSign: fc.option(instant) })
    .map(({ untouched, seen, responded, undated, firstSign }) => {
      const inPeriod = firstSign === null ? 0 : 2;
      return engagement({
        untouched,
        seen,
        responded,
        answered: Math.min(seen, responded),
        undated: Math.min(undated, Math.max(seen, responded)),
        inPeriod: {
          seen: Math.min(inPeriod, seen),
          responded: Math.min(inPeriod, responded),
          answered: Math.min(inPeriod, seen, responded),
        },
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
    before: fc.option(
      fc.constantFrom(
        { pending: true as const },
        { new: true as const, engaged: true as const, shown: true as const },
        { leftOut: true as const },
      ),
    ),
    goneBefore: fc.boolean(),
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
      const contents = each.contents.map((_, content) => ({ id: String(content), type: 'poll' }));
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
    audience: { deliveries: true, contents: new Set(['poll']) },
    history: history(
      Object.fromEntries(deliveries.flatMap(({ before }, n) => (before === null ? [] : [[`d${n}`, before]]))),
      { gone: new Set(deliveries.flatMap(({ goneBefore }, n) => (goneBefore ? [`["delivery","d${n}"]`] : []))) },
    ),
  }));

  test('the totals are the sums of the parts, or withheld', () => {
    fc.assert(
      fc.property(world, (found) => {
        const { totals, deliveries, missing } = compose(collected(found)).digest;
        const isUnread = missing.some(({ what, reason: why }) => what === 'delivery' && why !== 'dates-unreadable');
        if (isUnread) expect(totals.unavailable).toEqual({ reason: 'incomplete' });
        if (totals.unavailable !== undefined) {
          expect([totals.deliveries, totals.seen, totals.responded, totals.asked]).toEqual([null, null, null, null]);
          return;
        }
        const counted = found.recipients.filter(({ delivery: { id } }) => deliveries.some((each) => each.id === id));
        const sum = (what: 'seen' | 'responded') =>
          counted.reduce((all, { engagement: each }) => all + (each?.inPeriod[what] ?? 0), 0);
        const news = deliveries.filter(({ kind }) => kind === 'new').length;
        expect([totals.deliveries, totals.seen, totals.responded]).toEqual([news, sum('seen'), sum('responded')]);
      }),
    );
  });

  test('rates are ratios of what is shown, of one group of rows and at most 1, and what is not had is null', () => {
    fc.assert(
      fc.property(world, (found) => {
        for (const delivery of compose(collected(found)).digest.deliveries) {
          for (const each of [delivery, ...(delivery.contents ?? [])]) {
            const { listed, seen, responded, answered, responseRate, reach, inPeriod } = each;
            if (seen === null || answered === null) {
              expect([listed, seen, responded, answered, responseRate, reach, inPeriod]).toEqual(
                Array.from({ length: 7 }, () => null),
              );
              continue;
            }
            expect(responseRate).toBe(seen === 0 ? null : answered / seen);
            expect(Math.max(responseRate ?? 0, reach ?? 0)).toBeLessThanOrEqual(1);
            expect(inPeriod?.seen ?? 0).toBeLessThanOrEqual(seen);
          }
        }
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
