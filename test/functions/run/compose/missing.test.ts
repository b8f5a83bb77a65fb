import { describe, expect, test } from 'vitest';
import {
  broadcast,
  collected,
  compose,
  engagement,
  history,
  listedDelivery,
  recipients,
  seenInPeriod,
} from './collected-samples.ts';

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
const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
const unreadDelivery = {
  what: 'delivery',
  delivery: 'x',
  broadcast: 'b-x',
  name: 'Broadcast x',
  reason: 'failed',
  status: 500,
};
const withheld = {
  deliveries: null,
  broadcasts: null,
  seen: null,
  responded: null,
  asked: null,
  responseRate: null,
  unavailable: { reason: 'incomplete' },
};

test('where everything was had nothing is missing', () => {
  const { digest, unavailable, complete } = compose(
    collected({ recipients: [lively], broadcasts: [ofA], contents: [contentOfA('1'), contentOfA('2')] }),
  );
  expect([digest.missing, unavailable, complete]).toEqual([[], [], true]);
  expect(digest.totals).not.toHaveProperty('unavailable');
});

test.each(['cut-off', 'unreadable'] as const)(
  'a list that is %s is named, and the totals are withheld, and no delivery',
  (reason) => {
    const { digest, complete } = compose(collected({ unavailable: { reason }, recipients: [lively] }));
    expect(digest.missing).toEqual([{ what: 'deliveries', reason }]);
    expect(digest.totals).toMatchObject(withheld);
    expect([digest.deliveries.length, complete]).toEqual([1, false]);
  },
);

test('a list that is empty after one that was not is unavailable, and believed from the next run on', () => {
  const first = compose(collected({ history: history({ a: {} }) }));
  expect(first.digest.missing).toEqual([{ what: 'deliveries', reason: 'list-empty' }]);
  expect([first.digest.totals.seen, first.complete, first.empty]).toEqual([null, false, false]);
  const second = compose(collected({ history: first.history }));
  expect([second.digest.missing, second.digest.totals.seen, second.empty]).toEqual([[], 0, true]);
  const ofOthers = collected({ others: [listedDelivery('o', 'sent')], history: history({ a: {} }) });
  expect(compose(ofOthers).digest.missing).toEqual([]);
});

test('a delivery that cannot be read is named and marked, its figures are null, and the totals are withheld', () => {
  const { digest } = compose(
    collected({
      recipients: [unread],
      broadcasts: [broadcast('x', '2026-11-10T08:00:00Z', [{ id: '1', type: 'text' }])],
    }),
  );
  const nothing = {
    listed: null,
    seen: null,
    responded: null,
    answered: null,
    responseRate: null,
    reach: null,
    inPeriod: null,
    medianResponseSeconds: null,
    undated: 0,
  };
  expect(digest.missing).toEqual([unreadDelivery]);
  expect(digest.totals).toMatchObject(withheld);
  expect(digest.deliveries).toEqual([
    {
      id: 'x',
      broadcast: { id: 'b-x', name: 'Broadcast x', createdAt: '2026-11-10T08:00:00+00:00', createdBy: 'Priya Shah' },
      status: 'delivered',
      kind: null,
      firstSign: null,
      stillCounting: false,
      judged: false,
      ...nothing,
      contents: [{ id: '1', type: 'text', ...nothing, unavailable: { reason: 'incomplete' } }],
      unavailable: { reason: 'failed', status: 500 },
    },
  ]);
});

test('an unread delivery that is known to be older is left out, but named: it may have been read again', () => {
  const before = history({ x: { counted: { engaged: 3, undated: 0, seen: 3, responded: 0 } } });
  const { digest } = compose(collected({ recipients: [unread], history: before }));
  expect([digest.deliveries, digest.missing, digest.totals.seen]).toEqual([[], [unreadDelivery], null]);
});

test('a broadcast that cannot be had leaves its deliveries without content items, is named once, and the totals are whole', () => {
  const broadcasts = [{ id: 'b-a', unavailable: { reason: 'forbidden' as const, status: 403 } }];
  const twin = { ...lively, delivery: { ...lively.delivery, id: 'b' } };
  const { digest } = compose(collected({ recipients: [lively, twin], broadcasts }));
  expect(digest.missing).toEqual([
    { what: 'broadcast', broadcast: 'b-a', name: 'Broadcast a', reason: 'forbidden', status: 403 },
  ]);
  expect(digest.deliveries[1]).toMatchObject({
    broadcast: { id: 'b-a', name: 'Broadcast a', createdAt: null, createdBy: null },
    kind: 'new',
    seen: 5,
    contents: null,
    unavailable: { reason: 'forbidden', status: 403 },
  });
  // Nobody knows whether it asks.
  expect(digest.totals).toMatchObject({ deliveries: 2, broadcasts: 1, seen: 10, asked: null, responseRate: null });
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

describe('what is gone for good', () => {
  test.each([
    { reason: 'gone', status: 410 },
    { reason: 'not-found', status: 404 },
  ] as const)(
    '($reason) is named in the first digest that meets it, and from then on only in the coverage',
    ({ reason, status }) => {
      const found = { recipients: [recipients('x', { unavailable: { reason, status } })] };
      const first = compose(collected(found));
      expect(first.digest.missing).toEqual([{ ...unreadDelivery, reason, status }]);
      expect([first.digest.deliveries.length, first.complete]).toEqual([1, false]);
      const later = compose(collected({ ...found, history: first.history }));
      expect([later.digest.missing, later.digest.deliveries, later.digest.totals.seen]).toEqual([[], [], 0]);
      expect([later.unavailable, later.complete, later.empty]).toEqual([first.digest.missing, true, true]);
      // It is not forgotten while it cannot be had for another reason, or is not asked for.
      const again = compose(collected({ ...found, history: compose(collected({ history: later.history })).history }));
      expect(again.digest.missing).toEqual([]);
    },
  );

  test.each(['failed', 'forbidden', 'unreadable', 'cut-off'] as const)(
    'is not what is %s: that is named every time',
    (reason) => {
      const found = { recipients: [recipients('x', { unavailable: { reason } })] };
      const first = compose(collected(found));
      expect(first.history.gone).toEqual(new Set());
      expect(compose(collected({ ...found, history: first.history })).digest.missing).toHaveLength(1);
    },
  );

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
