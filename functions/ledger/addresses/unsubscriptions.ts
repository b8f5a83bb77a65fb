import * as v from 'valibot';
import { namesFor, namesOf, type ReportNames } from '../../domain/report-names.ts';
import { addressKey } from './addresses.ts';
import { newestOf } from '../newest.ts';
import type { Key, StoredItem, Table } from '../table.ts';

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
export async function unsubscribe(table: Table, key: string, report: ReportNames, at: string): Promise<void> {
  if (await isUnsubscribed(table, key, report)) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: true, at } });
}

/** Subscribes the address of this key again. Changes nothing where it is not unsubscribed. */
export async function resubscribe(table: Table, key: string, report: ReportNames, at: string): Promise<void> {
  if (!(await isUnsubscribed(table, key, report))) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: false, at } });
}

/** Whether the address of this key has unsubscribed from a report, under any of its names: the last change counts. */
export async function isUnsubscribed(table: Table, key: string, report: ReportNames): Promise<boolean> {
  const items = await Promise.all(namesOf(report).map((name) => table.get(keyOf(key, name))));
  return isUnsubscribedBy(items.filter((item) => item !== null));
}

/** The reports that the address of this key has unsubscribed from, by their present names where they are configured. */
export async function readUnsubscriptions(
  table: Table,
  key: string,
  reports: readonly ReportNames[],
): Promise<string[]> {
  const items: StoredItem[] = [];
  for await (const item of table.query(`ADDRESS#${key}`, { prefix: 'UNSUBSCRIBED#' })) items.push(item);
  const byReport = Map.groupBy(items, (item) => namesFor(reports, v.parse(unsubscriptionSchema, item).report).name);
  return [...byReport].filter(([, ofReport]) => isUnsubscribedBy(ofReport)).map(([report]) => report);
}

/** The keys of those addresses that have unsubscribed from a report. */
export async function readUnsubscribed(
  table: Table,
  report: ReportNames,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(addresses.map(addressKey))];
  const items = await table.getMany(namesOf(report).flatMap((name) => keys.map((key) => keyOf(key, name))));
  const byAddress = Map.groupBy(items, (item) => String(item['pk']).slice('ADDRESS#'.length));
  return new Set([...byAddress].filter(([, ofAddress]) => isUnsubscribedBy(ofAddress)).map(([key]) => key));
}

/** Whether the newest of an address's items for a report says that it has unsubscribed. */
function isUnsubscribedBy(items: readonly StoredItem[]): boolean {
  return newestOf(items.map((item) => v.parse(unsubscriptionSchema, item)))?.left === true;
}
