import * as v from 'valibot';
import { memberKey, memberSchema, validMembers, type Configured, type Member } from './members.ts';
import { stoppedSchema, suppressedKey, unsubscribedKey, unsubscribedSchema, type Stopped } from './opt-outs.ts';
import { personKey, personSchema } from './persons.ts';
import type { Named } from '../reports.ts';
import type { WithheldState } from '../runs/messages.ts';
import type { Key, StoredItem, Table } from '../table.ts';

/** What decides whether a person gets a report's mail. */
export interface Standing extends Stopped {
  /** `null` where the ledger has no address under the hash: the person was forgotten, or has expired. */
  address: string | null;
  /** `null` also where what the ledger has does not count. */
  member: Member | null;
  /** Since when the person has unsubscribed from this report, ISO 8601. */
  leftAt: string | null;
  /** The report that they then took in its place. */
  instead: string | null;
}

/**
 * Why a person gets no mail of a report; `null` where one is sent. Somebody who was not added by an operator gets it as a
 * subscriber of the configuration, or because a trigger named the person.
 */
export function reasonAgainst(
  { address, member, leftAt, suppression, forgottenAt }: Standing,
  { isConfiguredOrNamed }: { isConfiguredOrNamed: boolean },
): WithheldState | null {
  // Who is both counts as unsubscribed: that was the person's own decision.
  if (leftAt !== null) return 'unsubscribed';
  if (suppression !== null || forgottenAt !== null) return 'suppressed';
  const isThere = member === null ? isConfiguredOrNamed : member.state === 'added';
  return address !== null && isThere ? null : 'removed';
}

/** Reads what decides whether persons get a report's mail, all at once, by hash. */
export async function readStandings(table: Table, report: Named, hashes: readonly string[], configured: Configured) {
  const keys = [...new Set(hashes)].flatMap((hash) => [
    personKey(hash),
    memberKey(report.name, hash),
    unsubscribedKey(hash, report.name),
    suppressedKey(hash),
  ]);
  const items = new Map((await table.getMany(keys)).map((item) => [idOf(item), item]));
  const find = (key: Key): StoredItem | null => items.get(idOf(key)) ?? null;
  const memberOf = (hash: string) => v.parse(v.nullable(memberSchema), find(memberKey(report.name, hash)));
  const members = await validMembers(table, report, new Map(hashes.map((hash) => [hash, memberOf(hash)])), configured);
  const standingOf = (hash: string): Standing => {
    const person = v.parse(v.nullable(personSchema), find(personKey(hash)));
    const member = members.get(hash) ?? null;
    const left = v.parse(v.nullable(unsubscribedSchema), find(unsubscribedKey(hash, report.name)));
    const stopped = v.parse(stoppedSchema, find(suppressedKey(hash)) ?? {});
    const leftAt = left?.left ? left.at : null;
    const instead = (leftAt !== null && left?.instead) || null;
    return { address: person?.address ?? null, member, leftAt, instead, ...stopped };
  };
  return new Map(hashes.map((hash) => [hash, standingOf(hash)]));
}

const idOf = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${String(pk)}\n${String(sk)}`;
