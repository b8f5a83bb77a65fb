import { Temporal } from 'temporal-polyfill';
import { recordAction, type ActionName, type ActionSubject } from '../../functions/ledger/runs/actions.ts';
import { expiresAfterMonths } from '../../functions/ledger/expiry.ts';
import type { LedgerDesk } from './targets/target.ts';

/** Notes what the operator at the desk is about to do, before it is done. Returns the note's key. */
export async function record(
  desk: LedgerDesk,
  subject: ActionSubject,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const at = Temporal.Now.instant().toString();
  const expiresAt = expiresAfterMonths(desk.configuration.ledger.keepMonths);
  return await recordAction(desk.table, subject, { ...action, by: desk.operator, at }, expiresAt);
}
