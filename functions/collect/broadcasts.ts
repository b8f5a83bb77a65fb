import type { PeriodBounds } from '../domain/period.ts';
import type { Found, Work } from '../ledger/runs/collections.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import { readDate } from '../reporting-service/dates.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';

/** Asks for a broadcast and its content items. Where that fails, the result says why. */
export async function collectBroadcast(
  id: Work<'broadcasts'>,
  options: { service: ReportingService; bounds: PeriodBounds },
): Promise<Found<'broadcasts'>> {
  try {
    const { name, createdAt, createdBy, contents } = await options.service.broadcast(id);
    const created = readDate(createdAt, options.bounds.timeZone).instant;
    return { id, broadcast: { name, createdAt: created, createdBy, contents } };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { id, unavailable: error.unavailable };
  }
}
