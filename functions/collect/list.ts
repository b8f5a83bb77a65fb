import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { addCount, createCounts } from '../domain/counts.ts';
import {
  putBatches,
  putDeliveryList,
  type DeliveryList,
  type WantedDelivery,
  type WritableCollection,
} from '../ledger/runs/collections.ts';
import type { FailureCode } from '../domain/failure-codes.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import type { ListPage } from '../reporting-service/lists/pages.ts';
import { OutOfTimeError } from '../reporting-service/requests/http.ts';
import { readListedDelivery, type ListedDelivery } from '../reporting-service/shapes.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import type { ListResponse } from './protocol.ts';

/** The most deliveries whose recipients are asked for in one batch of the next phase. */
const largestBatch = 1_000;
/** The status of a delivery that the service gave none. */
const noStatus = 'unknown';

/** The list of deliveries is unavailable, so there can be no digest. */
export class ListError extends Error {
  override readonly name = 'service-unavailable' satisfies FailureCode;
}

/**
 * Asks for the list and stores the deliveries of the report in the ledger, in batches. Returns how many batches that
 * makes. Throws `ListError` where the list is unavailable.
 */
export async function collectList(options: {
  service: ReportingService;
  tally: Tally;
  table: Table;
  key: WritableCollection;
  report: ReportWithoutSubscribers;
}): Promise<ListResponse> {
  const { service, tally, table, key, report } = options;
  const { list, wanted } = await readDeliveries(service.deliveries(), report, tally);
  const batches = await putBatches(table, key, { phase: 'recipients', work: wanted, largest: largestBatch });
  await putDeliveryList(table, key, list);
  return { batches };
}

/**
 * Reads the pages of the list. Wanted are deliveries with one of the report's statuses and, where it filters by name, of
 * its broadcasts. Throws `ListError` where it breaks off before any of them; one that breaks off later counts as cut off.
 */
export async function readDeliveries(
  pages: AsyncIterable<ListPage> | Iterable<ListPage>,
  report: ReportWithoutSubscribers,
  tally: Tally,
): Promise<{ list: DeliveryList; wanted: WantedDelivery[] }> {
  const deliveries = new Map<string, ListedDelivery>();
  let unavailable: DeliveryList['unavailable'];

  try {
    for await (const page of pages) {
      for (const row of page.rows) {
        const delivery = readListedDelivery(row, tally);
        if (delivery === null) unavailable = { reason: 'unreadable' };
        else if (isOfReport(delivery, report)) addDelivery(deliveries, delivery, report);
      }
      if (page.mayBeCutOff) unavailable = { reason: 'cut-off' };
    }
  } catch (error) {
    if (!(error instanceof UnavailableError || error instanceof OutOfTimeError)) throw error;
    if (deliveries.size === 0)
      throw new ListError(`The list of deliveries is unavailable. ${error.message}.`, { cause: error });
    tally.cutOff('deliveries');
    unavailable = { reason: 'cut-off' };
  }
  const wanted: WantedDelivery[] = [];
  const otherStatuses = createCounts();
  for (const delivery of deliveries.values()) {
    const status = statusOf(delivery);
    if (isWanted(delivery, report)) wanted.push({ ...delivery, status });
    else addCount(otherStatuses, status);
  }
  const list: DeliveryList = {
    otherStatuses,
    ...(unavailable === undefined ? {} : { unavailable }),
  };
  return { list, wanted };
}

/** A delivery that is listed several times counts once: with a wanted status where it has one, else with the latest. */
function addDelivery(
  deliveries: Map<string, ListedDelivery>,
  delivery: ListedDelivery,
  report: ReportWithoutSubscribers,
): void {
  const before = deliveries.get(delivery.id);
  if (before === undefined || !isWanted(before, report)) deliveries.set(delivery.id, delivery);
}

function statusOf({ status }: ListedDelivery): string {
  return status ?? noStatus;
}

function isWanted(delivery: ListedDelivery, report: ReportWithoutSubscribers): boolean {
  return report.statuses.includes(statusOf(delivery));
}

function isOfReport(delivery: ListedDelivery, report: ReportWithoutSubscribers): boolean {
  if (report.broadcastName === undefined) return true;
  return (delivery.broadcast.name ?? '').toLowerCase().includes(report.broadcastName.toLowerCase());
}
