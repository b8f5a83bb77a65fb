import { expect, test } from 'vitest';
import {
  putBatches,
  putCoverage,
  putFound,
  putDeliveryList,
  readFound,
  type Found,
} from '../../../../functions/ledger/runs/collections.ts';
import { emptyCoverage } from '../../../../functions/reporting-service/coverage.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const key = { run: 'weekly_2026-W46', collection: 'one', now: new Date() };
const delivery = (id: string) => ({ id, broadcast: { id: '71', name: null }, status: 'delivered' });
const found = (id: string): Found<'recipients'> => ({
  delivery: delivery(id),
  unavailable: { reason: 'gone', status: 410 },
});

test('what batches found comes in the order of the batches, and a repeated batch overwrites itself', async () => {
  await putFound(ledger.table, key, { phase: 'recipients', batch: 1, from: 0 }, [found('d')]);
  await putFound(ledger.table, key, { phase: 'recipients', batch: 0, from: 2 }, [found('c')]);
  await putFound(ledger.table, key, { phase: 'recipients', batch: 0, from: 0 }, [found('x')]);
  await putFound(ledger.table, key, { phase: 'recipients', batch: 0, from: 0 }, [found('a'), found('b')]);
  expect(await readFound(ledger.table, key, 'recipients')).toEqual(['a', 'b', 'c', 'd'].map(found));
  expect(await readFound(ledger.table, key, 'broadcasts')).toEqual([]);
});

test('everything in a collection expires 30 days after it is written', async () => {
  const written = { run: 'expiring', collection: 'one', now: new Date('2026-11-16T08:00:00Z') };
  await putDeliveryList(ledger.table, written, { rows: 0, deliveries: [] });
  await putBatches(ledger.table, written, { phase: 'broadcasts', work: ['71'], largest: 1 });
  await putFound(ledger.table, written, { phase: 'recipients', batch: 0, from: 0 }, [found('a')]);
  await putCoverage(ledger.table, written, 'list#0#0', emptyCoverage());
  const items = await Array.fromAsync(ledger.table.query('COLLECTION#expiring#one'));
  const expires = Date.parse('2026-12-16T08:00:00Z') / 1000;
  expect(items.map(({ expiresAt }) => expiresAt)).toEqual([expires, expires, expires, expires]);
});
