import * as v from 'valibot';
import { memoize } from '../../domain/wording.ts';
import { unsubscribedKey, unsubscribedSchema } from './opt-outs.ts';
import { recordPersons, type HashOf, type Person } from './persons.ts';
import { membersOf, type Named } from '../reports.ts';
import { partsOf, type Key, type Table } from '../table.ts';

/** Who was added to a report or removed from it, over the configuration; by whom and when, ISO 8601. */
export const memberSchema = v.object({
  state: v.picklist(['added', 'removed']),
  by: v.string(),
  at: v.string(),
  /** The report in place of which a person took this one: they are a member while their opt-out of that one says so. */
  insteadOf: v.exactOptional(v.string()),
});
export type Member = v.InferOutput<typeof memberSchema>;

export const memberKey = (report: string, hash: string): Key => ({ pk: membersOf(report), sk: hash });

/** All that the ledger has on members of a report, by hash, whether or not it counts. */
export async function readMembers(table: Table, { name }: Named): Promise<ReadonlyMap<string, Member>> {
  const items = await Array.fromAsync(table.query(membersOf(name)));
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
  let added = 0;
  for (const part of partsOf(persons, atOnce)) {
    await recordPersons(table, part);
    await table.putMany(part.map(({ hash }) => ({ ...memberKey(report, hash), state: 'added', by, at })));
    onProgress?.((added += part.length));
  }
}

/** Removes persons from a report, even where the configuration has them. */
export async function removeMembers(
  table: Table,
  report: string,
  persons: ReadonlyArray<Pick<Person, 'hash'>>,
  stamp: Pick<Member, 'by' | 'at'>,
): Promise<void> {
  await table.putMany(persons.map(({ hash }) => ({ ...memberKey(report, hash), state: 'removed', ...stamp })));
}

/** Ends that a person was added to any of these reports by an instant, ISO 8601. Where operators removed them it stays so. */
export async function endMemberships(table: Table, hash: string, reports: ReadonlySet<string>, until: string) {
  const items = await table.getMany([...reports].map((report) => memberKey(report, hash)));
  for (const item of items) {
    const { state, at } = v.parse(memberSchema, item);
    if (state === 'added' && Date.parse(at) <= Date.parse(until))
      await table.remove({ pk: String(item['pk']), sk: hash });
  }
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
  return await table.update(memberKey(report, hash), { where: { state, insteadOf: null } });
}

/** The addresses of the subscribers whom the configuration of a report has, by their hashes; `null` where it has no such report. */
export type Configured = (report: string) => ReadonlyMap<string, string> | null;

/** What `reports` of a configuration say, hashed where it is asked for. */
export function configuredIn(reports: ReadonlyArray<Named & { subscribers: readonly string[] }>, hashOf: HashOf) {
  return memoize((name: string) => {
    const report = reports.find((candidate) => candidate.name === name);
    return report === undefined ? null : new Map(report.subscribers.map((address) => [hashOf(address), address]));
  });
}

/**
 * Those of some members of a report, by hash, whose membership counts: who took it in place of another one is a member while they
 * have left that one for it, and are a subscriber of that one or it is gone.
 */
export async function validMembers(
  table: Table,
  { name }: Named,
  all: ReadonlyMap<string, Member | null>,
  configured: Configured,
): Promise<ReadonlyMap<string, Member | null>> {
  const keys = [...all].flatMap(([hash, member]) => (member?.insteadOf ? unsubscribedKey(hash, member.insteadOf) : []));
  const optOuts = (await table.getMany(keys)).filter((item) => v.parse(unsubscribedSchema, item).instead === name);
  const valid = new Map([...all].filter(([, member]) => member?.insteadOf === undefined));
  for (const [other, items] of Map.groupBy(optOuts, (item) => String(item['report']))) {
    const hashes = items.map(({ pk }) => String(pk).slice('OPTOUT#'.length));
    const subscribers = await subscribersAmong(table, other, hashes, configured);
    for (const hash of hashes) if (subscribers.has(hash)) valid.set(hash, all.get(hash) ?? null);
  }
  return valid;
}

/** Those of some persons who are subscribers of a report, or were while there was one: whether or not they have left it. */
async function subscribersAmong(table: Table, report: string, hashes: readonly string[], configured: Configured) {
  const items = await table.getMany(hashes.map((hash) => memberKey(report, hash)));
  const stored = new Map(items.map((item) => [String(item['sk']), v.parse(memberSchema, item)]));
  const members = await validMembers(table, { name: report }, stored, configured);
  const others = configured(report);
  const isSubscriber = (hash: string): boolean => {
    const state = members.get(hash)?.state;
    return state === undefined ? others === null || others.has(hash) : state === 'added';
  };
  return new Set(hashes.filter(isSubscriber));
}

/**
 * A report's subscribers by their hashes: the configured ones with their addresses, and those who were added with none, without those
 * that operators removed.
 */
export async function readSubscribers(table: Table, report: Named, configured: Configured) {
  const members = await validMembers(table, report, await readMembers(table, report), configured);
  const subscribers = new Map<string, string | null>(configured(report.name));
  for (const [hash, member] of members) {
    if (member?.state === 'removed') subscribers.delete(hash);
    if (member?.state === 'added') subscribers.set(hash, subscribers.get(hash) ?? null);
  }
  return subscribers;
}
