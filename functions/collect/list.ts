import type { ReportConfiguration } from '../configuration.ts';
import { putList, putWork, type CollectionKey, type DeliveryList, type WantedDelivery } from '../ledger/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { readListedDelivery, type ListedDelivery } from '../reporting-service/shapes.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';

/** Deliveries whose recipients are asked for in one batch of the next pass. */
const batchSize = 250;
/** The status under which a delivery counts that came without one. */
const noStatus = 'unknown';

/** No list, no digest: what it needs first of the service could not be had. */
export class ListError extends Error {
  override readonly name = 'service-unavailable';
}

/**
 * Asks for the list and leaves the wanted deliveries in the ledger, in batches: those with one of the report's statuses
 * and, where it filters by name, of its broadcasts. Returns how many batches that makes. Throws `ListError` where the
 * list cannot be had; a list that breaks off later is said to be cut off.
 */
export async function collectList(options: {
  service: ReportingService;
  tally: Tally;
  table: Table;
  key: CollectionKey;
  report: ReportConfiguration;
}): Promise<{ listed: number; wanted: number; batches: number }> {
  const { service, tally, table, key, report } = options;
  const list: DeliveryList = { listed: 0, wanted: 0, otherStatuses: {} };
  const seen = new Set<string>();
  let open: WantedDelivery[] = [];
  let batches = 0;
  const flush = async (): Promise<void> => {
    await putWork(table, key, 'recipients', batches, open);
    batches += 1;
    open = [];
  };

  try {
    for await (const page of service.deliveries()) {
      for (const row of page.rows) {
        const delivery = readListedDelivery(row, tally);
        if (delivery === null) list.unavailable = { reason: 'unreadable' };
        if (delivery === null || seen.has(delivery.id) || !isOfReport(delivery, report)) continue;
        seen.add(delivery.id);
        list.listed += 1;
        const status = delivery.status ?? noStatus;
        if (report.statuses.includes(status)) open.push({ ...delivery, status });
        else list.otherStatuses[status] = (list.otherStatuses[status] ?? 0) + 1;
        if (open.length === batchSize) await flush();
      }
      if (page.mayBeCutOff) list.unavailable = { reason: 'cut-off' };
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    if (list.listed === 0)
      throw new ListError(`The list of deliveries could not be had. ${error.message}.`, { cause: error });
    tally.cutOff('deliveries');
    list.unavailable = { reason: 'cut-off' };
  }
  if (open.length > 0) await flush();
  list.wanted = list.listed - Object.values(list.otherStatuses).reduce((sum, count) => sum + count, 0);
  await putList(table, key, list);
  return { listed: list.listed, wanted: list.wanted, batches };
}

function isOfReport(delivery: ListedDelivery, report: ReportConfiguration): boolean {
  if (report.broadcastName === undefined) return true;
  return (delivery.broadcast.name ?? '').toLowerCase().includes(report.broadcastName.toLowerCase());
}
