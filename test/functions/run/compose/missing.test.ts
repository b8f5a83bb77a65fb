import { describe, expect, test } from 'vitest';
import { historyKey } from '../../../../functions/ledger/runs/delivery-history.ts';
import { broadcast, collected, compose, engagement, at, recipients } from './collected-samples.ts';

const lively = recipients('a', {
  engagement: engagement({
    listed: 5,
    seen: 5,
    inPeriod: { seen: 5, responded: 0 },
    firstSign: at('2026-11-10T08:00:00Z'),
  }),
});
const ofA = broadcast('a', '2026-11-09T08:00:00Z', [
  { id: '1', type: 'text' },
  { id: '2', type: 'rating' },
]);
const contentOfA = (content: string, over: object = {}) => ({
  delivery: 'a',
  content,
  engagement: engagement({ listed: 5, seen: 5, firstSign: at('2026-11-10T08:00:00Z') }),
  ...over,
});
const withheld = { deliveries: null, seen: null, responded: null, responseRate: null };

test('where everything was had nothing is missing', () => {
  const { digest, unavailable, figures } = compose(
    collected({ recipients: [lively], broadcasts: [ofA], contents: [contentOfA('1'), contentOfA('2')] }),
  );
  expect([digest.missing, unavailable, figures.complete]).toEqual([[], [], true]);
  expect(digest.totals).not.toHaveProperty('unavailable');
});

test.each([
  { what: 'is cut off', unavailable: { reason: 'cut-off' as const } },
  { what: 'is unreadable in part', unavailable: { reason: 'unreadable' as const } },
])('a list that $what is named, and the totals are withheld', ({ unavailable }) => {
  const list = { otherStatuses: {}, unavailable };
  const { digest, figures } = compose(
    collected({ list, recipients: [lively], broadcasts: [ofA], contents: [contentOfA('1'), contentOfA('2')] }),
  );
  expect(digest.missing).toEqual([{ what: 'deliveries', ...unavailable }]);
  expect(digest.totals).toMatchObject({ ...withheld, unavailable: { reason: 'incomplete' } });
  expect(figures).toMatchObject({ complete: false, totals: withheld });
  expect(digest.deliveries).toHaveLength(1);
});

test('a delivery that cannot be read is named and marked, its figures are null, and the totals are withheld', () => {
  const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
  const { digest } = compose(
    collected({
      recipients: [unread],
      broadcasts: [broadcast('x', '2026-11-10T08:00:00Z', [{ id: '1', type: 'text' }])],
    }),
  );
  expect(digest.missing).toEqual([
    { what: 'delivery', delivery: 'x', broadcast: 'b-x', name: 'Broadcast x', reason: 'failed', status: 500 },
  ]);
  expect(digest.totals).toMatchObject(withheld);
  expect(digest.deliveries).toEqual([
    {
      id: 'x',
      broadcast: { id: 'b-x', name: 'Broadcast x', createdAt: '2026-11-10T08:00:00+00:00', createdBy: 'Priya Shah' },
      status: 'delivered',
      kind: null,
      firstSign: '2026-11-10T08:00:00+00:00',
      stillCounting: false,
      listed: null,
      seen: null,
      responded: null,
      responseRate: null,
      inPeriod: null,
      medianResponseSeconds: null,
      undated: 0,
      contents: [
        {
          id: '1',
          type: 'text',
          listed: null,
          seen: null,
          responded: null,
          responseRate: null,
          inPeriod: null,
          medianResponseSeconds: null,
          undated: 0,
          reach: null,
          unavailable: { reason: 'incomplete' },
        },
      ],
      unavailable: { reason: 'failed', status: 500 },
    },
  ]);
});

test('an unread delivery that is known to be older is left out, but withholds the totals: it may have been read again', () => {
  const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
  const shown = { [historyKey('delivery', 'x')]: { shownIn: '2026-11-02', engagedIn: '2026-11-02' } };
  const { digest } = compose(collected({ recipients: [unread], shown }));
  expect([digest.deliveries, digest.missing.length, digest.totals.seen]).toEqual([[], 1, null]);
});

test('an unread delivery that is known to be later than the period is nothing that the period lacks', () => {
  const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
  const { digest, unavailable } = compose(
    collected({ recipients: [lively, unread], broadcasts: [ofA, broadcast('x', '2026-11-16T00:00:00Z')] }),
  );
  expect([digest.missing, unavailable, digest.totals.seen]).toEqual([[], [], 5]);
});

