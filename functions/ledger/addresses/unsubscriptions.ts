import * as v from 'valibot';
import { addressKey } from './addresses.ts';
import type { Key, Table } from '../table.ts';

const unsubscriptionSchema = v.object({
  report: v.string(),
  left: v.boolean(),
  /** When the subscriber last unsubscribed or subscribed again, ISO 8601. */
  at: v.string(),
});

/** The item that says whether the address of this key has unsubscribed from a report. It never expires. */
function keyOf(key: string, report: string): Key {
  return { pk: `ADDRESS#${key}`, sk: `UNSUBSCRIBED#${report}` };
}

/** Unsubscribes the address of this key from a report. Changes nothing where it already is unsubscribed. */
export async function unsubscribe(table: Table, key: string, report: { name: string }, at: string): Promise<void> {
  if (await isUnsubscribed(table, key, report)) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: true, at } });
}

/** Subscribes the address of this key again. Changes nothing where it is not unsubscribed. */
export async function resubscribe(table: Table, key: string, report: { name: string }, at: string): Promise<void> {
  if (!(await isUnsubscribed(table, key, report))) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: false, at } });
}

/** Whether the address of this key has unsubscribed from a report. */
export async function isUnsubscribed(table: Table, key: string, report: { name: string }): Promise<boolean> {
  const item = await table.get(keyOf(key, report.name));
  return item !== null && v.parse(unsubscriptionSchema, item).left;
}

/** The reports that the address of this key has unsubscribed from. */
export async function readUnsubscriptions(table: Table, key: string): Promise<string[]> {
  const items = await Array.fromAsync(table.query(`ADDRESS#${key}`, { prefix: 'UNSUBSCRIBED#' }));
  const unsubscriptions = items.map((item) => v.parse(unsubscriptionSchema, item));
  return unsubscriptions.filter(({ left }) => left).map(({ report }) => report);
}

/** The keys of those addresses that have unsubscribed from a report. */
export async function readUnsubscribed(
  table: Table,
  { name }: { name: string },
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(addresses.map(addressKey))];
  const items = await table.getMany(keys.map((key) => keyOf(key, name)));
  const left = items.filter((item) => v.parse(unsubscriptionSchema, item).left);
  return new Set(left.map((item) => String(item['pk']).slice('ADDRESS#'.length)));
}
