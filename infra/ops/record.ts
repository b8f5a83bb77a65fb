import { Temporal } from 'temporal-polyfill';
import { recordAction, type ActionName, type ActionSubject } from '../../functions/ledger/runs/actions.ts';
import { expiresAfterMonths } from '../../functions/ledger/expiry.ts';
import type { LedgerTarget } from './targets/target.ts';

/** Notes what the operator at the target is about to do, before it is done. Returns the note's key. */
export async function record(
  target: LedgerTarget,
  subject: ActionSubject,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const at = Temporal.Now.instant().toString();
  const expiresAt = expiresAfterMonths(target.configuration.ledger.keepMonths);
  return await recordAction(target.table, subject, { ...action, by: target.operator, at }, expiresAt);
}