test('a broadcast that cannot be had leaves its delivery without content items, and the totals whole', () => {
  const unread = { id: 'b-a', unavailable: { reason: 'forbidden' as const, status: 403 } };
  const { digest } = compose(collected({ recipients: [lively], broadcasts: [unread] }));
  expect(digest.missing).toEqual([
    { what: 'broadcast', broadcast: 'b-a', name: 'Broadcast a', reason: 'forbidden', status: 403 },
  ]);
  expect(digest.deliveries[0]).toMatchObject({
    broadcast: { id: 'b-a', name: 'Broadcast a', createdAt: null, createdBy: null },
    kind: 'new',
    seen: 5,
    contents: null,
    unavailable: { reason: 'forbidden', status: 403 },
  });
  expect(digest.totals).toMatchObject({ deliveries: 1, seen: 5 });
});

const twinOf = (id: string) => ({ ...lively, delivery: { ...lively.delivery, id } });

test('a broadcast that several deliveries lack is named once', () => {
  const unread = { id: 'b-a', unavailable: { reason: 'failed' as const, status: 500 } };
  const { digest } = compose(collected({ recipients: [twinOf('a'), twinOf('b')], broadcasts: [unread] }));
  expect(digest.missing).toHaveLength(1);
});

test('a delivery that came without the id of its broadcast says so', () => {
  const without = { ...lively, delivery: { ...lively.delivery, broadcast: { id: '', name: 'Broadcast a' } } };
  const { digest } = compose(collected({ recipients: [without] }));
  expect(digest.missing).toEqual([
    { what: 'broadcast', delivery: 'a', broadcast: '', name: 'Broadcast a', reason: 'unreadable' },
  ]);
  expect(digest.deliveries[0]).toMatchObject({ contents: null, unavailable: { reason: 'unreadable' } });
});

test('a content item or its ratings that cannot be had are named, each by itself, and the totals are whole', () => {
  const contents = [
    { delivery: 'a', content: '1', unavailable: { reason: 'failed' as const, status: 500 } },
    contentOfA('2', { ratingsUnavailable: { reason: 'forbidden', status: 403 } }),
  ];
  const { digest } = compose(collected({ recipients: [lively], broadcasts: [ofA], contents }));
  const of = { delivery: 'a', broadcast: 'b-a', name: 'Broadcast a' };
  expect(digest.missing).toEqual([
    { what: 'content', ...of, content: '1', reason: 'failed', status: 500 },
    { what: 'ratings', ...of, content: '2', reason: 'forbidden', status: 403 },
  ]);
  expect(digest.deliveries[0]?.contents).toMatchObject([
    { id: '1', seen: null, unavailable: { reason: 'failed', status: 500 } },
    { id: '2', seen: 5 },
  ]);
  expect(digest.totals.seen).toBe(5);
});

const of = (id: string, firstSign: string | null, over: object = {}) =>
  recipients(id, {
    engagement: engagement({ listed: 1, seen: 1, firstSign: firstSign === null ? null : at(firstSign), ...over }),
  });
const composed = (...found: ReturnType<typeof recipients>[]) => compose(collected({ recipients: found }));

