import { createHmac, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Table } from './table.ts';

/**
 * Addresses that were erased on request, and must still get no mail: of each, a hash under a random key that the ledger
 * made itself. The key is of its own, so that a rotated signing secret does not bring a suppressed address back.
 */
const partition = 'ADDRESS#FORGOTTEN';
const keyOfKey = { pk: partition, sk: 'KEY' };

const keySchema = v.object({ key: v.string() });
const factsSchema = v.object({
  sk: v.string(),
  suppressed: v.exactOptional(v.picklist(['bounce', 'complaint'])),
  /** The reports that were left. */
  unsubscribed: v.array(v.string()),
});

/** Why a forgotten address gets no mail. */
export type ForgottenFacts = Omit<v.InferOutput<typeof factsSchema>, 'sk'>;

/** Keeps of a forgotten address that it is to get no mail. It does not expire. */
export async function keepForgotten(table: Table, address: string, facts: ForgottenFacts): Promise<void> {
  await table.insert(keyOfKey, { key: randomBytes(32).toString('base64') });
  const key = await readKey(table);
  if (key === null) throw new Error('The ledger has no key for forgotten addresses although it was just written.');
  await table.putMany([{ pk: partition, sk: hashOf(key, address), ...facts }]);
}

/** What is known of those of the addresses that were forgotten, by the address without case. */
export async function readForgotten(table: Table, addresses: readonly string[]): Promise<Map<string, ForgottenFacts>> {
  const key = await readKey(table);
  // Nobody was ever forgotten.
  if (key === null) return new Map();
  const byHash = new Map(addresses.map((address) => [hashOf(key, address), address.toLowerCase()]));
  const items = await table.getMany([...byHash.keys()].map((sk) => ({ pk: partition, sk })));
  return new Map(
    items.map((item) => {
      const { sk, ...facts } = v.parse(factsSchema, item);
      return [byHash.get(sk) ?? '', facts];
    }),
  );
}

/** Removes what was kept of a forgotten address; whether there was anything. */
export async function liftForgotten(table: Table, address: string): Promise<boolean> {
  const key = await readKey(table);
  return key !== null && (await table.remove({ pk: partition, sk: hashOf(key, address) }));
}

async function readKey(table: Table): Promise<string | null> {
  const [item] = await table.getMany([keyOfKey]);
  return item === undefined ? null : v.parse(keySchema, item).key;
}

function hashOf(key: string, address: string): string {
  return `HASH#${createHmac('sha256', Buffer.from(key, 'base64')).update(address.toLowerCase()).digest('hex')}`;
}
