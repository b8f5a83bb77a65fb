import {
  collectBroadcast,
  collectContent,
  collectRecipients,
  type RatingFilter,
} from '../../../functions/collect/items.ts';
import { readDeliveries } from '../../../functions/collect/list.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import type { Engagement, Found, ListedDelivery, Work } from '../../../functions/ledger/runs/collections.ts';
import { createReportingService, type ReportingService } from '../../../functions/reporting-service/client.ts';
import {
  createTally,
  mergeCoverage,
  type Coverage,
  type Tally,
} from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import {
  createHttp,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../functions/reporting-service/requests/http.ts';
import { CredentialsError, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { TokenSource, type StoredTokens, type TokenStore } from '../../../functions/reporting-service/tokens/tokens.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { mask } from './mask.ts';

/** The doctor asks for little: there is no need for more requests at once. */
const concurrency = 2;
/** So many pages of the list are read: they show how it pages. */
const mostPages = 4;
/** The recipients of so many deliveries are asked for. */
const mostDeliveries = 8;
/** So many content items are asked for, one of each type. */
const mostItems = 12;
/** A difference between clocks that is not worth reporting. */
export const negligibleSkewMs = 30_000;

/** Something that was asked for and is unavailable. */
interface Missing {
  what: string;
  unavailable: Unavailable;
}

/** A token with the answer that it came with, or why there is none. */
interface Access {
  token?: string;
  answer?: ServiceResponse | undefined;
  refused?: CredentialsError;
  unavailable?: UnavailableError;
}

/** A content item whose list was read, with what its delivery's own list says, and how its answers were read. */
interface ReadItem {
  work: Work<'contents'>;
  found: Found<'contents'>;
  tally: Tally;
  engagement: Engagement;
  ofDelivery: Engagement;
  sample: unknown;
}

/** The first deliveries of the list, as the collector reads them. */
interface ReadList {
  rows: number;
  deliveries: ListedDelivery[];
  /** Those with a wanted status. */
  wanted: ListedDelivery[];
  tally: Tally;
  sample: unknown;
}

/**
 * An account of the service, read a little by the collector's own code, under the settings of a run. Each part is asked for
 * when it is first wanted, and once. Tokens stay in memory, so no ledger is needed and none is touched.
 */
export type ExaminedAccount = ReturnType<typeof openAccount>;

/** @param clockIsRight whether this machine's clock is known to be right */
export function openAccount(
  { service: settings }: Configuration,
  report: ReportConfiguration,
  { credentials, clockIsRight }: { credentials: Credentials; clockIsRight: boolean },
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
  const sample = (endpoint: ServiceRequest['endpoint'], ofPeople: boolean): unknown =>
    mask(take(endpoint)?.body, ofPeople);
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = new TokenSource({ settings, http, store: createMemoryStore(), readCredentials });
  /** A client that counts in `tally` how it read the answers, under these settings or changed ones. */
  const connect = (tally: Tally, changes: Partial<Configuration['service']> = {}): ReportingService =>
    createReportingService({ settings: { ...settings, ...changes }, http, tokens, tally });
  // The bounds of no period: what is collected counts to date, its dates read in the report's zone.
  const bounds = { start: 0, end: 0, timeZone: report.schedule.timeZone };

  /** A token with the answer that it came with, or why there is none. */
  const access = once(async (): Promise<Access> => {
    try {
      const { value: token } = await tokens.access();
      return { token, answer: take('auth') };
    } catch (error) {
      if (error instanceof CredentialsError) return { refused: error };
      if (error instanceof UnavailableError) return { unavailable: error };
      throw error;
    }
  });

  /** The first deliveries of the list, or why there is none. */
  const list = once(async (): Promise<{ value: ReadList } | { error: UnavailableError }> => {
    const tally = createTally();
    const asked = await attempt(() => firstPages(connect(tally).deliveries(), mostPages));
    if ('error' in asked) return asked;
    const pages = asked.value;
    // The checks are about the service, whichever broadcasts the report is of.
    const { broadcastName: _broadcastName, ...anyBroadcast } = report;
    const { deliveries } = await readDeliveries(pages, anyBroadcast, tally);
    const wanted = deliveries.filter(({ status }) => isWantedStatus(status, report));
    const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
    return { value: { rows, deliveries, wanted, tally, sample: sample('deliveries', false) } };
  });

  /** The recipients of some deliveries: wanted ones, where there are any. Other troubles than a missing list end it. */
  const recipients = once(async () => {
    const listed = await list();
    const { deliveries, wanted } = 'value' in listed ? listed.value : { deliveries: [], wanted: [] };
    const chosen = wanted.length === 0 ? deliveries : wanted;
    const tally = createTally();
    const read: Array<{ delivery: ListedDelivery; engagement: Engagement; sample: unknown }> = [];
    const missing: Missing[] = [];
    for (const delivery of chosen.slice(0, mostDeliveries)) {
      const work = { delivery, createdAt: null };
      const { engagement, unavailable } = await collectRecipients(work, { service: connect(tally), tally, bounds });
      const example = sample('recipients', true);
      if (engagement !== undefined) read.push({ delivery, engagement, sample: example });
      if (unavailable === undefined) continue;
      missing.push({ what: `The recipient list of delivery ${delivery.id}`, unavailable });
      if (!isGone(unavailable)) break;
    }
    return { tally, missing, read, engaged: read.filter(({ engagement }) => engagement.listed > 0) };
  });

  /** The broadcasts of those deliveries, and one content item of each type. */
  const broadcasts = once(async () => {
    const read: unknown[] = [];
    const missing: Missing[] = [];
    const missingItems: Missing[] = [];
    const items: ReadItem[] = [];
    const types: string[] = [];
    for (const { delivery, engagement: ofDelivery } of (await recipients()).engaged) {
      const { id } = delivery.broadcast;
      const { broadcast, unavailable } = await collectBroadcast(id, { service: connect(createTally()), bounds });
      if (unavailable !== undefined) {
        missing.push({ what: `Broadcast ${id}`, unavailable });
        if (isGone(unavailable)) continue;
        break;
      }
      read.push(sample('broadcast', false));
      for (const content of broadcast?.contents ?? []) {
        types.push(content.type);
        if (items.length === mostItems || items.some(({ work }) => work.content.type === content.type)) continue;
        const work = { delivery: delivery.id, content, createdAt: null };
        const { found, tally } = await item(work, settings.ratingFilter);
        const example = sample('content-recipients', true);
        if (found.unavailable !== undefined)
          missingItems.push({ what: nameOfItem(content), unavailable: found.unavailable });
        if (found.engagement !== undefined)
          items.push({ work, found, tally, engagement: found.engagement, ofDelivery, sample: example });
      }
    }
    return { read, missing, items, missingItems, types };
  });

  /** A content item, its ratings counted by this filter. */
  const item = async (work: Work<'contents'>, ratingFilter: RatingFilter | 'off') => {
    const tally = createTally();
    return { found: await collectContent(work, { service: connect(tally), tally, bounds, ratingFilter }), tally };
  };

  /** All that was asked so far, and how it was read. */
  const coverage = async (): Promise<Coverage> => {
    const listed = await list();
    const tallies = [traffic, (await recipients()).tally, ...(await broadcasts()).items.map(({ tally }) => tally)];
    if ('value' in listed) tallies.push(listed.value.tally);
    return mergeCoverage(tallies.map((tally) => tally.coverage));
  };

  return {
    settings,
    report,
    clockIsRight,
    traffic,
    tokens,
    take,
    access,
    coverage,
    list,
    recipients,
    broadcasts,
    item,
    /** Asks for the first page of a list at another path. */
    listAt: (path: string) =>
      firstPages(connect(createTally(), { deliveries: { ...settings.deliveries, path } }).deliveries(), 1),
  };
}

/** Names a content item by its type. */
export function nameOfItem({ type }: { type: string }): string {
  return `A content item of type "${type.slice(0, 40)}"`;
}

/** Whether something is not there, or no longer: the service answers, and there may be others. */
export function isGone({ reason }: Unavailable): boolean {
  return reason === 'not-found' || reason === 'gone';
}

/** The result of a request, or why it is unavailable. Throws any other error. */
export async function attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | { error: UnavailableError }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof UnavailableError) return { error };
    throw error;
  }
}

/** Asks when it is first called, and gives the same answer, or failure, ever after. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
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
