import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../functions/domain/configuration/configuration.ts';
import { recordAction, type ActionName, type ActionSubject } from '../functions/ledger/runs/actions.ts';
import { expiresAfterMonths, type Table } from '../functions/ledger/table.ts';

/**
 * Records in the ledger what the operator is about to do. Returns the record's key. The clock is read here, and not by the
 * commands, since the record says when it was written.
 */
export async function recordOperation(
  { configuration, table, operator }: { configuration: Configuration; table: Table; operator: string },
  subject: ActionSubject,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const now = Temporal.Now.instant();
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, new Date(now.epochMilliseconds));
  return await recordAction(table, subject, { ...action, by: operator, at: now.toString() }, expiresAt);
}
