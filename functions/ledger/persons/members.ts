import * as v from 'valibot';
import { recordPersons, type HashOf, type Person } from './persons.ts';
import type { Key, Table } from '../table.ts';

/** Whom operators added to a report or removed from it, over the configuration; by whom and when, ISO 8601. */
export const memberSchema = v.object({ state: v.picklist(['added', 'removed']), by: v.string(), at: v.string() });
export type Member = v.InferOutput<typeof memberSchema>;

/** A subscriber of a report: the hash, the address where the configuration has it, and who added it, where it does not. */
interface Subscriber {
  hash: string;
  address: string | null;
  added: Pick<Member, 'by' | 'at'> | null;
}

const partitionOf = (report: string): string => `MEMBERS#${report}`;
export const memberKey = (report: string, hash: string): Key => ({ pk: partitionOf(report), sk: hash });

/** The members of a report that operators added or removed, by hash. */
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

function itemsOf(report: string, persons: ReadonlyArray<Pick<Person, 'hash'>>, member: Member) {
  return persons.map(({ hash }) => ({ ...memberKey(report, hash), ...member }));
}

/**
 * A report's subscribers: the configured ones and those that operators added, each once, without those that operators
 * removed.
 */
export async function readSubscribers(
  table: Table,
  report: { name: string; subscribers: readonly string[] },
  hashOf: HashOf,
): Promise<Subscriber[]> {
  const members = await readMembers(table, report);
  const subscribers = new Map<string, Subscriber>();
  for (const address of report.subscribers) {
    const hash = hashOf(address);
    if (members.get(hash)?.state !== 'removed') subscribers.set(hash, { hash, address, added: null });
  }
  for (const [hash, { state, by, at }] of members) {
    if (state === 'added' && !subscribers.has(hash)) subscribers.set(hash, { hash, address: null, added: { by, at } });
  }
  return [...subscribers.values()];
}
