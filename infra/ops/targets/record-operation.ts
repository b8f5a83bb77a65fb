import { Temporal } from 'temporal-polyfill';
import { recordAction, type ActionName, type ActionSubject } from '../../../functions/ledger/runs/actions.ts';
import { expiresAfterMonths } from '../../../functions/ledger/expiry.ts';
import type { LedgerTarget } from './target.ts';

/** Records in the ledger what the operator is about to do. Returns the record's key. */
export async function recordOperation(
  target: LedgerTarget,
  subject: ActionSubject,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const at = Temporal.Now.instant().toString();
  const expiresAt = expiresAfterMonths(target.configuration.ledger.keepMonths);
  return await recordAction(target.table, subject, { ...action, by: target.operator, at }, expiresAt);
}
