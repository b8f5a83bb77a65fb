import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Key, Table } from '../table.ts';

const suppressionSchema = v.object({
  reason: v.picklist(['bounce', 'complaint']),
  at: v.string(),
  run: v.string(),
});

/** Since when and why an address is suppressed, and by a message of which run. It stays until an operator lifts it. */
type Suppression = v.InferOutput<typeof suppressionSchema>;

/** The key of an address, compared without case: a hash, so that no key is an address. */
export function addressKey(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 40);
}

const suppressedKey = (key: string): Key => ({ pk: `ADDRESS#${key}`, sk: 'SUPPRESSED' });

/** Suppresses an address, without an end. Changes nothing where it is suppressed already. */
export async function suppressAddress(table: Table, address: string, suppression: Suppression): Promise<void> {
  await table.insert(suppressedKey(addressKey(address)), { address, ...suppression });
}

/** Why an address is suppressed; `null` where it is not. */
export async function readSuppression(table: Table, address: string): Promise<Suppression | null> {
  return v.parse(v.nullable(suppressionSchema), await table.get(suppressedKey(addressKey(address))));
}

/** Of some addresses, the keys of those that are suppressed. */
export async function readSuppressed(table: Table, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const keys = new Set(addresses.map(addressKey));
  const items = await table.getMany([...keys].map(suppressedKey));
  return new Set(
    items.map((item) => v.parse(v.object({ address: v.string() }), item)).map((item) => addressKey(item.address)),
  );
}
