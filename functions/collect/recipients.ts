import { hasNoDateField, type Found, type Work } from '../ledger/runs/collections.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countEngagement, type Window } from './engagement.ts';

/**
 * What a delivery's recipients did, or why that is not available. A recipient is on this list for having done something
 * (interface, section 4.4): where no row has one of the two dates, they are named otherwise, and the list is unreadable.
 */
export async function collectRecipients(
  delivery: Work<'recipients'>,
  options: { service: ReportingService; tally: Tally; window: Window },
): Promise<Found<'recipients'>> {
  const { service, tally, window } = options;
  try {
    const engagement = await countEngagement(service.recipients(delivery.id), window, tally);
    return hasNoDateField(engagement) ? { delivery, unavailable: { reason: 'unreadable' } } : { delivery, engagement };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { delivery, unavailable: error.unavailable };
  }
}
