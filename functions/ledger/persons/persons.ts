import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { CodedError } from '../../domain/failures.ts';
import { readForgotten } from './opt-outs.ts';
import { readReportsWithPersons } from '../reports.ts';
import { putDocument, readDocument } from '../documents.ts';
import { expiresAfterDays, kept, recordExpires } from '../retention.ts';
import { forEachAtOnce, type Key, type Table } from '../table.ts';

/** Somebody with an address. The item of a person has the address; everything else in the ledger knows the hash alone. */
export interface Person {
  hash: string;
  address: string;
}

export const personKey = (hash: string): Key => ({ pk: `PERSON#${hash}`, sk: 'PERSON' });
export const personSchema = v.object({ address: v.string() });

/** What persons are hashed under. It has no other use and never changes. */
const hashKey: Key = { pk: 'HASH_KEY', sk: 'HASH_KEY' };
const hashKeySchema = v.object({ key: v.string() });

/**
 * Hashes an address, compared without case, under the ledger's own key: 128 bits, hexadecimal. Who has not the ledger cannot
 * find out whether an address is in it.
 */
export type HashOf = (address: string) => string;

/**
 * The ledger's hash. Makes its key where there is none yet. Throws a `CodedError` where there is none any more, and a report has had
 * subscribers: under another one everybody would be a stranger.
 */
export async function openHashes(table: Table): Promise<HashOf> {
  let item = await table.get(hashKey);
  if (item === null) {
    const [report] = await readReportsWithPersons(table);
    // Another process may have made it, and planned a run, in between.
    if (report === undefined) await table.insert(hashKey, { key: randomBytes(32).toString('base64') });
    item = await table.get(hashKey);
    const missing = `The ledger's item "HASH_KEY" is gone, under which it knows the subscribers of "${report}": nobody is mailed until it is restored from a backup.`;
    if (item === null) throw new CodedError('hash-key-missing', missing);
  }
  const key = Buffer.from(v.parse(hashKeySchema, item).key, 'base64');
  return (address) => createHmac('sha256', key).update(address.toLowerCase()).digest('hex').slice(0, 32);
}

/**
 * Writes persons down, but for those who were forgotten. Without `expiresAt`, in epoch seconds, they stay; with it they stay at
 * least so long, and those that were to stay longer are left as they are.
 */
export async function recordPersons(table: Table, named: readonly Person[], expiresAt?: number): Promise<void> {
  const forgotten = await readForgotten(table, named);
  const persons = named.filter(({ hash }) => !forgotten.has(hash));
  if (expiresAt === undefined)
    return await table.putMany(persons.map(({ hash, address }) => ({ ...personKey(hash), address })));
  const condition = 'attribute_not_exists(#address) OR #expiresAt < :expiresAt';
  const values = { ':expiresAt': expiresAt };
  await forEachAtOnce(persons, ({ hash, address }) =>
    table.update(personKey(hash), { set: { address, expiresAt }, condition, values }),
  );
}

/** Lets a person, who stayed, expire at `expiresAt`, in epoch seconds. */
export async function letExpire(table: Table, hash: string, expiresAt: number): Promise<void> {
  await table.update(personKey(hash), {
    set: { expiresAt },
    where: { expiresAt: null },
    condition: 'attribute_exists(#address)',
  });
}

/** The addresses of persons, by hash; who is not there was forgotten, or has expired. */
export async function readAddresses(table: Table, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const items = await table.getMany([...new Set(hashes)].map(personKey));
  return new Map(
    items.map((item) => [String(item['pk']).slice('PERSON#'.length), v.parse(personSchema, item).address]),
  );
}

/** Removes a person, and with that the only place where the address stands. Returns whether it stood there. */
export function removePerson(table: Table, hash: string): Promise<boolean> {
  return table.remove(personKey(hash));
}

/**
 * Writes down the persons that a trigger means, and leaves their hashes, so that the trigger itself names nobody. Returns the
 * key that it passes.
 */
export async function putTriggerSubscribers(
  table: Table,
  addresses: readonly string[],
  { keepMonths, now }: { keepMonths: number; now: Date },
): Promise<string> {
  const hashOf = await openHashes(table);
  const persons = addresses.map((address) => ({ hash: hashOf(address), address }));
  await recordPersons(table, persons, recordExpires({ keepMonths }, now));
  const key = randomUUID();
  const hashes = [...new Set(persons.map(({ hash }) => hash))];
  await putDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' }, hashes, expiresAfterDays(kept.workDays, now));
  return key;
}

const hashesSchema = v.pipe(v.array(v.string()), v.minLength(1));

/** The hashes of the persons that a trigger means. Throws a `CodedError` where there is nobody under its key. */
export async function readTriggerSubscribers(table: Table, key: string): Promise<string[]> {
  const left = await readDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' });
  const parsed = v.safeParse(hashesSchema, left);
  if (parsed.success) return parsed.output;
  const message = 'The ledger has no list of addresses under the key "subscribers" of the trigger.';
  throw new CodedError('no-addresses', message);
}
