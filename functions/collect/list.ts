import type { Unavailable } from '../domain/reasons.ts';
import { isWantedStatus } from '../domain/report-filter.ts';
import { CodedError } from '../domain/failures.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../reporting-service/lists/pages.ts';
import { withAdvice } from '../reporting-service/requests/failure.ts';
import { OutOfTimeError, UnavailableError } from '../reporting-service/requests/request.ts';
import { readListedDelivery } from '../reporting-service/shapes.ts';

/** A delivery as the list has it. */
export type ListedDelivery = NonNullable<ReturnType<typeof readListedDelivery>>;

/** The list of recent deliveries: how many rows it has, its deliveries, and why some may be missing. */
export type DeliveryList = Awaited<ReturnType<typeof readDeliveries>>;

/**
 * Reads the pages of the list, whatever the report is about: that is known once the broadcasts are. A delivery that is listed
 * several times counts once: with a wanted status where it has one, else with the latest. Throws a `CodedError` where the list
 * breaks off before any delivery, so that there can be no digest; one that breaks off later counts as cut off.
 */
export async function readDeliveries(
  pages: ListPages | Iterable<ListPage>,
  wanted: { statuses: readonly string[] },
  tally: Tally,
): Promise<{ rows: number; deliveries: ListedDelivery[]; unavailable?: Unavailable }> {
  const deliveries = new Map<string, ListedDelivery>();
  let rows = 0;
  let unavailable: Unavailable | undefined;

  try {
    for await (const page of pages) {
      rows += page.rows.length;
      for (const row of page.rows) {
        const delivery = readListedDelivery(row, tally);
        const before = delivery && deliveries.get(delivery.id);
        if (delivery === null) unavailable = { reason: 'unreadable' };
        else if (!before || !isWantedStatus(before.status, wanted)) deliveries.set(delivery.id, delivery);
      }
      if (page.mayBeCutOff) unavailable = { reason: 'cut-off' };
    }
  } catch (error) {
    if (!(error instanceof UnavailableError || error instanceof OutOfTimeError)) throw error;
    if (deliveries.size === 0)
      throw new CodedError('service-unavailable', `The list of deliveries is unavailable. ${withAdvice(error)}`, error);
    tally.cutOff('deliveries');
    unavailable = { reason: 'cut-off' };
  }
  return { rows, deliveries: [...deliveries.values()], ...(unavailable === undefined ? {} : { unavailable }) };
}
