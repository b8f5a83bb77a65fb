import { describe, expect, test } from 'vitest';
import {
  putDeliveryList,
  putFound,
  type Engagement,
  type Found,
  type ListedDelivery,
} from '../../../functions/ledger/runs/collections.ts';
import type { DeliveryHistory } from '../../../functions/ledger/runs/digests.ts';
import { includeDelivery, includeFor, openReader, type Collected } from '../../../functions/run/reading.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import {
  at,
  collected,
  engagement,
  listedDelivery,
  recipients,
  seenInPeriod,
  week,
} from './compose/collected-samples.ts';
import { reportOf } from './configured.ts';

/** The week of 9 November 2026 in London; what is younger than 48 hours at its end is still counting. */
const first = includeFor(collected(), week, { earlier: [], hasLater: false, settleHours: 48 });
const bounds = { ...first.bounds, firstRun: false };

interface Case {
  engagement?: Engagement;
  createdAt?: string;
  history?: Omit<DeliveryHistory, 'listedIn'>;
  firstRun?: boolean;
}

/** The kind of a delivery, with `*` where it is judged and `~` where it is still counting; `unread` where it is of none. */
function included({ engagement: found, createdAt, history, firstRun = false }: Case): string {
  const inclusion = includeDelivery(
    found === undefined ? {} : { engagement: found },
    createdAt === undefined ? null : at(createdAt),
    history === undefined ? undefined : { listedIn: at('2026-11-02T00:00:00Z'), ...history },
    { ...bounds, firstRun },
  );
  if (inclusion === null) return 'left out';
  return `${inclusion.kind ?? 'unread'}${inclusion.judged ? '*' : ''}${inclusion.stillCounting ? '~' : ''}`;
}

const seenFirst = (instant: string, inPeriod = 0): Engagement =>
  engagement({ seen: 1, firstSign: at(instant), inPeriod: { seen: inPeriod, responded: 0, answered: 0 } });

describe('a delivery that somebody engaged with', () => {
  const pending = { pending: true } as const;
  test.each<{ first: string; inPeriod: number; history?: Case['history']; said: string }>([
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 0, said: 'left out' },
    { first: '2026-11-08T23:59:59.999Z', inPeriod: 3, said: 'active' },
    { first: '2026-11-09T00:00:00Z', inPeriod: 1, said: 'new*' },
    { first: '2026-11-14T00:00:00Z', inPeriod: 1, said: 'new*' },
    { first: '2026-11-14T00:00:00.001Z', inPeriod: 1, said: 'new~' },
    { first: '2026-11-15T23:59:59.999Z', inPeriod: 1, said: 'new~' },
    { first: '2026-11-16T00:00:00Z', inPeriod: 0, said: 'left out' },
    { first: '2026-11-10T08:00:00Z', inPeriod: 1, history: { shown: true }, said: 'new*' },
    { first: '2026-11-10T08:00:00Z', inPeriod: 1, history: { new: true, shown: true }, said: 'active' },
    { first: '2026-11-08T08:00:00Z', inPeriod: 0, history: pending, said: 'active*' },
    { first: '2026-11-14T08:00:00Z', inPeriod: 1, history: { ...pending, new: true }, said: 'active~' },
    { first: '2026-11-16T08:00:00Z', inPeriod: 0, history: pending, said: 'left out' },
  ])(
    'first at $first, and $inPeriod times in the period, is $said (before: $history)',
    ({ first, inPeriod, history, said }) => {
      expect(included({ engagement: seenFirst(first, inPeriod), ...(history === undefined ? {} : { history }) })).toBe(
        said,
      );
    },
  );

  test('at unknown instants is included once, of no kind, unless its broadcast is later', () => {
    const found = engagement({ seen: 2, undated: 2 });
    expect(included({ engagement: found })).toBe('unread');
    expect(included({ engagement: found, history: { shown: true } })).toBe('left out');
    expect(included({ engagement: found, createdAt: '2026-11-16T00:00:00Z' })).toBe('left out');
  });
});

describe('a delivery that nobody engaged with', () => {
  const october = ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'].map((date) => `${date}T00:00:00+01:00`);
  test.each<{ why: string; said: string } & Omit<Case, 'engagement'>>([
    { why: 'no digest named it, however old it is', createdAt: '2025-01-01T00:00:00Z', said: 'silent' },
    { why: 'its creation is not known', said: 'silent' },
    { why: 'it was created just now', createdAt: '2026-11-15T23:59:59.999Z', said: 'silent~' },
    { why: 'it was created after the period', createdAt: '2026-11-16T00:00:00Z', said: 'left out' },
    { why: 'three digests named it', history: { namedIn: october.slice(1) }, said: 'silent' },
    { why: 'four digests named it', history: { namedIn: october }, said: 'left out' },
    { why: "the report's first digest left it out", history: { leftOut: true }, said: 'left out' },
    { why: 'a digest showed it as engaged with', history: { shown: true, engaged: true }, said: 'left out' },
    { why: 'no digest could read it', history: { pending: true }, said: 'silent' },
    ...[
      { createdAt: '2026-11-01T23:59:59.999Z', said: 'left out' },
      { createdAt: '2026-11-02T00:00:00Z', said: 'silent' },
      { createdAt: '2026-11-15T23:59:59.999Z', said: 'silent~' },
    ].map((each) => Object.assign(each, { firstRun: true, why: `it was created at ${each.createdAt} in a first run` })),
    { why: 'its creation is not known in a first run', firstRun: true, said: 'left out' },
  ])('is $said where $why', ({ said, ...rest }) => {
    expect(included({ engagement: engagement({ untouched: 9 }), ...rest })).toBe(said);
  });
});

