import * as v from 'valibot';
import { partsOfRunName } from '../domain/period.ts';
import type { Named } from './reports.ts';
import { forEachAtOnce, type Key, type Table } from './table.ts';

const matterSchema = v.object({
  /** As the watch calls it. */
  kind: v.string(),
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
  /** A `refusal` is a permanent bounce that says nothing of the person: it suppresses nobody, nor do the last two. */
  reason: v.picklist(['bounce', 'complaint', 'refusal', 'held-back', 'soft-bounces']),
  at: v.string(),
  /** The person's hash; releases before this one did not write it. */
  hash: v.exactOptional(v.string()),
  /** Of a permanent bounce: what it states, and SES's instant. The release before had suppressed the person already. */
  bounce: v.exactOptional(v.object({ status: v.string(), at: v.string() })),
  /** Of a permanent bounce, once it is known: whether many of the run bounced `alike`, which says nothing of the person. */
  verdict: v.exactOptional(v.picklist(['alike', 'alone'])),
  /** An operator has dealt with the address. It stays, so that the same event again is no news. */
  ended: v.exactOptional(v.boolean()),
});

/** What an event about a message of a run says of its person that operators should know. */
export type Suppressed = v.InferOutput<typeof suppressedSchema>;

const partition = 'NOTICES';
const publishedKey = { pk: partition, sk: 'PUBLISHED' };

/** The matters that operators were notified of and that are not over, and a version that each write raises, from 0. The item does not expire. */
export async function readPublished(table: Table): Promise<v.InferOutput<typeof publishedSchema>> {
  return v.parse(publishedSchema, (await table.get(publishedKey)) ?? { version: 0, matters: [] });
}

/** Replaces the matters, where they are still of the `version` that was read. Returns whether it did. */
export async function writePublished(table: Table, version: number, matters: readonly PublishedMatter[]) {
  return await table.update(publishedKey, {
    set: { version: version + 1, matters: matters.map(({ kind, subject, count }) => ({ kind, subject, count })) },
    where: { version: version === 0 ? null : version },
  });
}

/** Records that an event about a message, by SES's id, suppressed an address. A later event about it changes nothing. `expiresAt` is in epoch seconds. */
export async function recordSuppressed(
  table: Table,
  { message, ...suppressed }: Suppressed & { message: string; expiresAt: number },
): Promise<void> {
  await table.insert({ pk: partition, sk: `SUPPRESSED#${suppressed.run}#${message}` }, suppressed);
}

/** What events of all runs say, by run, save of addresses that operators have dealt with. */
export async function readSuppressed(table: Table): Promise<Suppressed[]> {
  return (await readRecords(table)).filter(({ ended }) => ended !== true);
}

/** All that the events of all runs say, with their keys. */
export async function readRecords(table: Table): Promise<Array<Suppressed & { key: Key }>> {
  return await Array.fromAsync(table.query(partition, { prefix: 'SUPPRESSED#' }), (item) => ({
    ...v.parse(suppressedSchema, item),
    key: { pk: partition, sk: String(item['sk']) },
  }));
}

/** Writes down what was decided since about what an event says, unless it has expired. */
export async function updateRecord(table: Table, key: Key, set: Pick<Suppressed, 'verdict' | 'ended'>): Promise<void> {
  await table.update(key, { set, condition: 'attribute_exists(#run)' });
}

/** Ends that matter of persons, after the runs of a `report` alone where one is given: an operator has dealt with the addresses. */
export async function endSuppressed(table: Table, persons: ReadonlyArray<{ hash: string }>, report?: Named) {
  const hashes = new Set<unknown>(persons.map(({ hash }) => hash));
  const isOf = (run: string): boolean => report === undefined || partsOfRunName(run)?.report === report.name;
  const ended = (await readRecords(table)).filter(({ run, hash }) => hashes.has(hash) && isOf(run));
  await forEachAtOnce(ended, ({ key }) => updateRecord(table, key, { ended: true }));
}
