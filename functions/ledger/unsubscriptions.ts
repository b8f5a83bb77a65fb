import * as v from 'valibot';
import { addressKey } from './addresses.ts';
import type { Key, Table } from './table.ts';

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
export async function leaveReport(table: Table, key: string, report: string, at: string): Promise<void> {
  await table.update(keyOf(key, report), {
    set: { report, left: true, at },
    condition: 'attribute_not_exists(#left) OR #left = :back',
    values: { ':back': false },
  });
}

/** Notes that the address of this key has come back to a report; nothing changes where it never left. */
export async function returnToReport(table: Table, key: string, report: string, at: string): Promise<void> {
  await table.update(keyOf(key, report), {
    set: { report, left: false, at },
    condition: '#left = :gone',
    values: { ':gone': true },
  });
}

/** Whether the address of this key has left a report. */
export async function hasLeft(table: Table, key: string, report: string): Promise<boolean> {
  const item = await table.get(keyOf(key, report));
  return item !== null && v.parse(unsubscriptionSchema, item).left;
}

/** The reports that the address of this key has left. */
export async function readUnsubscriptions(table: Table, key: string): Promise<string[]> {
  const reports: string[] = [];
  for await (const item of table.query(`ADDRESS#${key}`, { prefix: 'UNSUBSCRIBED#' })) {
    const { report, left } = v.parse(unsubscriptionSchema, item);
    if (left) reports.push(report);
  }
  return reports;
}

/** Of some addresses, the keys of those that have left a report. */
export async function readUnsubscribed(
  table: Table,
  report: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(addresses.map(addressKey))];
  const items = await table.getMany(keys.map((key) => keyOf(key, report)));
  const left = items.filter((item) => v.parse(unsubscriptionSchema, item).left);
  return new Set(left.map((item) => String(item['pk']).slice('ADDRESS#'.length)));
}
