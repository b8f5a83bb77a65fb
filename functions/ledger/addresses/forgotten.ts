import { createHmac, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Table } from '../table.ts';

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
export async function readKeyedHash(table: Table): Promise<KeyedHash | null> {
  const [item] = await table.getMany([keyOfKey]);
  if (item === undefined) return null;
  const key = Buffer.from(v.parse(keySchema, item).key, 'base64');
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

function factsKey(hash: KeyedHash, address: string): string {
  return `HASH#${hash(address.toLowerCase())}`;
}
