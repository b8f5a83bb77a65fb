import * as v from 'valibot';
import { addressKey } from './addresses.ts';
import type { Table } from '../table.ts';

const subscriberSchema = v.variant('state', [
  v.object({ state: v.literal('added'), address: v.string(), by: v.string(), at: v.string() }),
  // The address of a removed subscriber is not kept.
  v.object({ state: v.literal('removed'), by: v.string(), at: v.string() }),
]);

/** A subscriber that an operator added or removed. `key` is that of the address. It does not expire. */
export type LedgerSubscriber = { key: string } & v.InferOutput<typeof subscriberSchema>;

/** A subscriber of a report, and where it comes from. */
interface Subscriber {
  address: string;
  /** Who added it, and when; `null` where the configuration did. */
  added: { by: string; at: string } | null;
}

const partition = (report: string): string => `SUBSCRIBERS#${report}`;

/** The subscribers of a report that operators added or removed, by the keys of their addresses. */
export async function readLedgerSubscribers(
  table: Table,
  { name }: { name: string },
): Promise<Map<string, LedgerSubscriber>> {
  const items = await Array.fromAsync(table.query(partition(name), { from: '0', to: '~' }));
  return new Map(
    items.map((item) => {
      const key = String(item['sk']);
      return [key, { key, ...v.parse(subscriberSchema, item) }];
    }),
  );
}

/** Subscribers written at once. */
const atOnce = 250;

/** Writes who was added or removed, over earlier changes. Calls `onProgress` after each part with the number written so far. */
export async function putLedgerSubscribers(
  table: Table,
  report: string,
  subscribers: readonly LedgerSubscriber[],
  onProgress: (written: number) => void = () => undefined,
): Promise<void> {
  for (let start = 0; start < subscribers.length; start += atOnce) {
    const part = subscribers.slice(start, start + atOnce);
    await table.putMany(part.map(({ key, ...attributes }) => ({ pk: partition(report), sk: key, ...attributes })));
    onProgress(start + part.length);
  }
}

/**
 * A report's subscribers: the configured ones and those that operators added, each once, compared without case, without
 * those that operators removed.
 */
export function combineSubscribers(
  configured: readonly string[],
  inLedger: ReadonlyMap<string, LedgerSubscriber>,
): Subscriber[] {
  const subscribers = new Map<string, Subscriber>();
  for (const address of configured) {
    const key = addressKey(address);
    if (inLedger.get(key)?.state !== 'removed') subscribers.set(key, { address, added: null });
  }
  for (const [key, subscriber] of inLedger) {
    if (subscriber.state === 'removed' || subscribers.has(key)) continue;
    const { address, by, at } = subscriber;
    subscribers.set(key, { address, added: { by, at } });
  }
  return [...subscribers.values()];
}

/** The addresses that get a report's next run. */
export async function readSubscribers(
  table: Table,
  report: { name: string; subscribers: readonly string[] },
): Promise<string[]> {
  const inLedger = await readLedgerSubscribers(table, report);
  return combineSubscribers(report.subscribers, inLedger).map(({ address }) => address);
}
