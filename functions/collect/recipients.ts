import type { Found, Work } from '../ledger/collections.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countEngagement, type Window } from './engagement.ts';

/** What a delivery's recipients did, or why it could not be had. */
export async function collectRecipients(
  delivery: Work<'recipients'>,
  options: { service: ReportingService; tally: Tally; window: Window },
): Promise<Found<'recipients'>> {
  const { service, tally, window } = options;
  try {
    return { delivery, engagement: await countEngagement(service.recipients(delivery.id), window, tally) };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { delivery, unavailable: error.unavailable };
  }
}
