import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { Address } from '../../domain/configuration/fields.ts';
import type { FailureCode } from '../../domain/failure-codes.ts';
import { putDocument, readDocument } from './documents.ts';
import { expiresAfterDays, type Table } from '../table.ts';

/** A trigger is acted on at once; the engine may repeat it for days. */
const keptDays = 30;

/** Leaves the addresses that a trigger means, so that the trigger itself names none. Returns the key it passes. */
export async function putTriggerSubscribers(table: Table, addresses: readonly string[], now: Date): Promise<string> {
  const key = randomUUID();
  await putDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' }, addresses, expiresAfterDays(keptDays, now));
  return key;
}

/** There are no addresses under the key that a trigger passes. */
class NoAddressesError extends Error {
  override readonly name = 'no-addresses' satisfies FailureCode;

  constructor() {
    super('The ledger has no list of addresses under the key "subscribers" of the trigger.');
  }
}

const addressesSchema = v.pipe(v.array(Address), v.minLength(1));

/** The addresses that a trigger means: those left under its key. Throws a `NoAddressesError` where there are none. */
export async function readTriggerSubscribers(table: Table, key: string): Promise<string[]> {
  const left = await readDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' });
  const parsed = v.safeParse(addressesSchema, left);
  if (!parsed.success) throw new NoAddressesError();
  return parsed.output;
}
