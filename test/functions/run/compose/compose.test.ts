import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultInformingTypes } from '../../../../functions/domain/broadcasts.ts';
import { periodBefore, precedingPeriod } from '../../../../functions/domain/period.ts';
import type { StoredFigures } from '../../../../functions/ledger/runs/digests.ts';
import { countedBy } from '../../../../functions/run/earlier-figures.ts';
import weekOfThree from '../../../fixtures/composed-week.json' with { type: 'json' };
import { reportOf } from '../configured.ts';
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
  type Composing,
} from './collected-samples.ts';

const past = recipients('past', { engagement: engagement({ seen: 3, firstSign: at('2026-10-01T08:00:00Z') }) });

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
  const { digest, history: left, readings, counted } = composition;
  expect({ digest, deliveries: Object.fromEntries(left.deliveries), readings, counted }).toEqual(weekOfThree);
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

const unread = recipients('unread', { unavailable: { reason: 'failed', status: 500 } });

describe('a digest is empty', () => {
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

const dated = (id: string, all: number, undated: number) => {
  const inPeriod = { seen: all - undated, responded: 0, answered: 0 };
  const firstSign = all === undated ? null : at('2026-11-10T08:00:00Z');
  return recipients(id, { engagement: engagement({ seen: all, undated, inPeriod, firstSign }) });
};

describe('rows without a readable date', () => {
  test.each<[rows: Array<[all: number, undated: number]>, seen: number | null, missing: string[]]>([
    [
      [
        [30, 3],
        [9, 2],
        [20, 0],
      ],
      54,
      [],
    ],
    [
      [
        [29, 3],
        [70, 0],
      ],
      96,
      ['d0'],
    ],
    [
      [
        [10, 3],
        [20, 0],
      ],
      27,
      ['d0'],
    ],
    [
      [
        [10, 3],
        [19, 0],
      ],
      null,
      ['d0'],
    ],
    [
      [
        [10, 2],
        [10, 1],
      ],
      null,
      ['deliveries'],
    ],
  ])('(all and those): of %j a total of %j is said, and %j is missing', (rows, seen, missing) => {
    const found = rows.map(([all, undated], n) => dated(`d${n}`, all, undated));
    const { digest, complete } = compose(collected({ recipients: found }));
    expect([digest.totals.seen, complete]).toEqual([seen, seen !== null]);
    expect(digest.missing.map(({ what, delivery }) => delivery ?? what)).toEqual(missing);
  });

  test('are those that came since the last run, whatever its list had', () => {
    const counted = { engaged: 60, undated: 20, seen: 40, responded: 0 };
    const before = history({ a: { counted, shown: true, engaged: true, new: true } });
    const composed = (all: number, undated: number) =>
      compose(collected({ recipients: [dated('a', all, undated)], history: before })).digest.missing.length;
    expect([composed(90, 23), composed(89, 23), composed(61, 22)]).toEqual([0, 1, 0]);
  });

  test('let a delivery that has no other be of no kind, and be shown once', () => {
    const { digest } = compose(collected({ recipients: [dated('a', 2, 2)] }));
    expect(digest.deliveries).toMatchObject([{ kind: null, firstSign: null, seen: 2, undated: 2 }]);
    const shown = history({ a: { counted: { engaged: 2, undated: 2, seen: 0, responded: 0 }, shown: true } });
    expect(compose(collected({ recipients: [dated('a', 2, 2)], history: shown })).digest.deliveries).toEqual([]);
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
    unread,
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

const lively = recipients('a', { engagement: seenInPeriod(5) });
const ofA = broadcast('a', '2026-11-09T08:00:00Z', [
  { id: '1', type: 'text' },
  { id: '2', type: 'rating' },
]);
const contentOfA = (content: string, over: object = {}) => ({
  delivery: 'a',
  content,
  engagement: engagement({ seen: 5 }),
  ...over,
});
test('an empty list is unavailable only after one that was not, of whatever status', () => {
  const ofOthers = collected({ others: [listedDelivery('o', 'sent')], history: history({ a: {} }) });
  expect(compose(ofOthers).digest.missing).toEqual([]);
});

test('an unread delivery that is known to be older is left out, but named: it may have been read again', () => {
  const before = history({ unread: { counted: { engaged: 3, undated: 0, seen: 3, responded: 0 } } });
  const { digest } = compose(collected({ recipients: [unread], history: before }));
  expect([digest.deliveries, digest.totals.seen]).toEqual([[], null]);
  expect(digest.missing).toMatchObject([{ what: 'delivery', delivery: 'unread', reason: 'failed' }]);
});

test('a broadcast that cannot be had is named once for all its deliveries, and whether it asks is not known', () => {
  const broadcasts = [{ id: 'b-a', unavailable: { reason: 'forbidden' as const, status: 403 } }];
  const twin = { ...lively, delivery: { ...lively.delivery, id: 'b' } };
  const { digest } = compose(collected({ recipients: [lively, twin], broadcasts }));
  expect(digest.missing).toEqual([
    { what: 'broadcast', broadcast: 'b-a', name: 'Broadcast a', reason: 'forbidden', status: 403 },
  ]);
  expect(digest.totals).toMatchObject({ deliveries: 2, broadcasts: 1, seen: 10, asked: null, responseRate: null });
});

test('a delivery that came without the id of its broadcast says so', () => {
  const without = { ...lively, delivery: { ...lively.delivery, broadcast: { id: '', name: 'Broadcast a' } } };
  const { digest } = compose(collected({ recipients: [without] }));
  expect(digest.missing).toMatchObject([{ what: 'broadcast', delivery: 'a', broadcast: '', reason: 'unreadable' }]);
  expect(digest.deliveries[0]).toMatchObject({ contents: null, unavailable: { reason: 'unreadable' } });
});

describe('what is gone for good', () => {
  test.each([
    { reason: 'gone', status: 410 },
    { reason: 'not-found', status: 404 },
  ] as const)('($reason) is named in the first digest that meets it, and from then on only in the coverage', (why) => {
    const found = { recipients: [recipients('x', { unavailable: why })] };
    const first = compose(collected(found));
    expect(first.digest.missing).toMatchObject([{ what: 'delivery', delivery: 'x', ...why }]);
    expect([first.digest.deliveries.length, first.complete]).toEqual([1, false]);
    const later = compose(collected({ ...found, history: first.history }));
    expect([later.digest.missing, later.digest.deliveries, later.digest.totals.seen]).toEqual([[], [], 0]);
    expect([later.unavailable, later.complete, later.empty]).toEqual([first.digest.missing, true, true]);
    // It is not forgotten while it cannot be had for another reason, or is not asked for.
    const again = compose(collected({ ...found, history: compose(collected({ history: later.history })).history }));
    expect(again.digest.missing).toEqual([]);
  });

  test.each(['failed', 'forbidden', 'unreadable', 'cut-off'] as const)('is not what is %s', (reason) => {
    const found = { recipients: [recipients('x', { unavailable: { reason } })] };
    const first = compose(collected(found));
    expect(first.history.gone).toEqual(new Set());
    expect(compose(collected({ ...found, history: first.history })).digest.missing).toHaveLength(1);
  });

  test('can be a broadcast or a content item, too', () => {
    const found = {
      recipients: [lively, recipients('b', { engagement: seenInPeriod(1) })],
      broadcasts: [ofA, { id: 'b-b', unavailable: { reason: 'not-found' as const, status: 404 } }],
      contents: [
        contentOfA('2'),
        { delivery: 'a', content: '1', unavailable: { reason: 'gone' as const, status: 410 } },
      ],
    };
    const first = compose(collected(found));
    expect(first.digest.missing.map(({ what }) => what)).toEqual(['broadcast', 'content']);
    const later = compose(collected({ ...found, history: first.history }));
    expect([later.digest.missing, later.unavailable.length]).toEqual([[], 2]);
    expect(later.digest.deliveries).toHaveLength(2);
  });
});
/** What the report's digest of the week of 2 November left. */
const kept = {
  ...figuresOf(compose(collected(), { period: periodBefore('week', 'Europe/London', week.start) })),
  totals: {
    deliveries: 3,
    broadcasts: 3,
    seen: 40,
    responded: 10,
    asked: { seen: 40, responded: 10, answered: 10 },
    responseRate: 0.25,
  },
};

const comparisonOf = (options: Composing) => {
  const { previous, comparison } = compose(collected(), options).digest.totals;
  return { previous, comparison };
};

describe('the figures that the digest of the preceding period kept', () => {
  const both = { ...kept, ...countedBy({ ...reportOf(), statuses: ['delivered', 'sent'] }, defaultInformingTypes) };
  const informing = defaultInformingTypes.toReversed().map((type) => type.toUpperCase());

  test.each<[when: string, options: Composing]>([
    ['a digest of a later period was made', { earlier: [kept], hasLater: true }],
    [
      'the same statuses are configured in another order and case',
      { earlier: [both], report: { statuses: ['Sent', 'delivered'] } },
    ],
    ['the same informing types are', { earlier: [kept], informingTypes: informing }],
  ])('are compared with, also where %s', (_when, options) => {
    expect(comparisonOf(options)).toEqual({ previous: kept.totals, comparison: { basis: 'kept' } });
  });

  test('are compared with, save for what asks, where other types were held to inform', () => {
    expect(comparisonOf({ earlier: [{ ...kept, informingTypes: '["poll"]' }] })).toEqual({
      previous: { ...kept.totals, asked: null, responseRate: null },
      comparison: { basis: 'kept' },
    });
  });

  test.each<[reason: string, where: string, options: Composing]>([
    ['not-kept', 'they are of another kind', { earlier: [{ ...kept, kind: 'day', end: '2026-11-03T00:00:00+00:00' }] }],
    [
      'counted-otherwise',
      'other statuses are wanted',
      { earlier: [kept], report: { statuses: ['delivered', 'sent'] } },
    ],
    ['counted-otherwise', 'other broadcasts are', { earlier: [kept], report: { broadcastName: 'Five' } }],
    [
      'counted-otherwise',
      'that period ended at another instant',
      { earlier: [{ ...kept, end: '2026-11-09T01:00:00+00:00' }] },
    ],
  ])('are not compared with (%s) where %s', (reason, _where, options) => {
    const lacking = { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' };
    expect(comparisonOf(options)).toEqual({ previous: null, comparison: { basis: 'none', reason, lacking } });
  });

  test('are a trend of eight periods at most, oldest first, over the clock change, with gaps', () => {
    const earlier: StoredFigures[] = [];
    let period = periodBefore('week', 'Europe/London', week.start);
    for (let seen = 1; seen <= 12; seen += 1) {
      const { start, end } = period;
      earlier.unshift({ ...kept, start, end, totals: { ...kept.totals, seen } });
      period = precedingPeriod(period);
    }
    const bounds = { start: '2026-10-12T00:00:00+01:00', end: '2026-10-19T00:00:00+01:00' };
    const otherwise = { ...kept, ...bounds, filters: 'other' };
    const { trend } = compose(collected(), { earlier: earlier.with(8, otherwise) }).digest;
    expect(trend.map(({ start, seen, complete }) => [start, seen, complete])).toEqual([
      ['2026-09-21T00:00:00+01:00', 7, true],
      ['2026-09-28T00:00:00+01:00', 6, true],
      ['2026-10-05T00:00:00+01:00', 5, true],
      ['2026-10-12T00:00:00+01:00', null, false],
      ['2026-10-19T00:00:00+01:00', 3, true],
      ['2026-10-26T00:00:00+00:00', 2, true],
      ['2026-11-02T00:00:00+00:00', 1, true],
      ['2026-11-09T00:00:00+00:00', 0, true],
    ]);
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
        const isIncluded = digest.deliveries.some(({ id }) => id === delivery.id);
        const lacks = isIncluded && 'unavailable' in (found.contents[n] ?? {});
        expect(lacking(delivery.id, 'content')).toBe(lacks ? 1 : 0);
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
