import { count } from '../../../functions/domain/wording.ts';
import { endMemberships } from '../../../functions/ledger/persons/members.ts';
import { laterOf, mergeOptOuts, readErasures } from '../../../functions/ledger/persons/opt-outs.ts';
import { removePerson } from '../../../functions/ledger/persons/persons.ts';
import { readReportsWithPersons } from '../../../functions/ledger/reports.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import type { Key, StoredItem } from '../../../functions/ledger/table.ts';
import { done, type CommandResult } from '../command-line/result.ts';
import { defineCommand, onTarget, openLedger } from '../command-line/command.ts';
import { recordOperation, type LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '<TABLE>',
  does: 'after a restore: takes over who left, was removed or added since, from the table in its place before',
  more: 'Whom that table has as forgotten (addresses forget) is erased here, too. It may be called again.',
  example: 'recover OLD_TABLE',
  work: onTarget(openLedger, recoverDecisions),
});

/**
 * What the ledger has of persons: who left or is suppressed, who was added or removed, and their addresses. First what keeps mail
 * away: a call that is interrupted after it is simply repeated.
 */
const mergers = {
  OPTOUT: mergeOptOuts,
  MEMBERS: laterOf,
  // An address has no date: the one that is there stays.
  PERSON: (_lost: StoredItem, present: StoredItem) => present,
};

const idOf = ({ pk, sk }: StoredItem): string => `${String(pk)} ${String(sk)}`;
const kindOf = ({ pk }: Key): string => pk.split('#')[0] ?? '';

/**
 * Takes over what the table that a restored ledger replaces has of persons: what they and operators decided since the instant that
 * was restored. What was decided later, here or there, counts, and who was forgotten is erased here, too. A second call does no harm.
 */
export async function recoverDecisions(target: LedgerTarget, tableName: string): Promise<CommandResult> {
  const { table } = target;
  await recordOperation(target, addressesSubject, { what: 'recover', detail: `from table ${tableName}` });
  const found: Array<Key & StoredItem> = [];
  for await (const item of target.scan(tableName)) {
    const key = { pk: String(item['pk']), sk: String(item['sk']) };
    if (Object.hasOwn(mergers, kindOf(key))) found.push({ ...item, ...key });
  }
  for (const [kind, merge] of Object.entries(mergers)) {
    const items = found.filter((item) => kindOf(item) === kind);
    const present = await table.getMany(items.map(({ pk, sk }) => ({ pk, sk })));
    const presentById = new Map(present.map((item) => [idOf(item), item]));
    const merged = items.map((lost) => {
      const here = presentById.get(idOf(lost));
      return here === undefined ? lost : Object.assign({}, merge(lost, here), { pk: lost.pk, sk: lost.sk });
    });
    await table.putMany(merged);
  }
  const ofPersons = found.filter((item) => kindOf(item) !== 'MEMBERS');
  const hashes = new Set(ofPersons.map(({ pk }) => pk.slice(pk.indexOf('#') + 1)));
  const reports = new Set(await readReportsWithPersons(table));
  for (const { hash, erasedAt, forgottenAt } of await readErasures(table, hashes)) {
    await endMemberships(table, hash, reports, erasedAt);
    if (forgottenAt !== null) await removePerson(table, hash);
  }
  const items = found.length;
  return done({ items }, [`Took over ${count(items, 'item')} of persons from table ${tableName}.`]);
}
