import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { putDocument, readDocument } from './documents.ts';
import { expiresAfterDays } from './expiry.ts';
import type { Table } from './table.ts';

/** A trigger is acted on at once; the engine may repeat it for days. */
const keptDays = 30;

/** Leaves the addresses that a trigger means, so that the trigger itself names none. Returns the key it passes. */
export async function putTriggerSubscribers(table: Table, addresses: readonly string[]): Promise<string> {
  const key = randomUUID();
  await putDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' }, addresses, expiresAfterDays(keptDays));
  return key;
}

/** The addresses that a trigger means. Throws where there are none under its key. */
export async function readTriggerSubscribers(table: Table, key: string): Promise<string[]> {
  return v.parse(v.array(v.string()), await readDocument(table, { pk: `TRIGGER#${key}`, sk: 'SUBSCRIBERS' }));
}
