import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Key, Table } from '../table.ts';

/** Why an address gets no mail any more. */
export type SuppressionReason = 'bounce' | 'complaint';

const suppressionSchema = v.object({
  reason: v.picklist(['bounce', 'complaint']),
  at: v.string(),
  run: v.string(),
});

/** Since when and why an address is suppressed, and by a message of which run. It stays until an operator lifts it. */
export type Suppression = v.InferOutput<typeof suppressionSchema>;

/** The key of an address, compared without case: a hash, so that no key is an address. */
export function addressKey(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 40);
}

const partition = (address: string): string => `ADDRESS#${addressKey(address)}`;
const suppressedKey = (address: string): Key => ({ pk: partition(address), sk: 'SUPPRESSED' });

/** Suppresses an address, without an end. Returns whether it did: not where it was suppressed already. */
export function suppressAddress(table: Table, address: string, suppression: Suppression): Promise<boolean> {
  return table.insert(suppressedKey(address), { address, ...suppression });
}

/** Why an address is suppressed; `null` where it is not. */
export async function readSuppression(table: Table, address: string): Promise<Suppression | null> {
  const item = await table.get(suppressedKey(address));
  return item === null ? null : v.parse(suppressionSchema, item);
}

/** Of some addresses, the keys of those that are suppressed. */
export async function readSuppressed(table: Table, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const keys = new Set(addresses.map(addressKey));
  const items = await table.getMany([...keys].map((key) => ({ pk: `ADDRESS#${key}`, sk: 'SUPPRESSED' })));
  return new Set(
    items.map((item) => v.parse(v.object({ address: v.string() }), item)).map((item) => addressKey(item.address)),
  );
}

/** Counts a soft bounce of a message. An item a message: told of it twice, it counts once. */
export async function countSoftBounce(
  table: Table,
  address: string,
  bounce: { run: string; message: string; at: string },
  expiresAt: number,
): Promise<void> {
  const sk = `SOFT_BOUNCE#${bounce.run}#${bounce.message}`;
  await table.putMany([{ pk: partition(address), sk, ...bounce, expiresAt }]);
}

/** Soft bounces of an address that are still remembered. */
export async function readSoftBounces(table: Table, address: string): Promise<number> {
  let count = 0;
  for await (const _item of table.query(partition(address), { prefix: 'SOFT_BOUNCE#' })) count += 1;
  return count;
}
