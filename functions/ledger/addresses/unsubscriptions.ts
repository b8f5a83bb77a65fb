import * as v from 'valibot';
import { namesFor, namesOf, type ReportNames } from '../../domain/report-names.ts';
import { addressKey } from './addresses.ts';
import { newestOf } from '../newest.ts';
import type { Key, StoredItem, Table } from '../table.ts';

const unsubscriptionSchema = v.object({
  report: v.string(),
  left: v.boolean(),
  /** When the subscriber last left or came back, ISO 8601. */
  at: v.string(),
});

/** Of all that is kept of an address, by its key: that it has left a report. It never expires. */
function keyOf(key: string, report: string): Key {
  return { pk: `ADDRESS#${key}`, sk: `UNSUBSCRIBED#${report}` };
}

/** Notes that the address of this key has left a report; nothing changes where it had. */
export async function unsubscribe(table: Table, key: string, report: ReportNames, at: string): Promise<void> {
  if (await isUnsubscribed(table, key, report)) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: true, at } });
}

/** Notes that the address of this key has come back to a report; nothing changes where it never left. */
export async function resubscribe(table: Table, key: string, report: ReportNames, at: string): Promise<void> {
  if (!(await isUnsubscribed(table, key, report))) return;
  await table.update(keyOf(key, report.name), { set: { report: report.name, left: false, at } });
}

/** Whether the address of this key has left a report, by the last that is known under any of its names. */
export async function isUnsubscribed(table: Table, key: string, report: ReportNames): Promise<boolean> {
  const items = await Promise.all(namesOf(report).map((name) => table.get(keyOf(key, name))));
  return isLeft(items.filter((item) => item !== null));
}

/** The reports that the address of this key has left: of those that are configured the present names. */
export async function readUnsubscriptions(
  table: Table,
  key: string,
  reports: readonly ReportNames[],
): Promise<string[]> {
  const items: StoredItem[] = [];
  for await (const item of table.query(`ADDRESS#${key}`, { prefix: 'UNSUBSCRIBED#' })) items.push(item);
  const byReport = Map.groupBy(items, (item) => namesFor(reports, v.parse(unsubscriptionSchema, item).report).name);
  return [...byReport].filter(([, ofReport]) => isLeft(ofReport)).map(([report]) => report);
}

/** Of some addresses, the keys of those that have left a report. */
export async function readUnsubscribed(
  table: Table,
  report: ReportNames,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(addresses.map(addressKey))];
  const items = await table.getMany(namesOf(report).flatMap((name) => keys.map((key) => keyOf(key, name))));
  const byAddress = Map.groupBy(items, (item) => String(item['pk']).slice('ADDRESS#'.length));
  return new Set([...byAddress].filter(([, ofAddress]) => isLeft(ofAddress)).map(([key]) => key));
}

/** Whether an address has left a report, by what is noted of it under the report's names: the last one counts. */
function isLeft(items: readonly StoredItem[]): boolean {
  return newestOf(items.map((item) => v.parse(unsubscriptionSchema, item)))?.left === true;
}
