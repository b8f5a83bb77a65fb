import * as v from 'valibot';
import { partsOfRunName } from '../domain/period.ts';
import type { Key, Table } from './table.ts';

/** What operators should know about a run: a matter. */
export const runMatterKinds = [
  'failed',
  'overdue',
  'held',
  'held-too-long',
  'unbalanced',
  'refused',
  'unknown',
  'incomplete',
] as const;
export type RunMatterKind = (typeof runMatterKinds)[number];

export const matterKinds = [...runMatterKinds, 'suppressed', 'bounced', 'not-configured', 'unobserved'] as const;
export type MatterKind = (typeof matterKinds)[number];
/** A matter of a run or a report, and neither of what SES's events said of mails nor of the account. */
export type ReportedKind = Exclude<MatterKind, 'suppressed' | 'bounced' | 'unobserved'>;

const matterSchema = v.object({
  kind: v.picklist(matterKinds),
  /** The name of a run, or of a report that is not configured. */
  subject: v.string(),
  /** How many addresses the events of a run's messages suppressed; only that kind has it. More are another matter. */
  count: v.exactOptional(v.number()),
});

/** A matter that operators were notified of. It never holds an address. */
export type PublishedMatter = v.InferOutput<typeof matterSchema>;

const publishedSchema = v.object({ version: v.number(), matters: v.array(matterSchema) });

const suppressedSchema = v.object({
  run: v.string(),
  /** `refusal`: its mail bounced, and nothing was said of the address. */
  reason: v.picklist(['bounce', 'complaint', 'soft-bounces', 'refusal']),
  at: v.string(),
  /** When the event was, ISO 8601, and the status (RFC 3463) of a bounce. */
  eventAt: v.exactOptional(v.string()),
  status: v.exactOptional(v.string()),
  /** The person's hash; releases before this one did not write it. */
  hash: v.exactOptional(v.string()),
});

/** That an event about a message of a run suppressed an address, or was of one that keeps bouncing softly. */
export type Suppressed = v.InferOutput<typeof suppressedSchema>;

const partition = 'NOTICES';
const publishedKey = { pk: partition, sk: 'PUBLISHED' };

/** The matters that operators were notified of and that are not over, and a version that each write raises. The item does not expire. */
export async function readPublished(table: Table): Promise<v.InferOutput<typeof publishedSchema>> {
  return v.parse(publishedSchema, (await table.get(publishedKey)) ?? { version: 0, matters: [] });
}

/** Replaces the matters, where they are still of the `version` that was read. Returns whether it did. */
export async function writePublished(table: Table, version: number, matters: readonly PublishedMatter[]) {
  return await table.update(publishedKey, {
    set: { version: version + 1, matters: matters.map(({ kind, subject, count }) => ({ kind, subject, count })) },
    condition: 'attribute_not_exists(#version) OR #version = :version',
    values: { ':version': version },
  });
}

/** Records that an event about a message, by SES's id, suppressed an address. A later event about it changes nothing. `expiresAt` is in epoch seconds. */
export async function recordSuppressed(
  table: Table,
  { message, ...suppressed }: Suppressed & { message: string; expiresAt: number },
): Promise<void> {
  await table.insert({ pk: partition, sk: `SUPPRESSED#${suppressed.run}#${message}` }, suppressed);
}

/** What the events of all runs suppressed, by run. */
export async function readSuppressed(table: Table): Promise<Suppressed[]> {
  return await Array.fromAsync(table.query(partition, { prefix: 'SUPPRESSED#' }), (item) =>
    v.parse(suppressedSchema, item),
  );
}

/** As `readSuppressed`, after one run. */
export async function readSuppressedAfter(table: Table, run: string): Promise<Suppressed[]> {
  return await Array.fromAsync(table.query(partition, { prefix: `SUPPRESSED#${run}#` }), (item) =>
    v.parse(suppressedSchema, item),
  );
}

/** So many bounces of one status, and more than one in so many of a run's mails, say nothing of the addresses. */
const alike = { bounces: 5, inMails: 5 };

/** Of what events said after a run of so many mails, the bounces that suppress nobody: refusals, and those that are too many of one status. */
export function refusalsAmong(after: readonly Suppressed[], mails: number): Suppressed[] {
  const bounces = Map.groupBy(
    after.filter(({ reason }) => reason === 'bounce'),
    ({ status }) => status,
  );
  const isOfMany = ({ length }: readonly Suppressed[]): boolean =>
    length >= alike.bounces && length * alike.inMails > mails;
  return [...after.filter(({ reason }) => reason === 'refusal'), ...[...bounces.values()].filter(isOfMany).flat()];
}

const removedAtOnce = 25;

/** Ends that matter of persons, after the runs of a `report` alone where one is given: an operator has dealt with the addresses. */
export async function endSuppressed(table: Table, persons: ReadonlyArray<{ hash: string }>, report?: { name: string }) {
  const hashes = new Set<unknown>(persons.map(({ hash }) => hash));
  const ended: Key[] = [];
  for await (const { pk, sk, ...item } of table.query(partition, { prefix: 'SUPPRESSED#' })) {
    const isOther = report !== undefined && partsOfRunName(String(item['run']))?.report !== report.name;
    if (hashes.has(item['hash']) && !isOther) ended.push({ pk: String(pk), sk: String(sk) });
  }
  while (ended.length > 0) await Promise.all(ended.splice(0, removedAtOnce).map((key) => table.remove(key)));
}
