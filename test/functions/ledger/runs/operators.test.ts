import { expect, test } from 'vitest';
import { readActions, recordAction, recordOrderOutcome } from '../../../../functions/ledger/runs/actions.ts';
import { addressKey } from '../../../../functions/ledger/addresses/addresses.ts';
import { putForgotten, liftForgotten, readForgotten } from '../../../../functions/ledger/addresses/forgotten.ts';
import {
  combineSubscribers,
  putLedgerSubscribers,
  readLedgerSubscribers,
  readSubscribers,
} from '../../../../functions/ledger/addresses/subscribers.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const expiresAt = 4_000_000_000;
const by = 'grace';
const at = '2026-11-16T08:00:00Z';
const added = (address: string) => ({ key: addressKey(address), state: 'added', address, by, at }) as const;
const removed = (address: string) => ({ key: addressKey(address), state: 'removed', by, at }) as const;

test('what operators did is read in its order, by its subject, and what became of an order with it', async () => {
  const hold = { what: 'hold', by, at: '2026-11-16T08:00:00Z', run: 'weekly_2026-W46' } as const;
  const release = { ...hold, what: 'release', at: '2026-11-16T09:00:00Z', detail: 'x' } as const;
  const key = await recordAction(ledger.table, { report: 'weekly' }, release, expiresAt);
  expect(await recordAction(ledger.table, { report: 'weekly' }, hold, expiresAt)).not.toBe(key);
  await recordAction(ledger.table, 'addresses', { what: 'forget-address', by, at }, expiresAt);
  const outcome = { state: 'refused', error: { code: 'not-held', message: 'It is not held.' } } as const;
  await recordOrderOutcome(ledger.table, { name: 'weekly' }, key, outcome);
  await recordOrderOutcome(ledger.table, { name: 'weekly' }, 'no-such-key', { state: 'done' });
  expect(await readActions(ledger.table, { name: 'weekly' })).toEqual([hold, { ...release, outcome }]);
  expect(await readActions(ledger.table, 'addresses')).toEqual([{ what: 'forget-address', by, at }]);
  expect(await readActions(ledger.table, { name: 'daily' })).toEqual([]);
});

test('subscribers are the configured and the added ones, each once, less those removed, whatever their case', async () => {
  const report = { name: 'weekly', subscribers: ['ada@example.com', 'Grace@example.com'] };
  await putLedgerSubscribers(ledger.table, 'weekly', [
    added('ADA@example.com'),
    added('new@example.com'),
    removed('GRACE@example.com'),
  ]);
  expect(await readSubscribers(ledger.table, report)).toEqual(['ada@example.com', 'new@example.com']);
  await putLedgerSubscribers(ledger.table, 'weekly', [removed('new@example.com'), added('grace@example.com')]);
  expect(combineSubscribers(report.subscribers, await readLedgerSubscribers(ledger.table, { name: 'weekly' }))).toEqual(
    [
      { address: 'ada@example.com', added: null },
      { address: 'Grace@example.com', added: null },
    ],
  );
  const stored = JSON.stringify(await ledger.items('SUBSCRIBERS#weekly'));
  expect(stored).not.toContain('new@example.com');
});

test('a forgotten address is known by a hash under a key of the ledger, and is in no item', async () => {
  expect(await readForgotten(ledger.table, ['ada@example.com'])).toEqual(new Map());
  await putForgotten(ledger.table, 'Ada@example.com', { suppressed: 'complaint', unsubscribed: ['weekly'] });
  await putForgotten(ledger.table, 'bo@example.com', { unsubscribed: ['daily'] });
  const facts = await readForgotten(ledger.table, ['ADA@example.com', 'bo@example.com', 'cy@example.com']);
  expect(facts).toEqual(
    new Map([
      ['ada@example.com', { suppressed: 'complaint', unsubscribed: ['weekly'] }],
      ['bo@example.com', { unsubscribed: ['daily'] }],
    ]),
  );
  const items = JSON.stringify(await ledger.items('ADDRESS#FORGOTTEN'));
  for (const trace of ['ada@example.com', addressKey('ada@example.com')]) expect(items).not.toContain(trace);
  expect(await liftForgotten(ledger.table, 'ada@example.com')).toBe(true);
  expect(await liftForgotten(ledger.table, 'ada@example.com')).toBe(false);
});
