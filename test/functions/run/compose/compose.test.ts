import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import {
  at,
  broadcast,
  collected,
  compose,
  engagement,
  figuresOf,
  history,
  listedDelivery,
  recipients,
  seenInPeriod,
  week,
} from './collected-samples.ts';

const past = recipients('past', { engagement: engagement({ seen: 3, firstSign: at('2026-10-01T08:00:00Z') }) });

const of = (id: string, createdAt: string) => ({
  id,
  broadcast: { id: `b-${id}`, name: `Broadcast ${id}`, createdAt, createdBy: 'Priya Shah' },
  status: 'delivered',
  stillCounting: false,
  judged: false,
  medianResponseSeconds: null,
  undated: 0,
  contents: [],
});

test('a digest has each delivery with its kind and its figures, and the totals of what is dated within the period', () => {
  const ofNew = { seen: 8, responded: 4, answered: 3, inPeriod: { seen: 6, responded: 3, answered: 2 } };
  const ofActive = {
    seen: 40,
    responded: 10,
    answered: 10,
    inPeriod: { seen: 2, responded: 1, answered: 0 },
    undated: 1,
  };
  const ofItem = { seen: 8, responded: 4, answered: 4, untouched: 2, medianResponseSeconds: 60 };
  const isNew = { ...ofNew, firstSign: at('2026-11-10T08:00:00Z'), medianResponseSeconds: 90 };
  const before = { seen: 37, responded: 9 };
  const isActive = { ...ofActive, untouched: 60, before, firstSign: at('2026-10-01T08:00:00Z') };
  const composition = compose(
    collected({
      others: ['scheduled', 'draft', 'scheduled', 'Draft'].map((status, n) => listedDelivery(`o${n}`, status)),
      recipients: [
        recipients('silent', { engagement: engagement() }),
        past,
        recipients('active', { engagement: engagement(isActive) }),
        recipients('new', { engagement: engagement(isNew) }),
      ],
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
          engagement: engagement(ofItem),
          ratings: { '10': 1, '-1.5': 2, '2': 1 },
          unreadableRatings: 1,
        },
      ],
    }),
  );
  const none = { seen: 0, responded: 0, answered: 0 };
  const { broadcasts, ...digest } = composition.digest;
  expect(digest).toEqual({
    schemaVersion: 3,
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
      asked: { seen: 6, responded: 3, answered: 2 },
      responseRate: 2 / 6,
      undated: 1,
      previous: null,
      comparison: expect.objectContaining({ basis: 'none', reason: 'first' }),
    },
    late: null,
    trend: [expect.objectContaining({ start: '2026-11-09T00:00:00+00:00', seen: 8, complete: true })],
    deliveries: [
      {
        ...of('new', '2026-11-09T09:30:00+00:00'),
        ...ofNew,
        kind: 'new',
        firstSign: '2026-11-10T08:00:00+00:00',
        judged: true,
        listed: 8,
        responseRate: 0.375,
        reach: 1,
        medianResponseSeconds: 90,
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
        ...of('silent', '2026-11-12T09:30:00+00:00'),
        ...none,
        kind: 'silent',
        firstSign: null,
        listed: 0,
        responseRate: null,
        reach: null,
        inPeriod: none,
      },
      {
        ...of('active', '2026-09-30T10:30:00+01:00'),
        ...ofActive,
        kind: 'active',
        firstSign: '2026-10-01T09:00:00+01:00',
        listed: 100,
        responseRate: 0.25,
        reach: 0.4,
      },
    ],
    unseenNotNamed: 0,
    unknownDate: 0,
    otherStatuses: { scheduled: 2, draft: 1, Draft: 1 },
    missing: [],
  });
  expect(broadcasts.map(({ id, asks, audience, listedDeliveries }) => [id, asks, audience, listedDeliveries])).toEqual([
    ['b-new', true, 8, 1],
    ['b-silent', false, null, 1],
    ['b-active', false, 100, 1],
  ]);
  const { filters, informingTypes } = composition.counted;
  expect(filters).toBe('{"statuses":["delivered"],"broadcastName":null}');
  expect(informingTypes).toBe('["audio","document","file","image","text","video"]');
  expect(composition.readings).toEqual({
    'delivery lists': { 'the audience': 2 },
    'content lists': { 'the audience': 1 },
  });
  const listedIn = at('2026-11-09T00:00:00Z');
  const kept = (createdAt: string, engaged: number, seen: number, responded: number) =>
    ({ listedIn, createdAt: at(createdAt), counted: { engaged, undated: 0, seen, responded }, shown: true }) as const;
  const activeNow = kept('2026-09-30T09:30:00Z', 40, 39, 10);
  expect(Object.fromEntries(composition.history.deliveries)).toEqual({
    silent: { ...kept('2026-11-12T09:30:00Z', 0, 0, 0), namedIn: ['2026-11-09T00:00:00+00:00'] },
    past: { listedIn, counted: { engaged: 3, undated: 0, seen: 0, responded: 0 } },
    active: { ...activeNow, counted: { ...activeNow.counted, undated: 1 }, engaged: true },
    new: { ...kept('2026-11-09T09:30:00Z', 8, 6, 3), engaged: true, new: true },
    ...Object.fromEntries([0, 1, 2, 3].map((n) => [`o${n}`, { listedIn, pending: true }])),
  });
});

