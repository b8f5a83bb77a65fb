import type { PeriodBounds } from '../domain/period.ts';
import { hasNoDateField, type Found, type Work } from '../ledger/runs/collections.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countEngagement } from './engagement.ts';

/**
 * Counts what a delivery's recipients did. Where that fails, the result says why. A recipient is on this list for having
 * done something (interface, section 4.4): where no row has either date, they have other names, and the list is unreadable.
 */
export async function collectRecipients(
  { delivery, createdAt }: Work<'recipients'>,
  options: { service: ReportingService; tally: Tally; bounds: PeriodBounds },
): Promise<Found<'recipients'>> {
  const { service, tally, bounds } = options;
  try {
    const engagement = await countEngagement(service.recipients(delivery.id), { bounds, createdAt }, tally);
    return hasNoDateField(engagement) ? { delivery, unavailable: { reason: 'unreadable' } } : { delivery, engagement };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { delivery, unavailable: error.unavailable };
  }
}
