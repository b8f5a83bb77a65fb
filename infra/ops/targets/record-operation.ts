import { Temporal } from 'temporal-polyfill';
import { recordAction, type ActionName, type ActionSubject } from '../../../functions/ledger/runs/actions.ts';
import { expiresAfterMonths } from '../../../functions/ledger/expiry.ts';
import type { LedgerTarget } from './target.ts';

/**
 * Records in the ledger what the operator is about to do. Returns the record's key. The clock is read here, and not by the
 * commands, since the record says when it was written.
 */
export async function recordOperation(
  target: Pick<LedgerTarget, 'configuration' | 'table' | 'operator'>,
  subject: ActionSubject,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const now = Temporal.Now.instant();
  const expiresAt = expiresAfterMonths(target.configuration.ledger.keepMonths, new Date(now.epochMilliseconds));
  return await recordAction(target.table, subject, { ...action, by: target.operator, at: now.toString() }, expiresAt);
}
