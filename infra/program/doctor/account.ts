import { collectItem } from '../../../functions/collect/batch.ts';
import { readDeliveries } from '../../../functions/collect/list.ts';
import { createRatingCollector } from '../../../functions/collect/ratings.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { isGoneForGood, type Unavailable } from '../../../functions/domain/reasons.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import type { DeliveryList, Engagement, Found, Phase, Work } from '../../../functions/ledger/runs/collections.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createMemoryStore, TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError, type ServiceRequest } from '../../../functions/reporting-service/requests/request.ts';
import { attempt, good, type Remark, type Say } from './finding.ts';

/** The doctor asks for little: there is no need for more requests at once. */
const concurrency = 2;
/** So many pages of the list are read: they show how it pages. */
const mostPages = 4;
/** The recipients of so many deliveries are asked for. */
const mostDeliveries = 8;
/** So many content items are asked for, one of each type. */
const mostItems = 12;

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
  const ask = createHttp({
    timeoutMs: settings.timeout * 1000,
    concurrency: Math.min(concurrency, settings.concurrency),
    tally,
    onWait: async (wait) => say(wait === null ? 'Asking …' : `Asking: ${wait} …`),
  });
  /** The first body of each endpoint since an item is collected: the collector keeps only counts. */
  const bodies = new Map<ServiceRequest['endpoint'], unknown>();
  const http: typeof ask = async (request) => {
    const answer = await ask(request);
    if (!bodies.has(request.endpoint)) bodies.set(request.endpoint, answer.body);
    return answer;
  };
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = new TokenSource({ settings, http, store: createMemoryStore(), readCredentials, spent: new Set() });
  /** The client and the collector under changed settings; how they read the answers does not count in the coverage. */
  const under = (changes: Partial<Configuration['service']>, reading = createTally()) => {
    const changed = { ...settings, ...changes };
    const service = createReportingService({ settings: changed, http, tokens, tally: reading });
    // The bounds of no period: what is collected counts to date, its dates read in the report's zone.
    const bounds = { precedingStart: 0, start: 0, end: 0, timeZone: report.schedule.timeZone };
    return {
      /** The first pages of the list of deliveries, as many as there are up to `most`; or why there is no list. */
      firstPages: (most: number) => attempt(UnavailableError, () => readPages(service.deliveries(), most)),
      /** The first pages of the users. */
      users: () => attempt(UnavailableError, () => readPages(service.users(), mostPages)),
      /** Collects an item as a worker does. */
      collect: async <P extends Phase>(phase: P, work: Work<P>): Promise<Found<P>> => {
        bodies.clear();
        const collectRatings = createRatingCollector(changed.ratingFilter, reading);
        return await collectItem(phase, work, { service, tally: reading, bounds, readAt: Date.now(), collectRatings });
      },
    };
  };
  return {
    settings,
    report,
    /** Counts all requests, and how the answers were read. */
    tally,
    tokens,
    bodies,
    ...under({}, tally),
    under,
  };
}

async function readPages(pages: ListPages, most: number): Promise<ListPage[]> {
  const read: ListPage[] = [];
  for await (const page of pages) if (read.push(page) === most) break;
  return read;
}

/** The first deliveries of the list, as the collector reads them; or why there is no list. */
export async function readList({ firstPages, report, tally }: AskedService): Promise<DeliveryList | UnavailableError> {
  const pages = await firstPages(mostPages);
  if (pages instanceof UnavailableError) return pages;
  return await readDeliveries(pages, report, tally);
}

/** Something that was asked for and is unavailable, and what was read of its kind. */
interface Missing {
  name: string;
  unavailable: Unavailable;
  read: readonly unknown[];
}

/** A content item whose list was read, with what its delivery's own list says. */
interface ReadItem extends Found<'contents'> {
  work: Work<'contents'>;
  engagement: Engagement;
  ofDelivery: Engagement;
}

/** A little of everything that an account has. */
export type Account = Awaited<ReturnType<typeof readAccount>>;

/**
 * Reads the recipients of some deliveries (wanted ones, where there are any), their broadcasts, and one content item of each
 * type, with an example of each. Of each kind nothing more is asked for after another trouble than that a thing is gone.
 */
export async function readAccount(service: AskedService, { rows, deliveries }: DeliveryList) {
  const wanted = deliveries.filter(({ status }) => isWantedStatus(status, service.report));
  const samples: Remark[] = [];
  const lists: Engagement[] = [];
  const broadcasts: string[] = [];
  const items: ReadItem[] = [];
  const types = new Set<string>();
  const missing: Missing[] = [];
  const show = (name: string, endpoint: ServiceRequest['endpoint']): void => {
    samples.push({ ...good(name), sample: mask(service.bodies.get(endpoint)) });
  };
  /** Notes what is unavailable, if it is; whether something else of its kind can be asked for. */
  const goesOn = (name: string, unavailable: Unavailable | undefined, read: readonly unknown[]): boolean => {
    if (unavailable !== undefined) missing.push({ name, unavailable, read });
    return unavailable === undefined || isGoneForGood(unavailable);
  };
  show('The list of deliveries.', 'deliveries');
  for (const delivery of (wanted.length === 0 ? deliveries : wanted).slice(0, mostDeliveries)) {
    const recipients = await service.collect('recipients', { delivery, createdAt: null, firstSign: null });
    if (!goesOn(`The recipient list of delivery ${delivery.id}`, recipients.unavailable, lists)) break;
    const ofDelivery = recipients.engagement;
    if (ofDelivery === undefined) continue;
    if (lists.push(ofDelivery) === 1) show("A delivery's recipients.", 'recipients');
    if (ofDelivery.listed === 0) continue;
    const { id } = delivery.broadcast;
    const { broadcast, unavailable } = await service.collect('broadcasts', id);
    if (!goesOn(`Broadcast ${id}`, unavailable, broadcasts)) break;
    if (broadcast === undefined) continue;
    if (broadcasts.push(id) === 1) show('A broadcast.', 'broadcast');
    for (const content of broadcast.contents) {
      types.add(content.type);
      if (items.length === mostItems || items.some(({ work }) => work.content.type === content.type)) continue;
      const name = `A content item of type "${content.type.slice(0, 40)}"`;
      const work = { delivery: delivery.id, content, createdAt: null };
      const { engagement, ...item } = await service.collect('contents', work);
      goesOn(name, item.unavailable, items);
      if (engagement === undefined) continue;
      show(`${name}.`, 'content-recipients');
      items.push({ ...item, work, engagement, ofDelivery });
    }
  }
  return { ...service, rows, deliveries, wanted, samples, lists, items, types, missing };
}

/** Fields whose values are words, dates or numbers of the interface and say nothing about a person. */
const openFields = new Set('status type seenAt respondedAt at rating total hasMore timezone date'.split(' '));
const longestList = 2;

/** A value of the service as an operator may see it: its shape, with texts and numbers masked, and of lists the first few items. */
function mask(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, longestList).map((item: unknown) => mask(item, field));
    return value.length > longestList ? [...items, `… ${value.length - longestList} more`] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
      // A name may be a person's, too.
      /^[a-z_][a-z_-]{0,40}$/i.test(name) ? name : '…',
      mask(inner, name),
    ]);
    return Object.fromEntries(entries);
  }
  if (typeof value === 'number') return openFields.has(field) ? value : 9;
  if (typeof value !== 'string') return value;
  // A longer text might be about somebody.
  const isOpen = openFields.has(field) && value.length <= 40 && !value.includes('@');
  return isOpen ? value : value.slice(0, 60).replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '9');
}
