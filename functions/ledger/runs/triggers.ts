import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { FailureCode } from '../../domain/failure-codes.ts';
import { openHashes, recordPersons } from '../persons/persons.ts';
import { putDocument, readDocument } from './documents.ts';
import { expiresAfterDays, expiresAfterMonths, type Table } from '../table.ts';

/** A trigger is acted on at once; the engine may repeat it for days. */
const keptDays = 30;

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
  await recordPersons(table, persons, expiresAfterMonths(keepMonths, now));
  const key = randomUUID();
  const hashes = [...new Set(persons.map(({ hash }) => hash))];
  await putDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' }, hashes, expiresAfterDays(keptDays, now));
  return key;
}

/** There is nobody under the key that a trigger passes. */
class NoAddressesError extends Error {
  override readonly name = 'no-addresses' satisfies FailureCode;
}

const hashesSchema = v.pipe(v.array(v.string()), v.minLength(1));

/** The hashes of the persons that a trigger means. Throws a `NoAddressesError` where there is nobody under its key. */
export async function readTriggerSubscribers(table: Table, key: string): Promise<string[]> {
  const left = await readDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' });
  const parsed = v.safeParse(hashesSchema, left);
  if (!parsed.success)
    throw new NoAddressesError('The ledger has no list of addresses under the key "subscribers" of the trigger.');
  return parsed.output;
}
