import { collectItem } from '../../../functions/collect/batch.ts';
import type { ItemContext } from '../../../functions/collect/items.ts';
import { readDeliveries } from '../../../functions/collect/list.ts';
import { isGoneForGood } from '../../../functions/run/inclusion.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import type { Engagement, ListedDelivery, Work } from '../../../functions/ledger/runs/collections.ts';
import { createReportingService, type ReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import {
  createHttp,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../functions/reporting-service/requests/http.ts';
import { CredentialsError, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { TokenSource, type StoredTokens, type TokenStore } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';

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
) {
  const traffic = createTally();
  const asking = createHttp({
    timeoutMs: settings.timeout * 1000,
    concurrency: Math.min(concurrency, settings.concurrency),
    tally: traffic,
  });
  /** The first answer of each endpoint since it was taken: the collector keeps only counts. */
  const answers = new Map<ServiceRequest['endpoint'], ServiceResponse>();
  const http: typeof asking = async (request) => {
    const answer = await asking(request);
    if (!answers.has(request.endpoint)) answers.set(request.endpoint, answer);
    return answer;
  };
  const take = (endpoint: ServiceRequest['endpoint']): ServiceResponse | undefined => {
    const answer = answers.get(endpoint);
    answers.delete(endpoint);
    return answer;
  };
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = new TokenSource({ settings, http, store: createMemoryStore(), readCredentials });
  return {
    settings,
    report,
    traffic,
    tokens,
    take,
    /** An example of an endpoint's answers, with personal data masked. */
    sample: (endpoint: ServiceRequest['endpoint'], ofPeople: boolean) => mask(take(endpoint)?.body, ofPeople),
    /** A client that counts in `tally` how it read the answers, under these settings or changed ones. */
    connect: (tally: Tally, changes: Partial<Configuration['service']> = {}): ReportingService =>
      createReportingService({ settings: { ...settings, ...changes }, http, tokens, tally }),
    /** The bounds of no period: what is collected counts to date, its dates read in the report's zone. */
    bounds: { start: 0, end: 0, timeZone: report.schedule.timeZone },
  };
}

/** A token, and the answer that it came with. */
export interface Token {
  token: string;
  answer: ServiceResponse;
}

/** A token, or why there is none. */
export async function requestToken({
  tokens,
  take,
}: AskedService): Promise<Token | CredentialsError | UnavailableError> {
  try {
    const { value: token } = await tokens.access();
    const answer = take('auth');
    if (answer === undefined) throw new Error('A token came without an answer.');
    return { token, answer };
  } catch (error) {
    if (error instanceof CredentialsError || error instanceof UnavailableError) return error;
    throw error;
  }
}

/** The first deliveries of the list, as the collector reads them, and those with a wanted status; or why there is none. */
export async function readList(service: AskedService) {
  const tally = createTally();
  const pages = await attempt(() => firstPages(service.connect(tally).deliveries(), mostPages));
  if (pages instanceof UnavailableError) return pages;
  // The checks are about the service, whichever broadcasts the report is of.
  const { broadcastName: _broadcastName, ...anyBroadcast } = service.report;
  const { deliveries } = await readDeliveries(pages, anyBroadcast, tally);
  const wanted = deliveries.filter(({ status }) => isWantedStatus(status, service.report));
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
  return { rows, deliveries, wanted, tally, sample: service.sample('deliveries', false) };
}

/** A list that was read. */
export type ReadList = Exclude<Awaited<ReturnType<typeof readList>>, UnavailableError>;

/** The first page of a list at another path, or why there is none. */
export function readListAt({ connect, settings }: AskedService, path: string): Promise<ListPage[] | UnavailableError> {
  const changed = { deliveries: { ...settings.deliveries, path } };
  return attempt(() => firstPages(connect(createTally(), changed).deliveries(), 1));
}

/** Something that was asked for and is unavailable. */
export interface Missing {
  what: string;
  unavailable: Unavailable;
}

/** What items are collected with, as a worker collects them. */
function contextOf({ connect, bounds, settings: { ratingFilter } }: AskedService, tally: Tally): ItemContext {
  return { service: connect(tally), tally, bounds, ratingFilter };
}

/** The recipients of some deliveries: wanted ones, where there are any. Other troubles than a missing list end it. */
export async function readRecipients(service: AskedService, { deliveries, wanted }: ReadList) {
  const chosen = wanted.length === 0 ? deliveries : wanted;
  const tally = createTally();
  const read: Array<{ delivery: ListedDelivery; engagement: Engagement; sample: unknown }> = [];
  const missing: Missing[] = [];
  for (const delivery of chosen.slice(0, mostDeliveries)) {
    const work = { delivery, createdAt: null };
    const { engagement, unavailable } = await collectItem('recipients', work, contextOf(service, tally));
    const example = service.sample('recipients', true);
    if (engagement !== undefined) read.push({ delivery, engagement, sample: example });
    if (unavailable === undefined) continue;
    missing.push({ what: `The recipient list of delivery ${delivery.id}`, unavailable });
    if (!isGoneForGood(unavailable)) break;
  }
  return { tally, missing, read, engaged: read.filter(({ engagement }) => engagement.listed > 0) };
}

type ReadRecipients = Awaited<ReturnType<typeof readRecipients>>;

/** A content item, its ratings counted by this filter, and how its answers were read. */
export async function readItem(
  service: AskedService,
  work: Work<'contents'>,
  ratingFilter: ItemContext['ratingFilter'],
) {
  const tally = createTally();
  return { tally, ...(await collectItem('contents', work, { ...contextOf(service, tally), ratingFilter })) };
}

/** A content item whose list was read, with what its delivery's own list says. */
type ReadItem = Awaited<ReturnType<typeof readItem>> & {
  work: Work<'contents'>;
  engagement: Engagement;
  ofDelivery: Engagement;
  sample: unknown;
};

/** The broadcasts of deliveries that somebody engaged with, and one content item of each type. */
export async function readBroadcasts(service: AskedService, { engaged }: ReadRecipients) {
  const { sample, settings } = service;
  const read: unknown[] = [];
  const missing: Missing[] = [];
  const missingItems: Missing[] = [];
  const items: ReadItem[] = [];
  const types: string[] = [];
  for (const { delivery, engagement: ofDelivery } of engaged) {
    const { id } = delivery.broadcast;
    const { broadcast, unavailable } = await collectItem('broadcasts', id, contextOf(service, createTally()));
    if (unavailable !== undefined) {
      missing.push({ what: `Broadcast ${id}`, unavailable });
      if (isGoneForGood(unavailable)) continue;
      break;
    }
    read.push(sample('broadcast', false));
    for (const content of broadcast?.contents ?? []) {
      types.push(content.type);
      if (items.length === mostItems || items.some(({ work }) => work.content.type === content.type)) continue;
      const work = { delivery: delivery.id, content, createdAt: null };
      const { engagement, ...found } = await readItem(service, work, settings.ratingFilter);
      const example = sample('content-recipients', true);
      if (found.unavailable !== undefined)
        missingItems.push({ what: nameOfItem(content), unavailable: found.unavailable });
      if (engagement !== undefined) items.push({ ...found, work, engagement, ofDelivery, sample: example });
    }
  }
  return { read, missing, items, missingItems, types };
}

/** Names a content item by its type. */
export function nameOfItem({ type }: { type: string }): string {
  return `A content item of type "${type.slice(0, 40)}"`;
}

/** The result of a request, or why it is unavailable. Throws any other error. */
export async function attempt<T>(ask: () => Promise<T>): Promise<T | UnavailableError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    throw error;
  }
}

