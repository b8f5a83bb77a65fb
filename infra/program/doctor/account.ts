import { readDeliveries, type DeliveryList } from '../../../functions/collect/list.ts';
import { readListFacts } from '../../../functions/collect/observation/list-facts.ts';
import { orUnavailable, readContent } from '../../../functions/collect/observation/read.ts';
import { createRatingCollector } from '../../../functions/collect/ratings.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { isGoneForGood, type Unavailable } from '../../../functions/domain/reasons.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import type { ContentFacts, ListFacts } from '../../../functions/domain/facts.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createMemoryStore, TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { attempt, type Say } from './finding.ts';

/** The doctor asks for little: there is no need for more requests at once. */
const concurrency = 2;
/** So many pages of the list are read: they show how it pages. */
const mostPages = 4;
/** The recipients of so many deliveries are asked for. */
const mostDeliveries = 8;
/** So many content items are asked for, one of each type. */
const mostItems = 12;

/** A content item of a delivery. */
export interface Item {
  delivery: string;
  content: { id: string; type: string };
}

/** A service, asked by the collector's own code under the settings of a run. */
export type AskedService = ReturnType<typeof openService>;

/** Tokens stay in memory, so no ledger is needed and none is touched. */
export function openService(
  { service: settings }: Configuration,
  report: ReportConfiguration,
  credentials: Credentials,
  say: Say,
) {
  const tally = createTally();
  const http = createHttp({
    timeoutMs: settings.timeout * 1000,
    concurrency: Math.min(concurrency, settings.concurrency),
    tally,
    onWait: async (wait) => say(wait === null ? 'Asking …' : `Asking: ${wait} …`),
  });
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = new TokenSource({ settings, http, store: createMemoryStore(), readCredentials, spent: new Set() });
  const clientWith = (reading: Tally) => createReportingService({ settings, http, tokens, tally: reading });
  const atMs = Date.now();
  const within = { timeZone: report.schedule.timeZone, createdAt: null, readAt: atMs, stepMinutes: 60 as const };
  /** Reads a content item as a worker does, with a filter for its ratings; how answers are read is counted in `reading`. */
  const readItemWith = async (filter: Configuration['service']['ratingFilter'], reading: Tally, item: Item) => {
    const count = (pages: ListPages) => readListFacts(pages, within, reading);
    const collectRatings = createRatingCollector(filter, reading);
    const context = { service: clientWith(reading), atMs, isLastTry: true, collectRatings, count };
    return await readContent({ id: item.content.id, list: null }, item.delivery, item.content.type, context);
  };
  return {
    settings,
    report,
    /** Counts all requests, and how the answers were read. */
    tally,
    tokens,
    /** The first pages of the list of deliveries, or of the users, whose readings do not count; or why there are none. */
    deliveryPages: () => attempt(UnavailableError, () => readPages(clientWith(tally).deliveries())),
    userPages: () => attempt(UnavailableError, () => readPages(clientWith(createTally()).users())),
    recipients: (delivery: string) =>
      orUnavailable(
        async () => (await readListFacts(clientWith(tally).recipients(delivery), within, tally)).facts,
        true,
      ),
    broadcast: (id: string) => orUnavailable(() => clientWith(tally).broadcast(id), true),
    item: (item: Item) => readItemWith(settings.ratingFilter, tally, item),
    readItemWith,
  };
}

async function readPages(pages: ListPages): Promise<ListPage[]> {
  const read: ListPage[] = [];
  for await (const page of pages) if (read.push(page) === mostPages) break;
  return read;
}

/** The first deliveries of the list, as the collector reads them; or why there is no list. */
export async function readList(service: AskedService): Promise<DeliveryList | UnavailableError> {
  const pages = await service.deliveryPages();
  if (pages instanceof UnavailableError) return pages;
  return await readDeliveries(pages, service.report, service.tally);
}

/** A little of everything that an account has. */
export type Account = Awaited<ReturnType<typeof readAccount>>;

/**
 * Reads the recipients of some deliveries (wanted ones, where there are any), their broadcasts, and one content item of each
 * type. Of each kind nothing more is asked for after another trouble than that a thing is gone.
 */
export async function readAccount(service: AskedService, { rows, deliveries }: DeliveryList) {
  const wanted = deliveries.filter(({ status }) => isWantedStatus(status, service.report));
  const lists: ListFacts[] = [];
  const broadcasts: string[] = [];
  // Content items whose lists were read, with what their deliveries' own lists say.
  const items: Array<Item & { facts: ContentFacts; list: ListFacts; ofDelivery: ListFacts }> = [];
  const types = new Set<string>();
  // What was asked for and is unavailable, and what was read of its kind.
  const missing: Array<{ name: string; unavailable: Unavailable; read: readonly unknown[] }> = [];
  /** Notes what is unavailable, if it is; whether something else of its kind can be asked for. */
  const goesOn = (name: string, unavailable: Unavailable | undefined, read: readonly unknown[]): boolean => {
    if (unavailable !== undefined) missing.push({ name, unavailable, read });
    return unavailable === undefined || isGoneForGood(unavailable);
  };
  for (const delivery of (wanted.length === 0 ? deliveries : wanted).slice(0, mostDeliveries)) {
    const ofDelivery = await service.recipients(delivery.id);
    const why = 'reason' in ofDelivery ? ofDelivery : undefined;
    if (!goesOn(`The recipient list of delivery ${delivery.id.slice(0, 40)}`, why, lists)) break;
    if ('reason' in ofDelivery) continue;
    lists.push(ofDelivery);
    if (ofDelivery.listed === 0) continue;
    const { id } = delivery.broadcast;
    const broadcast = await service.broadcast(id);
    if (!goesOn(`Broadcast ${id.slice(0, 40)}`, 'reason' in broadcast ? broadcast : undefined, broadcasts)) break;
    if ('reason' in broadcast) continue;
    broadcasts.push(id);
    for (const content of broadcast.contents) {
      types.add(content.type);
      if (items.length === mostItems || items.some((item) => item.content.type === content.type)) continue;
      const item = { delivery: delivery.id, content };
      const facts = await service.item(item);
      goesOn(`A content item of type "${content.type.slice(0, 40)}"`, facts.unread, items);
      if (facts.list !== null) items.push({ ...item, facts, list: facts.list, ofDelivery });
    }
  }
  return { ...service, rows, deliveries, wanted, lists, items, types, missing };
}
