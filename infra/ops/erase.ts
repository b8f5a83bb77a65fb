import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { addressKey, readSuppression } from '../../functions/ledger/addresses.ts';
import { putDocument } from '../../functions/ledger/documents.ts';
import { keepForgotten, readForgotten, type ForgottenFacts } from '../../functions/ledger/forgotten.ts';
import { readRun, reduceIntended } from '../../functions/ledger/runs.ts';
import type { StoredItem, Table } from '../../functions/ledger/table.ts';
import { NoAddressesError, readTriggerSubscribers } from '../../functions/ledger/triggers.ts';
import { readUnsubscriptions } from '../../functions/ledger/unsubscriptions.ts';
import { partsOfRunName } from '../../functions/run/named-run.ts';
import type { LedgerDesk } from './desk.ts';

/** Stands where an address stood. No mail can be sent to it. */
const erased = 'forgotten';

const keySchema = v.object({ pk: v.string(), sk: v.string() });
const rowSchema = v.object({ id: v.string(), to: v.string(), state: v.string(), expiresAt: v.number() });
const expirySchema = v.object({ expiresAt: v.exactOptional(v.number(), 0) });

/**
 * Removes all that the ledger holds of an address: rows of runs become nobody's, so that receipts still balance, and what
 * was still to be sent is not; everything else goes. Of one that was suppressed or has unsubscribed a keyed hash is kept.
 * Done again after a failure, it goes on.
 */
export async function erase(
  { table, scan }: LedgerDesk,
  address: string,
  onProgress: (items: number) => void,
): Promise<{ items: number; keptHash: boolean }> {
  const facts = await factsOf(table, address);
  const keptHash = facts.suppressed !== undefined || facts.unsubscribed.length > 0;
  if (keptHash) await keepForgotten(table, address, facts);
  const erasing = { table, address: address.toLowerCase(), key: addressKey(address) };
  let seen = 0;
  let items = 0;
  for await (const item of scan()) {
    seen += 1;
    if (seen % 1_000 === 0) onProgress(seen);
    if (await eraseFrom(item, erasing)) items += 1;
  }
  return { items, keptHash };
}

interface Erasing {
  table: Table;
  /** In lower case. */
  address: string;
  key: string;
}

/** Why the address gets no mail, also where it was forgotten once before. */
async function factsOf(table: Table, address: string): Promise<ForgottenFacts> {
  const before = (await readForgotten(table, [address])).get(address.toLowerCase());
  const suppressed = (await readSuppression(table, address))?.reason ?? before?.suppressed;
  const left = await readUnsubscriptions(table, addressKey(address));
  return {
    ...(suppressed === undefined ? {} : { suppressed }),
    unsubscribed: [...new Set([...left, ...(before?.unsubscribed ?? [])])],
  };
}

/** Removes the address from one item; whether there was anything of it. */
async function eraseFrom(item: StoredItem, { table, address, key }: Erasing): Promise<boolean> {
  const { pk, sk } = v.parse(keySchema, item);
  if (pk === `ADDRESS#${key}` || (pk.startsWith('SUBSCRIBERS#') && sk === key)) return await table.remove({ pk, sk });
  if (pk.startsWith('TRIGGER#')) return await eraseFromTrigger(item, { table, address, key });
  if (pk.startsWith('RUN#') && typeof item['to'] === 'string' && item['to'].toLowerCase() === address) {
    return await eraseRow(item, table);
  }
  const texts = Object.entries(item).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const holding = texts.filter(([, text]) => text.toLowerCase().includes(address));
  if (holding.length === 0) return false;
  await table.update({ pk, sk }, { set: Object.fromEntries(holding.map(([name]) => [name, erased])) });
  return true;
}

/** The row's own id is a hash of the address: it gets another. One that was still to be sent is not. */
async function eraseRow(item: StoredItem, table: Table): Promise<boolean> {
  const { pk, sk } = v.parse(keySchema, item);
  const { state, expiresAt } = v.parse(rowSchema, item);
  if (state === 'planned') {
    const { report, startDate } = partsOfRunName(pk.slice('RUN#'.length));
    const run = await readRun(table, report, startDate);
    const removed = await table.remove({ pk, sk });
    if (removed && run !== null) await reduceIntended(table, run, 1);
    return removed;
  }
  const id = randomBytes(16).toString('hex');
  await table.putMany([{ pk, sk: `MESSAGE#${id}`, id, to: erased, state, expiresAt }]);
  return await table.remove({ pk, sk });
}

/** A trigger's list of addresses is stored whole, and stays for as long as the trigger may be repeated. */
async function eraseFromTrigger(item: StoredItem, { table, address }: Erasing): Promise<boolean> {
  const { pk, sk } = v.parse(keySchema, item);
  const addresses = await readAddresses(table, pk.slice('TRIGGER#'.length));
  const others = addresses.filter((each) => each.toLowerCase() !== address);
  if (others.length === addresses.length) return false;
  const { expiresAt } = v.parse(expirySchema, item);
  if (sk === 'ADDRESSES') await table.update({ pk, sk }, { set: { addresses: others } });
  else await putDocument(table, { pk, sk: 'SUBSCRIBERS' }, others, expiresAt);
  return true;
}

async function readAddresses(table: Table, key: string): Promise<string[]> {
  try {
    return await readTriggerSubscribers(table, key);
  } catch (error) {
    if (error instanceof NoAddressesError) return [];
    throw error;
  }
}
