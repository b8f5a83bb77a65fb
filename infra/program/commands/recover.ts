import { count } from '../../../functions/domain/wording.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import type { Key, StoredItem } from '../../../functions/ledger/table.ts';
import { done, type CommandResult } from '../command-line/answer.ts';
import { recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** What the ledger has of persons: who left or is suppressed, who was added or removed, and their addresses. */
const ofPersons = /^(?:OPTOUT|MEMBERS|PERSON)#/;

/**
 * Takes over what the table that a restored ledger replaces has of persons: what they and operators decided since the instant that
 * was restored. A second call does no harm.
 */
export async function recoverDecisions(target: LedgerTarget, tableName: string): Promise<CommandResult> {
  await recordOperation(target, addressesSubject, { what: 'recover', detail: `from table ${tableName}` });
  const found: Array<Key & StoredItem> = [];
  for await (const item of target.scan(tableName)) {
    const { pk, sk } = { pk: String(item['pk']), sk: String(item['sk']) };
    if (ofPersons.test(pk)) found.push({ ...item, pk, sk });
  }
  await target.table.putMany(found);
  const items = found.length;
  return done({ items }, [`Took over ${count(items, 'item')} of persons from table ${tableName}.`]);
}