describe('a list that', () => {
  test('begins after the period is too short for it: the digest is incomplete, and not empty', () => {
    const { digest, empty, figures } = composed(of('x', '2026-11-16T00:00:00Z'), of('y', '2026-11-17T08:00:00Z'));
    expect(digest).toMatchObject({
      deliveries: [],
      missing: [{ what: 'deliveries', reason: 'list-too-short' }],
      totals: { ...withheld, unavailable: { reason: 'incomplete' } },
    });
    expect([empty, figures.complete, digest.listedSince]).toEqual([false, false, undefined]);
  });

  test('holds one delivery from before is long enough', () => {
    const { digest, empty } = composed(of('x', '2026-11-17T08:00:00Z'), of('y', '2026-10-01T08:00:00Z'));
    expect([digest.missing, digest.listedSince, empty]).toEqual([[], undefined, true]);
  });

  test('has nothing on it says nothing of the period', () => {
    expect(composed().empty).toBe(true);
  });

  test('has a delivery without a known date is not called too short', () => {
    const { digest } = composed(of('x', '2026-11-17T08:00:00Z'), of('y', null, { undated: 1 }));
    expect(digest.missing.map(({ reason }) => reason)).not.toContain('list-too-short');
    expect(digest).not.toHaveProperty('listedSince');
  });

  test('is cut off says that, and not that it is too short', () => {
    const list = { otherStatuses: {}, unavailable: { reason: 'cut-off' as const } };
    const { digest } = compose(collected({ list, recipients: [of('x', '2026-11-17T08:00:00Z')] }));
    expect(digest.missing).toEqual([{ what: 'deliveries', reason: 'cut-off' }]);
  });

  test.each([
    { first: '2026-11-08T23:59:59Z', since: undefined },
    { first: '2026-11-09T00:00:00Z', since: undefined },
    { first: '2026-11-12T08:00:00Z', since: '2026-11-12T08:00:00+00:00' },
  ])('begins at $first says since when it reaches: $since', ({ first, since }) => {
    expect(composed(of('x', first), of('y', '2026-11-13T08:00:00Z')).digest.listedSince).toBe(since);
  });
});

describe('what is gone for good', () => {
  const gone = recipients('x', { unavailable: { reason: 'gone', status: 410 } });
  const goneDelivery = {
    what: 'delivery',
    delivery: 'x',
    broadcast: 'b-x',
    name: 'Broadcast x',
    reason: 'gone',
    status: 410,
  };

  test.each([
    { reason: 'gone', status: 410 },
    { reason: 'not-found', status: 404 },
  ] as const)('($reason) is named in the first digest that meets it, and recorded', ({ reason, status }) => {
    const found = recipients('x', { unavailable: { reason, status } });
    const { digest, shown } = compose(collected({ recipients: [found] }));
    expect(digest.missing).toEqual([{ ...goneDelivery, reason, status }]);
    expect(digest.totals.seen).toBeNull();
    expect(Object.fromEntries(shown)).toEqual({ [historyKey('delivery', 'x')]: { goneIn: '2026-11-09' } });
  });

  test('is from then on only in the coverage, and withholds nothing', () => {
    const shown = { [historyKey('delivery', 'x')]: { goneIn: '2026-11-02' } };
    const { digest, unavailable, figures, empty } = compose(collected({ recipients: [gone], shown }));
    expect([digest.missing, digest.deliveries, unavailable, empty]).toEqual([[], [], [goneDelivery], true]);
    expect([digest.totals.seen, figures.complete]).toEqual([0, true]);
  });

  test('is named by the same digest when it is composed again', () => {
    const shown = { [historyKey('delivery', 'x')]: { goneIn: '2026-11-09' } };
    expect(compose(collected({ recipients: [gone], shown })).digest.missing).toEqual([goneDelivery]);
  });

  test.each(['failed', 'forbidden', 'unreadable', 'cut-off'] as const)(
    'is not what is %s: that is named every time',
    (reason) => {
      const found = recipients('x', { unavailable: { reason } });
      const { shown } = compose(collected({ recipients: [found] }));
      expect(Object.fromEntries(shown)).toEqual({});
      const before = { [historyKey('delivery', 'x')]: { goneIn: '2026-11-02' } };
      expect(compose(collected({ recipients: [found], shown: before })).digest.missing).toHaveLength(1);
    },
  );

  test('can be a broadcast or a content item, too', () => {
    const found = {
      recipients: [
        lively,
        { ...lively, delivery: { ...lively.delivery, id: 'b', broadcast: { id: 'b-b', name: null } } },
      ],
      broadcasts: [ofA, { id: 'b-b', unavailable: { reason: 'not-found' as const, status: 404 } }],
      contents: [
        contentOfA('2'),
        { delivery: 'a', content: '1', unavailable: { reason: 'gone' as const, status: 410 } },
      ],
    };
    const first = compose(collected(found));
    expect(first.digest.missing.map(({ what }) => what)).toEqual(['broadcast', 'content']);
    const recorded = Object.fromEntries(
      [...first.shown].map(([key, shown]) => [key, { ...shown, goneIn: '2026-11-02' }]),
    );
    const later = compose(collected({ ...found, shown: recorded }));
    expect([later.digest.missing, later.unavailable.length]).toEqual([[], 2]);
    expect(later.digest.deliveries).toHaveLength(2);
  });
});
