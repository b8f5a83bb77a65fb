import { expect, test } from 'vitest';
import { putDeliveryList, type Found } from '../../../functions/ledger/runs/collections.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';
import { collect, selections } from '../../../functions/run/collection.ts';
import { createSesClient } from '../../../functions/run/send/ses.ts';
import type { Collected } from '../../../functions/run/collected.ts';
import { includeFor } from '../../../functions/run/reading.ts';
import {
  at,
  broadcast,
  collected,
  collectedAt,
  compose,
  engagement,
  figuresOf,
  history,
  listedDelivery,
  seenInPeriod,
  week,
} from './compose/collected-samples.ts';
import { replayExecution } from '../../support/replayed-execution.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { configured, reportOf } from './configured.ts';
import { dependenciesOf } from './kept-run.ts';

test('each thing that a digest needs is asked for once', () => {
  const twin = { ...listedDelivery('twin'), broadcast: { id: 'b-new', name: 'Broadcast new' } };
  const without = { ...listedDelivery('without'), broadcast: { id: '', name: null } };
  const listed = [...['known', 'older', 'new', 'unread'].map((id) => listedDelivery(id)), twin, without];
  const createdAt = at('2026-11-03T08:00:00Z');
  const ofNew = at('2026-11-09T08:00:00Z');
  const counted = { in: 0, engaged: 1, undated: 0, inPeriod: { seen: 0, responded: 0 }, seen: 1, responded: 0 };
  const before = history({ known: { createdAt }, older: { createdAt: null, counted } });
  const earlier = [figuresOf(compose(collected()))];

  /** What a phase asks for. */
  const workOf = (name: string, answers: Collected): unknown => {
    const reading = includeFor(answers, week, { earlier, hasLater: false, report: reportOf(), collectedAt });
    return selections.find((selection) => selection.name === name)?.select(reading);
  };
  const answers = { ...collected({ history: before }), wanted: listed };
  expect(workOf('new broadcasts', answers)).toEqual(['b-new', 'b-unread']);
  const others = ['other', 'decided'].map((id) => listedDelivery(id));
  const undecided = new Map(['known', 'other', 'without'].map((id) => [id, 'createdBy' as const]));
  const known = ['b-known', 'b-new', 'b-unread'];
  expect(workOf('new broadcasts', { ...answers, others, undecided })).toEqual([...known, 'b-other']);
  expect(workOf('new broadcasts', { ...answers, maybeExcepted: new Set(['known']) })).toEqual(known);

  const broadcasts = [broadcast('new', '2026-11-09T08:00:00Z', [{ id: '1', type: 'poll' }])];
  const asked = { ...collected({ history: before, broadcasts }), wanted: listed };
  const creations = [createdAt, null, ofNew, null, ofNew, null];
  expect(workOf('recipients', asked)).toEqual(
    listed.map((delivery, n) => ({ delivery, createdAt: creations[n], firstSign: null })),
  );

  const older = engagement({ seen: 1, firstSign: at('2026-10-01T08:00:00Z') });
  const lists = listed.map((delivery): Found<'recipients'> => {
    if (delivery.id === 'unread') return { delivery, unavailable: { reason: 'failed' } };
    return { delivery, engagement: delivery.id === 'older' ? older : seenInPeriod(1) };
  });
  const read = collected({ history: before, broadcasts, recipients: lists });
  expect(workOf('broadcasts', read)).toEqual(['b-known', 'b-unread']);
  const content = { id: '1', type: 'poll' };
  expect(workOf('content items', read)).toEqual([
    { delivery: 'new', content, createdAt: ofNew },
    { delivery: 'twin', content, createdAt: ofNew },
  ]);
});

const ledger = await openLedger();

/** Collects with a worker that answers so, which the run does not survive. Gives why, and the orders. */
async function collectBy(outcome: (order: CollectRequest) => unknown): Promise<{ error: unknown; orders: unknown[] }> {
  const configuration = configured({ service: { concurrency: 3 } });
  const dependencies = dependenciesOf({ configuration, table: ledger.table, ses: createSesClient() });
  const options = { ...dependencies, report: reportOf({ statuses: ['sent'] }), record: false };
  const plan = { run: 'weekly_2026-W46', report: 'weekly', period: week, intended: 0 };
  const orders: unknown[] = [];
  const invoke = (order: unknown): unknown => outcome(parseCollectRequest(orders[orders.push(order) - 1]));
  const collecting = replayExecution((context) => collect(context, plan, options), undefined, invoke);
  return { error: await collecting.catch((caught: unknown) => caught), orders };
}

test('the worker gets the settings that the run was planned with; where it dies five times at one place, the run fails', async () => {
  const { error, orders } = await collectBy(() => ({ failed: 'Task timed out after 900.00 seconds' }));
  const message = expect.stringContaining('"collect" died 5 times at the same place, "list"');
  expect(error).toMatchObject({ name: 'invocation-died', message });
  const service = expect.objectContaining({ baseUrl: 'https://reporting.example.com', concurrency: 3 });
  expect(orders).toEqual(Array(5).fill(expect.objectContaining({ phase: 'list', service, statuses: ['sent'] })));
});

test('where the list has more deliveries than a run holds, it fails before any is collected, with their number', async () => {
  const deliveries = Array.from({ length: 50_001 }, (_, index) => listedDelivery(`d${index}`, 'sent'));
  const { error, orders } = await collectBy(async (order) => {
    await putDeliveryList(ledger.table, { ...order, now: new Date() }, { rows: 50_001, deliveries });
    return { answer: { asked: 50_001, left: null } };
  });
  const message = expect.stringContaining('50001 deliveries, and a run holds 50000');
  expect([error, orders.length]).toEqual([expect.objectContaining({ name: 'account-too-large', message }), 1]);
});