describe('a delivery that cannot be read', () => {
  const counted = { engaged: 5, undated: 0, seen: 0, responded: 0 };
  test.each<{ why: string; said: string } & Omit<Case, 'engagement'>>([
    { why: 'nothing is known of it', said: 'unread' },
    {
      why: 'it is a first run, and its broadcast old',
      createdAt: '2025-01-01T00:00:00Z',
      firstRun: true,
      said: 'unread',
    },
    { why: 'its engagement so far came after the digest before', history: { counted }, said: 'unread' },
    { why: 'it is known to be older', history: { counted: { ...counted, responded: 1 } }, said: 'left out' },
    { why: 'it is known to be later', createdAt: '2026-11-16T00:00:00Z', said: 'left out' },
  ])('is $said where $why', ({ said, ...rest }) => {
    expect(included(rest)).toBe(said);
  });
});

const ledger = await openLedger();
let collections = 0;

function newKey() {
  collections += 1;
  return { run: 'weekly_2026-11-09', collection: String(collections), now: new Date() };
}

/** What a collection that stored this is read as. */
async function read(
  found: {
    deliveries?: readonly ListedDelivery[];
    recipients?: ReadonlyArray<Found<'recipients'>>;
    broadcasts?: ReadonlyArray<Found<'broadcasts'>>;
    contents?: ReadonlyArray<Found<'contents'>>;
  },
  report = reportOf(),
): Promise<Collected> {
  const key = newKey();
  const { deliveries = [] } = found;
  await putDeliveryList(ledger.table, key, { rows: deliveries.length, deliveries: [...deliveries] });
  for (const phase of ['recipients', 'broadcasts', 'contents'] as const) {
    await putFound(ledger.table, key, { phase, batch: 0, from: 0 }, found[phase] ?? []);
  }
  const read = openReader(ledger.table, key, { report, period: week });
  return (await read()).collected;
}

function ofName(id: string, name: string | null) {
  const contents: Array<{ id: string; type: string }> = [];
  return { id: `b-${id}`, broadcast: { name, createdAt: null, createdBy: null, contents } };
}

test('of a report that filters by name, a delivery whose name the list does not say is by its broadcast’s, or unreadable', async () => {
  const unnamed = ['a', 'b', 'c', 'd'].map((id) =>
    Object.assign(listedDelivery(id, id === 'd' ? 'sent' : 'delivered'), { broadcast: { id: `b-${id}`, name: null } }),
  );
  const { wanted, others, nameless } = await read(
    {
      deliveries: [listedDelivery('listed'), ...unnamed],
      broadcasts: [ofName('a', 'The CAFE\u0301'), ofName('b', 'Rota'), ofName('c', null), ofName('d', 'Rota')],
    },
    reportOf({ broadcastName: 'caf\u00e9' }),
  );
  expect([wanted.map(({ id }) => id), others]).toEqual([['a', 'c'], []]);
  expect([...nameless]).toEqual(['c']);
});

test('a collection is read as it grows, each document once', async () => {
  const key = newKey();
  await putDeliveryList(ledger.table, key, { rows: 2, deliveries: ['a', 'b'].map((id) => listedDelivery(id)) });
  let reads = 0;
  const counting: Table = {
    ...ledger.table,
    query: async function* (pk, range) {
      for await (const item of ledger.table.query(pk, range)) {
        if (pk.startsWith('COLLECTION#')) reads += 1;
        yield item;
      }
    },
  };
  const read = openReader(counting, key, { report: reportOf(), period: week });
  const idsRead = async (): Promise<unknown[]> => {
    const { collected: found, included } = await read();
    const ids = found.recipients.map(({ delivery }) => delivery.id);
    return [ids, included.map(({ found: { delivery } }) => delivery.id), reads];
  };
  expect(await idsRead()).toEqual([[], [], 1]);
  for (const [batch, id] of ['a', 'b'].entries()) {
    const found = [recipients(id, { engagement: seenInPeriod(1) })];
    await putFound(ledger.table, key, { phase: 'recipients', batch, from: 0 }, found);
    const ids = ['a', 'b'].slice(0, batch + 1);
    expect(await idsRead()).toEqual([ids, ids, batch + 2]);
  }
});
