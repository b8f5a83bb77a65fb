import * as v from 'valibot';
import { unsubscribedKey, unsubscribedSchema } from './opt-outs.ts';
import { recordPersons, type HashOf, type Person } from './persons.ts';
import type { Key, Table } from '../table.ts';

/** Who was added to a report or removed from it, over the configuration; by whom and when, ISO 8601. */
export const memberSchema = v.object({
  state: v.picklist(['added', 'removed']),
  by: v.string(),
  at: v.string(),
  /** The report in place of which a person took this one: they are a member while their opt-out of that one says so. */
  insteadOf: v.exactOptional(v.string()),
});
export type Member = v.InferOutput<typeof memberSchema>;

/** A subscriber of a report: the hash, and the address where the configuration has it. */
interface Subscriber {
  hash: string;
  address: string | null;
}

const partitionOf = (report: string): string => `MEMBERS#${report}`;
export const memberKey = (report: string, hash: string): Key => ({ pk: partitionOf(report), sk: hash });

/** All that the ledger has on members of a report, by hash, whether or not it counts. */
export async function readMembers(table: Table, { name }: { name: string }): Promise<ReadonlyMap<string, Member>> {
  const items = await Array.fromAsync(table.query(partitionOf(name)));
  return new Map(items.map((item) => [String(item['sk']), v.parse(memberSchema, item)]));
}

const atOnce = 250;

/**
 * Adds persons to a report. They stay in the ledger, and each is written before its membership is. Calls `onProgress` after
 * each part with the number added so far.
 */
export async function addMembers(
  table: Table,
  report: string,
  persons: readonly Person[],
  { by, at, onProgress }: Pick<Member, 'by' | 'at'> & { onProgress?: (added: number) => void },
): Promise<void> {
  for (let start = 0; start < persons.length; start += atOnce) {
    const part = persons.slice(start, start + atOnce);
    await recordPersons(table, part);
    await table.putMany(itemsOf(report, part, { state: 'added', by, at }));
    onProgress?.(start + part.length);
  }
}

/** Removes persons from a report, even where the configuration has them. */
export async function removeMembers(
  table: Table,
  report: string,
  persons: ReadonlyArray<Pick<Person, 'hash'>>,
  stamp: Pick<Member, 'by' | 'at'>,
): Promise<void> {
  await table.putMany(itemsOf(report, persons, { state: 'removed', ...stamp }));
}

/**
 * Has a person leave a report and take another one `instead`; whether they do. Nothing changes where operators removed them from
 * either. The opt-out, written last, decides both at once: whoever is stopped before has what they had.
 */
export async function takeInstead(table: Table, hash: string, taken: { report: string; instead: string; at: string }) {
  const { report, instead, at } = taken;
  if (await isDecided(table, report, hash, 'removed')) return false;
  const isWritten = await table.update(memberKey(instead, hash), {
    set: { state: 'added', by: `the subscriber instead of ${report}`, at, insteadOf: report },
    condition: 'attribute_not_exists(#state) OR attribute_exists(#insteadOf)',
  });
  if (!isWritten && !(await isDecided(table, instead, hash, 'added'))) return false;
  return await table.update(unsubscribedKey(hash, report), { set: { report, left: true, at, instead } });
}

/** Whether operators added or removed a person. A write that changes nothing asks it: who leaves may not read members. */
async function isDecided(table: Table, report: string, hash: string, state: Member['state']): Promise<boolean> {
  const condition = '#state = :state AND attribute_not_exists(#insteadOf)';
  return await table.update(memberKey(report, hash), { condition, values: { ':state': state } });
}

/** Those of some members of a report, by hash, who are no members instead of another one, or have left that one for this. */
export async function validMembers(table: Table, { name }: { name: string }, all: ReadonlyMap<string, Member | null>) {
  const keys = [...all].flatMap(([hash, member]) => (member?.insteadOf ? unsubscribedKey(hash, member.insteadOf) : []));
  const optOuts = await table.getMany(keys);
  const deciding = optOuts.filter((item) => v.parse(unsubscribedSchema, item).instead === name);
  const hashes = new Set(deciding.map(({ pk }) => String(pk).slice('OPTOUT#'.length)));
  return new Map([...all].filter(([hash, member]) => member?.insteadOf === undefined || hashes.has(hash)));
}

function itemsOf(report: string, persons: ReadonlyArray<Pick<Person, 'hash'>>, member: Member) {
  return persons.map(({ hash }) => ({ ...memberKey(report, hash), ...member }));
}

/**
 * A report's subscribers: the configured ones and those who were added, each once, without those that operators
 * removed.
 */
export async function readSubscribers(
  table: Table,
  report: { name: string; subscribers: readonly string[] },
  hashOf: HashOf,
): Promise<Subscriber[]> {
  const members = await validMembers(table, report, await readMembers(table, report));
  const subscribers = new Map<string, Subscriber>();
  for (const address of report.subscribers) {
    const hash = hashOf(address);
    if (members.get(hash)?.state !== 'removed') subscribers.set(hash, { hash, address });
  }
  for (const [hash, member] of members) {
    if (member?.state === 'added' && !subscribers.has(hash)) subscribers.set(hash, { hash, address: null });
  }
  return [...subscribers.values()];
}
