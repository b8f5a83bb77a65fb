import { describe, expect, test } from 'vitest';
import {
  putDeliveryList,
  putFound,
  type Engagement,
  type Found,
  type ListedDelivery,
} from '../../../../functions/ledger/runs/collections.ts';
import { openReader, type Collected } from '../../../../functions/run/collection/collected.ts';
import { selections } from '../../../../functions/run/collection/collect.ts';
import { includeFor } from '../../../../functions/run/inclusion.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
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
} from '../compose/collected-samples.ts';
import { configured, reportOf } from '../configured.ts';

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
  settings: { report?: object; service?: object } = {},
): Promise<Collected> {
  const key = newKey();
  const { deliveries = [] } = found;
  await putDeliveryList(ledger.table, key, { rows: deliveries.length, deliveries: [...deliveries] });
  for (const phase of ['recipients', 'broadcasts', 'contents'] as const) {
    await putFound(ledger.table, key, { phase, batch: 0, from: 0 }, found[phase] ?? []);
  }
  const { service } = configured({ service: settings.service ?? {} });
  const read = openReader(ledger.table, key, { report: reportOf(settings.report), service, period: week });
  return (await read()).collected;
}

/** A list of so many people, some of whom did neither. */
type List = readonly [listed: number, untouched: number];
const listOf = ([listed, untouched]: List): Engagement => engagement({ seen: listed - untouched, untouched });

/** Who the lists of some deliveries are taken to hold, each with those of its content items by their type. */
async function audienceOf(deliveries: ReadonlyArray<{ own: List | null } & Record<string, List | null>>, service = {}) {
  const entries = deliveries.map(({ own, ...items }, n) => ({ id: String(n), own, items: Object.entries(items) }));
  const found = {
    recipients: entries.map(({ id, own }) =>
      recipients(id, own === null ? { unavailable: { reason: 'failed' } } : { engagement: listOf(own) }),
    ),
    broadcasts: entries.map(({ id, items }) => {
      const contents = items.map(([type]) => ({ id: type, type }));
      return broadcast(id, null, contents);
    }),
    contents: entries.flatMap(({ id, items }) =>
      items.flatMap(([type, list]) =>
        list === null ? [] : [{ delivery: id, content: type, engagement: listOf(list) }],
      ),
    ),
  };
  const { audience } = await read(found, { service });
  return [audience.deliveries, [...audience.contents].toSorted()];
}

const longList = { own: [100, 0], poll: [100, 9] } as const;

describe('who is on the lists is decided once a run', () => {
  test.each<[what: string, lists: Parameters<typeof audienceOf>[0], audience: string[]]>([
    ['no list says anything', [], []],
    ['the lists hold those who engaged', [{ own: [100, 0], poll: [80, 0], text: [100, 0] }], []],
    ['the deliveries’ own lists are the audience', [{ own: [100, 5], poll: [100, 30] }], ['own']],
    ['less than a twentieth of the own lists did neither', [{ own: [100, 4] }], []],
    ['a twentieth over all of the own lists did neither', [{ own: [50, 5] }, { own: [50, 0] }], ['own']],
    ['the items’ lists are the audience', [{ own: [100, 0], poll: [103, 6] }], ['poll']],
    ['the items’ lists are hardly longer than the own', [{ own: [100, 0], poll: [102, 6] }], []],
    ['they are longer, and few did neither', [{ own: [100, 0], poll: [110, 5] }], []],
    ['they have a row for each answer', [{ own: [100, 0], poll: [150, 0] }], []],
    ['they hold all who engaged with the delivery', [{ own: [100, 0], poll: [100, 40], text: [100, 20] }], []],
    ['one has a person more, who engaged meanwhile', [{ own: [10, 0], poll: [11, 1] }, longList], []],
    ['those of one type are, and not of another', [{ own: [100, 0], poll: [130, 40], text: [90, 0] }], ['poll']],
    ['most are no audience', [{ own: [100, 0], poll: [130, 40], text: [60, 0] }], []],
    [
      'a delivery’s own list, or an item’s, could not be read',
      [
        { own: null, poll: [500, 0] },
        { own: [50, 0], poll: null },
        { own: [50, 0], poll: [900, 850] },
      ],
      ['poll'],
    ],
  ])('where %s', async (_what, lists, audience) => {
    const isOwn = audience.includes('own');
    expect(await audienceOf(lists)).toEqual([isOwn, isOwn ? [] : audience]);
  });

  test.each([
    { deliveryRecipients: 'audience', contentRecipients: 'engaged', audience: [true, []] },
    { deliveryRecipients: 'engaged', contentRecipients: 'audience', audience: [false, ['poll', 'text']] },
  ])('or by hand: $deliveryRecipients, $contentRecipients', async ({ audience, ...service }) => {
    expect(await audienceOf([{ own: [100, 50], poll: [130, 40], text: [90, 0] }], service)).toEqual(audience);
  });
});

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
    { report: { broadcastName: 'caf\u00e9' } },
  );
  expect([wanted.map(({ id }) => id), others]).toEqual([['a', 'c'], []]);
  expect([...nameless]).toEqual(['c']);
});

test('each thing that a digest needs is asked for once', () => {
  const twin = { ...listedDelivery('twin'), broadcast: { id: 'b-new', name: 'Broadcast new' } };
  const without = { ...listedDelivery('without'), broadcast: { id: '', name: null } };
  const listed = [...['known', 'older', 'new', 'unread'].map((id) => listedDelivery(id)), twin, without];
  const createdAt = at('2026-11-03T08:00:00Z');
  const ofNew = at('2026-11-09T08:00:00Z');
  const before = history({ known: { createdAt }, older: { createdAt: null } });
  const earlier = [figuresOf(compose(collected()))];

  /** What a phase asks for. */
  const workOf = (name: string, found: Collected, report = reportOf()): unknown => {
    const reading = includeFor(found, week, { earlier, hasLater: false, settleHours: 48 });
    return selections.find((each) => each.name === name)?.select(reading, report);
  };
  const found = { ...collected({ history: before }), wanted: listed };
  expect(workOf('new broadcasts', found)).toEqual(['b-new', 'b-unread']);
  const named = { ...found, others: [{ ...without, broadcast: { id: 'b-other', name: null } }] };
  const filtered = reportOf({ broadcastName: 'Five' });
  expect(workOf('new broadcasts', named, filtered)).toEqual(['b-new', 'b-unread', 'b-other']);

  const broadcasts = [broadcast('new', '2026-11-09T08:00:00Z', [{ id: '1', type: 'poll' }])];
  const asked = { ...collected({ history: before, broadcasts }), wanted: listed };
  const creations = [createdAt, null, ofNew, null, ofNew, null];
  expect(workOf('recipients', asked)).toEqual(listed.map((delivery, n) => ({ delivery, createdAt: creations[n] })));

  const older = engagement({ seen: 1, firstSign: at('2026-10-01T08:00:00Z') });
  const answers = listed.map((delivery): Found<'recipients'> => {
    if (delivery.id === 'unread') return { delivery, unavailable: { reason: 'failed' } };
    return { delivery, engagement: delivery.id === 'older' ? older : seenInPeriod(1) };
  });
  const read = collected({ history: before, broadcasts, recipients: answers });
  expect(workOf('broadcasts', read)).toEqual(['b-known', 'b-unread']);
  const content = { id: '1', type: 'poll' };
  expect(workOf('content items', read)).toEqual([
    { delivery: 'new', content, createdAt: ofNew },
    { delivery: 'twin', content, createdAt: ofNew },
  ]);
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
  const { service } = configured();
  const read = openReader(counting, key, { report: reportOf(), service, period: week });
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
