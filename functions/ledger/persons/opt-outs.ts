import * as v from 'valibot';
import type { Key, Table } from '../table.ts';

/** What a person gets no mail of: all that the public function for unsubscribing may read and write. It never expires. */
const partitionOf = (hash: string): string => `OPTOUT#${hash}`;
export const unsubscribedKey = (hash: string, report: string): Key => ({
  pk: partitionOf(hash),
  sk: `UNSUBSCRIBED#${report}`,
});
export const suppressedKey = (hash: string): Key => ({ pk: partitionOf(hash), sk: 'SUPPRESSED' });

export const unsubscribedSchema = v.object({
  report: v.string(),
  left: v.boolean(),
  /** When the person last unsubscribed or subscribed again, ISO 8601. */
  at: v.string(),
  /** When they did the other of the two before that. */
  previousAt: v.exactOptional(v.string()),
  /** The report that who has left takes in place of this one: while it stands here, they are a member of that one. */
  instead: v.exactOptional(v.string()),
});

export const suppressionReasons = ['bounce', 'complaint', 'forgotten'] as const;

/** Since when, ISO 8601, and why a person gets no mail at all. It stays until an operator lifts it. */
export const suppressedSchema = v.object({
  reason: v.picklist(suppressionReasons),
  at: v.string(),
});
export type Suppression = v.InferOutput<typeof suppressedSchema>;

/** Suppresses a person. Changes nothing where that was done before. */
export async function suppress(table: Table, hash: string, suppression: Suppression): Promise<void> {
  await table.insert(suppressedKey(hash), suppression);
}

/** Suppresses a person who is forgotten, whatever the reason was before: the address is not written down again. */
export async function markForgotten(table: Table, hash: string, at: string): Promise<void> {
  await table.putMany([{ ...suppressedKey(hash), reason: 'forgotten', at }]);
}

/** Unsubscribes a person from a report, or subscribes the person again. Changes nothing where it is so already. */
export async function recordLeft(
  table: Table,
  hash: string,
  { name: report }: { name: string },
  { left, at }: { left: boolean; at: string },
): Promise<void> {
  const before = v.parse(v.nullable(unsubscribedSchema), await table.get(unsubscribedKey(hash, report)));
  if ((before?.left ?? false) === left) return;
  const set = { report, left, at, previousAt: before?.at };
  await table.update(unsubscribedKey(hash, report), { set, remove: ['instead'] });
}

/** Whether a person has unsubscribed from a report. */
export async function isUnsubscribed(table: Table, hash: string, report: { name: string }): Promise<boolean> {
  const item = await table.get(unsubscribedKey(hash, report.name));
  return item !== null && v.parse(unsubscribedSchema, item).left;
}

/** Since when and why a person gets no mail at all; `null` for one who may get it. */
export async function readSuppression(table: Table, hash: string): Promise<Suppression | null> {
  return v.parse(v.nullable(suppressedSchema), await table.get(suppressedKey(hash)));
}

/** What a person gets no mail of: all mail, and the reports that the person has unsubscribed from; and to which they have `returned`. */
export async function readOptOuts(table: Table, hash: string) {
  const suppression = await readSuppression(table, hash);
  const items = await Array.fromAsync(table.query(partitionOf(hash), { prefix: 'UNSUBSCRIBED#' }));
  const unsubscriptions = items.map((item) => v.parse(unsubscribedSchema, item));
  const { true: left = [], false: returned = [] } = Object.groupBy(unsubscriptions, (item) => `${item.left}`);
  return { suppression, left, returned };
}

/** The hashes of those of these persons who were forgotten. */
export async function readForgotten(table: Table, persons: ReadonlyArray<{ hash: string }>) {
  const hashes = new Set(persons.map(({ hash }) => hash));
  const items = await table.getMany([...hashes].map(suppressedKey));
  const forgotten = items.filter((item) => v.parse(suppressedSchema, item).reason === 'forgotten');
  return new Set(forgotten.map(({ pk }) => String(pk).slice('OPTOUT#'.length)));
}

/** Lets a person get mail again: all that kept it away is lifted. */
export async function liftOptOuts(table: Table, hash: string, at: string): Promise<void> {
  const { left } = await readOptOuts(table, hash);
  await table.remove(suppressedKey(hash));
  for (const { report } of left) await recordLeft(table, hash, { name: report }, { left: false, at });
}
