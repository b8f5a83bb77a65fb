import { createHmac, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Table } from '../table.ts';
import { forgottenAddress, messageKey, type MessageRow } from '../runs/messages.ts';

/**
 * Addresses that were erased on request and must still get no mail: each is a hash under a random key in the ledger. The
 * key has no other use, so that a rotated signing secret does not bring a suppressed address back.
 */
const partition = 'ADDRESS#FORGOTTEN';
const keyOfKey = { pk: partition, sk: 'KEY' };

const keySchema = v.object({ key: v.string() });
const factsSchema = v.object({
  sk: v.string(),
  suppressed: v.exactOptional(v.picklist(['bounce', 'complaint'])),
  /** The reports that it had unsubscribed from. */
  unsubscribed: v.array(v.string()),
});

/** Why a forgotten address gets no mail. */
export type ForgottenFacts = Omit<v.InferOutput<typeof factsSchema>, 'sk'>;

/** Hashes a text under the ledger's key for what was forgotten, hexadecimal. */
export type KeyedHash = (text: string) => string;

/** Records that a forgotten address gets no mail. It does not expire. */
export async function putForgotten(table: Table, address: string, facts: ForgottenFacts): Promise<void> {
  const hash = await makeKeyedHash(table);
  await table.putMany([{ pk: partition, sk: factsKey(hash, address), ...facts }]);
}

/** Why those of the addresses that were forgotten get no mail, by the address in lower case. */
export async function readForgotten(table: Table, addresses: readonly string[]): Promise<Map<string, ForgottenFacts>> {
  const hash = await readKeyedHash(table);
  // Nobody was ever forgotten.
  if (hash === null) return new Map();
  const byHash = new Map(addresses.map((address) => [factsKey(hash, address), address.toLowerCase()]));
  const items = await table.getMany([...byHash.keys()].map((sk) => ({ pk: partition, sk })));
  return new Map(
    items.map((item) => {
      const { sk, ...facts } = v.parse(factsSchema, item);
      return [byHash.get(sk) ?? '', facts];
    }),
  );
}

/** Removes what was recorded of a forgotten address. Returns whether there was anything. */
export async function liftForgotten(table: Table, address: string): Promise<boolean> {
  const hash = await readKeyedHash(table);
  return hash !== null && (await table.remove({ pk: partition, sk: factsKey(hash, address) }));
}

/** The ledger's keyed hash. Makes the key where there is none yet. */
export async function makeKeyedHash(table: Table): Promise<KeyedHash> {
  await table.insert(keyOfKey, { key: randomBytes(32).toString('base64') });
  const hash = await readKeyedHash(table);
  if (hash === null) throw new Error('The ledger has no key for forgotten addresses although it was just written.');
  return hash;
}

/** The ledger's keyed hash; `null` where nobody was ever forgotten. */
async function readKeyedHash(table: Table): Promise<KeyedHash | null> {
  const [item] = await table.getMany([keyOfKey]);
  if (item === undefined) return null;
  const key = Buffer.from(v.parse(keySchema, item).key, 'base64');
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

function factsKey(hash: KeyedHash, address: string): string {
  return `HASH#${hash(address.toLowerCase())}`;
}

/**
 * Lists rows of runs whose address was forgotten, until they have another key: their own is a hash of run and address, which
 * anybody who knows the address could compute. The new one is a hash under the ledger's key, so that the same address is
 * not planned a second time.
 */
const rowsPartition = 'FORGOTTEN_ROWS';

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
  await table.insert({ pk: rowsPartition, sk: `${run}#${id}` }, listed);
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
  for await (const item of table.query(rowsPartition, { from: ' ', to: '~' })) {
    const { sk, run, id, newId, until } = v.parse(listedSchema, item);
    const key = messageKey(run, id);
    const row = v.parse(v.nullable(rowSchema), await table.get(key));
    // A row that still has its address was listed just now, or by a command that was interrupted.
    const waits = row !== null && (row.state === 'claimed' || row.to !== forgottenAddress);
    if (waits && now < until) {
      counts.waiting += 1;
      continue;
    }
    if (row?.to === forgottenAddress) {
      const unchanged = { condition: '#state = :state', values: { ':state': row.state } };
      // Where an event has just settled it, the next call moves it.
      if (!(await table.update(key, { set: { moving: true }, ...unchanged }))) continue;
      await table.insert(messageKey(run, newId), { ...row, id: newId });
      await table.remove(key);
      counts.rekeyed += 1;
    }
    await table.remove({ pk: rowsPartition, sk });
  }
  return counts;
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
