import { Temporal } from 'temporal-polyfill';
import { RunError } from './failure.ts';

/** Rows count as expired this long before they are: from then on DynamoDB may delete them at any time. */
const sealedMonthsBefore = 1;

/**
 * Throws a `RunError` where rows of a run that was planned at `plannedAt` (or later, where the run is not `known`) may have
 * expired: such a run never sends again, because without its rows nobody knows who got the mail.
 */
export function refuseSealed(
  name: string,
  { known, plannedAt }: { known: boolean; plannedAt: string },
  { keepMonths, now }: { keepMonths: number; now: Temporal.Instant },
): void {
  const months = known ? keepMonths - sealedMonthsBefore : keepMonths;
  const sealedFrom = Temporal.Instant.from(plannedAt).toZonedDateTimeISO('UTC').add({ months }).toInstant();
  if (Temporal.Instant.compare(now, sealedFrom) < 0) return;
  throw new RunError('sealed', `Run "${name}" is sealed: the ledger no longer knows for sure who got its mail.`);
}
