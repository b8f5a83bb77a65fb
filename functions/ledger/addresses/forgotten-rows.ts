import * as v from 'valibot';
import { readKeyedHash, type KeyedHash } from './forgotten.ts';
import { forgottenAddress, messageKey, type MessageRow } from '../runs/messages.ts';
import type { Table } from '../table.ts';

/**
 * Lists rows of runs whose address was forgotten, until they have another key: their own is a hash of run and address, which
 * anybody who knows the address could compute. The new one is a hash under the ledger's key, so that the same address is
 * not planned a second time.
 */
const partition = 'FORGOTTEN_ROWS';

/** SES's events find a row by its key. After this time no more are expected. */
const settledWithinMs = 7 * 24 * 3_600_000;

const listedSchema = v.object({
  sk: v.string(),
  run: v.string(),
  id: v.string(),
  newId: v.string(),
  until: v.number(),
});
const rowSchema = v.object({ to: v.string(), state: v.string(), expiresAt: v.number() });

const newIdOf = (hash: KeyedHash, run: string, address: string): string =>
  hash(`${run}\n${address.toLowerCase()}`).slice(0, 32);

/**
 * Removes the address from a row that is not planned. Returns whether it did: not where the row has changed since it was
 * read. The row is listed first, so that a repetition goes on after an interruption.
 *
 * @param now epoch milliseconds
 */
export async function forgetRow(
  table: Table,
  { run, row, hash, now }: { run: string; row: MessageRow; hash: KeyedHash; now: number },
): Promise<boolean> {
  const { id, to, state } = row;
  const listed = { run, id, newId: newIdOf(hash, run, to), until: now + settledWithinMs };
  await table.insert({ pk: partition, sk: `${run}#${id}` }, listed);
  return await table.update(messageKey(run, id), {
    set: { to: forgottenAddress },
    condition: '#state = :state AND #to = :to',
    values: { ':state': state, ':to': to },
  });
}

/**
 * Gives another key to the forgotten rows that are settled, and to those that stayed unknown for seven days. Returns how
 * many were given one, and how many still wait for SES's events.
 *
 * @param now epoch milliseconds
 */
export async function rekeyForgottenRows(table: Table, now: number): Promise<{ rekeyed: number; waiting: number }> {
  const counts = { rekeyed: 0, waiting: 0 };
  for await (const item of table.query(partition, { from: ' ', to: '~' })) {
    const { sk, run, id, newId, until } = v.parse(listedSchema, item);
    const key = messageKey(run, id);
    const found = await table.get(key);
    const row = found === null ? null : v.parse(rowSchema, found);
    // A row that still has its address was listed just now, or by a command that was interrupted.
    const waits = row !== null && (row.state === 'claimed' || row.to !== forgottenAddress);
    if (waits && now < until) {
      counts.waiting += 1;
      continue;
    }
    if (row?.to === forgottenAddress) {
      if (!(await markMoving(table, run, id, row.state))) continue;
      await table.insert(messageKey(run, newId), { ...row, id: newId });
      await table.remove(key);
      counts.rekeyed += 1;
    }
    await table.remove({ pk: partition, sk });
  }
  return counts;
}

/** Returns whether the row could be marked: not where an event has just settled it. The next call moves it then. */
function markMoving(table: Table, run: string, id: string, state: string): Promise<boolean> {
  return table.update(messageKey(run, id), {
    set: { moving: true },
    condition: '#state = :state',
    values: { ':state': state },
  });
}

/** Those of the addresses, in lower case, that had a row in the run before they were forgotten. */
export async function readForgottenInRun(
  table: Table,
  run: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const hash = await readKeyedHash(table);
  if (hash === null) return new Set();
  const byId = new Map(addresses.map((address) => [newIdOf(hash, run, address), address.toLowerCase()]));
  const items = await table.getMany([...byId.keys()].map((id) => messageKey(run, id)));
  return new Set(items.map((item) => byId.get(v.parse(v.object({ id: v.string() }), item).id) ?? ''));
}