/** The first pages of a list, as many as there are up to `most`. */
async function firstPages(pages: AsyncIterable<ListPage>, most: number): Promise<ListPage[]> {
  const first: ListPage[] = [];
  for await (const page of pages) if (first.push(page) === most) break;
  return first;
}

function createMemoryStore(): TokenStore {
  let entry: StoredTokens = { version: 0, keyId: null, jwe: null, refreshTokenUsed: false };
  return {
    read: () => Promise.resolve(entry),
    // Nobody else uses this store, and a refresh token is never marked as spent: whether it works is to be found out.
    takeLease: (_owner, version) => Promise.resolve(version === entry.version),
    write: (_owner, version, { keyId, jwe }) => {
      entry = { version: version + 1, keyId, jwe, refreshTokenUsed: false };
      return Promise.resolve(true);
    },
    releaseLease: () => Promise.resolve(),
  };
}

/** Fields whose values are words, dates or numbers of the interface and say nothing about a person. */
const openFields = new Set('status type seenAt respondedAt at rating total hasMore timezone date'.split(' '));
/** Names of objects that are people: nothing in them is shown as it is, not even an id. */
const people = new Set(['user', 'users', 'recipient', 'recipients', 'by', 'person', 'member', 'employee']);
const longestList = 2;
const deepest = 6;

/**
 * A value of the service as an operator may see it: its shape, with every text and every number of people masked
 * (letters become x, digits 9), and of lists the first few items.
 *
 * @param ofPeople whether the value is, or lists, people
 */
function mask(value: unknown, ofPeople: boolean, field = '', depth = 0): unknown {
  if (depth > deepest) return '…';
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, longestList).map((item: unknown) => mask(item, ofPeople, field, depth + 1));
    return value.length > longestList ? [...items, `… ${value.length - longestList} more`] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]: [string, unknown]) => [
      maskName(name),
      mask(inner, ofPeople || people.has(name), name, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
  if (openFields.has(field) && isShort(value)) return value;
  if (typeof value === 'string') return field === 'id' && !ofPeople ? value.slice(0, 60) : maskText(value);
  if (typeof value === 'number')
    return ofPeople ? Number(maskText(String(value)).replaceAll(/[^\d.]/g, '') || '0') : value;
  return value;
}

/** Whether a value is a word, a date or a number: a longer text might be about somebody. */
function isShort(value: unknown): boolean {
  return typeof value !== 'string' || (value.length <= 40 && !value.includes('@'));
}

function maskText(text: string): string {
  return text.slice(0, 60).replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '9');
}

/** A field's name, unless it may be a person's name or address. */
function maskName(name: string): string {
  return /^[a-z_][a-z_-]{0,40}$/i.test(name) ? name : '…';
}
