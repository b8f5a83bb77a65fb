import { expect, test } from 'vitest';
import { groupBroadcasts } from '../../../functions/domain/broadcasts.ts';
import type { DigestBroadcast, DigestContent, DigestDelivery } from '../../../functions/domain/digest.ts';

/** Nobody did anything. */
const nothing = { seen: 0, responded: 0, answered: 0 };

/** A content item that nobody has seen; `over` says what is different. */
function content(over: Partial<DigestContent> = {}): DigestContent {
  return {
    id: '1',
    type: 'poll',
    listed: 0,
    seen: 0,
    responded: 0,
    answered: 0,
    responseRate: null,
    inPeriod: nothing,
    medianResponseSeconds: null,
    undated: 0,
    reach: null,
    ...over,
  };
}

/** A new delivery of the broadcast "b" with one poll, seen by four; `over` says what is different. */
function delivery(id: string, over: Partial<DigestDelivery> = {}): DigestDelivery {
  return {
    id,
    broadcast: { id: 'b', name: 'Friday Five', createdAt: '2026-11-09T09:00:00+00:00', createdBy: 'Priya Shah' },
    status: 'delivered',
    kind: 'new',
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: false,
    judged: true,
    listed: 4,
    seen: 4,
    responded: 1,
    answered: 1,
    responseRate: 0.25,
    inPeriod: { seen: 3, responded: 1, answered: 1 },
    reach: null,
    medianResponseSeconds: null,
    undated: 0,
    contents: [content()],
    ...over,
  };
}

/** A delivery whose recipients and broadcast could not be read. */
function unread(id: string, over: Partial<DigestDelivery> = {}): DigestDelivery {
  return delivery(id, {
    kind: null,
    firstSign: null,
    listed: null,
    seen: null,
    responded: null,
    answered: null,
    responseRate: null,
    inPeriod: null,
    contents: null,
    unavailable: { reason: 'failed', status: 500 },
    ...over,
  });
}

/** The broadcasts of deliveries; of each broadcast the list has three. */
function grouped(deliveries: readonly DigestDelivery[], since: Record<string, string> = {}): DigestBroadcast[] {
  return groupBroadcasts(deliveries, {
    informingTypes: ['text', 'image'],
    listedDeliveries: () => 3,
    unseenSince: (id) => since[id] ?? null,
  });
}

/** The only entry of some deliveries. */
function only(deliveries: DigestDelivery[], since: Record<string, string> = {}): DigestBroadcast {
  const [entry, ...others] = grouped(deliveries, since);
  if (entry === undefined || others.length > 0) throw new Error(`There are ${others.length + 1} entries.`);
  return entry;
}

test('deliveries of one broadcast and kind are one entry, but not where they came without a broadcast’s id', () => {
  const silent = delivery('2', { kind: 'silent', ...nothing, inPeriod: nothing });
  const nameless = { broadcast: { id: '', name: null, createdAt: null, createdBy: null } };
  const entries = grouped([
    delivery('1'),
    silent,
    delivery('3', { firstSign: '2026-11-10T09:30:00+02:00', stillCounting: true }),
    unread('4'),
    delivery('5', nameless),
    delivery('6', nameless),
  ]);
  expect(entries.map(({ kind, deliveries, listedDeliveries }) => [kind, deliveries, listedDeliveries])).toEqual([
    ['new', ['1', '3'], 3],
    ['new', ['5'], 1],
    ['new', ['6'], 1],
    ['silent', ['2'], 3],
    [null, ['4'], 3],
  ]);
  expect(entries[0]).toMatchObject({ seen: 8, firstSign: '2026-11-10T09:30:00+02:00', stillCounting: true });
});

const listed = (audience: number, over = {}) => content({ listed: audience, reach: 0.5, ...over });

test('what nobody has seen is unseen since the earliest naming of one of its deliveries, and nothing that was seen is', () => {
  const silent = { kind: 'silent', ...nothing, inPeriod: nothing } as const;
  const since = { '2': '2026-11-02T00:00:00+00:00', '3': '2026-10-26T00:00:00+00:00' };
  const deliveries = ['1', '2', '3'].map((id) => delivery(id, silent));
  expect(only(deliveries, since).unseenSince).toBe('2026-10-26T00:00:00+00:00');
  expect(only(deliveries.slice(0, 1), since).unseenSince).toBeNull();
  expect(only([delivery('2')], since).unseenSince).toBeNull();
});

const entry = (id: string, kind: DigestDelivery['kind'], seen: number, over: Partial<DigestDelivery> = {}) =>
  delivery(id, {
    broadcast: { id, name: id, createdAt: null, createdBy: null },
    kind,
    inPeriod: { seen, responded: 0, answered: 0 },
    ...over,
  });

test('the order is that of the mail: new, silent by audience, active, unread; else by views and responses in the period', () => {
  const silent = nothing;
  const entries = grouped([
    unread('u', { broadcast: { id: 'u', name: null, createdAt: null, createdBy: null } }),
    entry('active', 'active', 90),
    entry('unknown', 'silent', 0, silent),
    entry('small', 'silent', 0, { ...silent, contents: [listed(9)] }),
    entry('large', 'silent', 0, { ...silent, contents: [listed(68)] }),
    entry('b', 'new', 3),
    entry('a', 'new', 3),
    entry('answered', 'new', 3, { inPeriod: { seen: 3, responded: 1, answered: 1 } }),
    entry('most', 'new', 4),
  ]);
  const order = ['most', 'answered', 'a', 'b', 'large', 'small', 'unknown', 'active', 'u'];
  expect(entries.map(({ id }) => id)).toEqual(order);
});