test('what was counted once stays so while its rows are gone: it is not late when they come back', () => {
  const counted = { engaged: 10, undated: 0, seen: 10, responded: 4 };
  const known = history({ a: { counted, shown: true, engaged: true, new: true } });
  const fewer = engagement({
    engaged: 1,
    seen: 1,
    before: { seen: 1, responded: 0 },
    firstSign: past.engagement?.firstSign ?? 0,
  });
  const composed = compose(collected({ recipients: [recipients('a', { engagement: fewer })], history: known }));
  expect(composed.history.deliveries.get('a')?.counted).toEqual({ ...counted, engaged: 1 });
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

  test('but not where something came late for the last digest', () => {
    const before = periodBefore('week', 'Europe/London', week.start);
    const earlier = [figuresOf(compose(collected(), { period: before }))];
    const counted = { engaged: 1, undated: 0, seen: 1, responded: 0 };
    const known = history({ a: { counted, shown: true, engaged: true, new: true } });
    const composed = (seen: number) => {
      const a = engagement({ seen, before: { seen, responded: 0 }, firstSign: at(before.start) });
      return compose(collected({ recipients: [recipients('a', { engagement: a })], history: known }), { earlier });
    };
    expect([1, 3].map((seen) => [composed(seen).digest.late, composed(seen).empty])).toEqual([
      [{ seen: 0, responded: 0 }, true],
      [{ seen: 2, responded: 0 }, false],
    ]);
  });
});

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
    missing.map(({ what, delivery }) => delivery ?? what),
    deliveries.map(({ inPeriod }) => inPeriod?.seen),
  ];
};

describe('rows without a readable date', () => {
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
    expect(totalsOf(seen('a', 10, 2), seen('b', 10, 1))).toEqual([null, 3, ['deliveries'], [9, 8]]);
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

const noticedBy = (id: string, seen: number, responded: number) =>
  recipients(id, {
    engagement: engagement({
      seen: 9,
      firstSign: at('2026-11-10T08:00:00Z'),
      inPeriod: { seen, responded, answered: 0 },
    }),
  });

test('deliveries of one kind come by their views in the period, then their responses, then their ids', () => {
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

/** What a service may answer of some deliveries: their engagement, or why there is none; and what was noted of them before. */
const reason = fc.constantFrom('failed', 'gone', 'not-found', 'forbidden', 'cut-off');
const instant = fc.date({ min: new Date('2026-10-20'), max: new Date('2026-11-20'), noInvalidDate: true }).map(Number);
const answers = fc
  .record({ seen: fc.nat(50), undated: fc.nat(5), firstSign: fc.option(instant) })
  .map(({ seen, undated, firstSign }) =>
    engagement({
      seen,
      undated: Math.min(seen, undated),
      inPeriod: { seen: firstSign === null ? 0 : Math.min(2, seen), responded: 0, answered: 0 },
      firstSign: seen === 0 ? null : firstSign,
    }),
  );
const answer = fc.oneof(
  { weight: 5, arbitrary: fc.record({ engagement: answers }) },
  fc.record({ unavailable: fc.record({ reason }) }),
);
const noted = fc.constantFrom({}, { pending: true as const }, { new: true as const, shown: true as const });
const world = fc
  .array(fc.record({ own: answer, item: answer, createdAt: fc.option(instant), noted, goneBefore: fc.boolean() }), {
    maxLength: 10,
  })
  .map((deliveries) => ({
    recipients: deliveries.map(({ own }, n) => recipients(`d${n}`, own)),
    broadcasts: deliveries.map(({ createdAt }, n) =>
      broadcast(`d${n}`, createdAt === null ? null : new Date(createdAt).toISOString(), [{ id: '1', type: 'poll' }]),
    ),
    contents: deliveries.map(({ item }, n) => ({ delivery: `d${n}`, content: '1', ...item })),
    history: history(Object.fromEntries(deliveries.map((each, n) => [`d${n}`, each.noted])), {
      gone: new Set(deliveries.flatMap(({ goneBefore }, n) => (goneBefore ? [`["delivery","d${n}"]`] : []))),
    }),
  }));

test('of any collection nothing that is not available is left out in silence, and the order of the answers does not matter', () => {
  fc.assert(
    fc.property(world, (found) => {
      const composition = compose(collected(found));
      const { digest, unavailable } = composition;
      const lacking = (of: string, what: string) =>
        unavailable.filter((gap) => gap.what === what && gap.delivery === of).length;
      for (const [n, { delivery, unavailable: why }] of found.recipients.entries()) {
        const { createdAt = null } = found.broadcasts[n]?.broadcast ?? {};
        const isLater = createdAt !== null && createdAt >= at('2026-11-16T00:00:00Z');
        if (why !== undefined) expect(lacking(delivery.id, 'delivery')).toBe(isLater ? 0 : 1);
        if ('unavailable' in (found.contents[n] ?? {})) expect(lacking(delivery.id, 'content')).toBe(1);
      }
      expect(unavailable).toEqual(expect.arrayContaining(digest.missing));
      const turned = {
        recipients: found.recipients.toReversed(),
        broadcasts: found.broadcasts.toReversed(),
        contents: found.contents.toReversed(),
      };
      const other = compose(collected({ ...found, ...turned }));
      expect(JSON.stringify(other.digest)).toBe(JSON.stringify(digest));
      expect(other).toEqual(composition);
    }),
  );
});
