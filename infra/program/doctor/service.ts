import { parseFragment } from 'parse5';
import { readDeliveries, type DeliveryList } from '../../../functions/collect/list.ts';
import { readListFacts } from '../../../functions/collect/observation/list-facts.ts';
import { orUnavailable, readContent } from '../../../functions/collect/observation/read.ts';
import { createRatingCollector, isRated } from '../../../functions/collect/ratings.ts';
import { engagedBy, haveUntouched, reachedNow } from '../../../functions/digest/deliveries.ts';
import { meetsFilter } from '../../../functions/digest/slice.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { countWords, type Counts } from '../../../functions/domain/counts-by-word.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import { isGoneForGood, type Unavailable } from '../../../functions/domain/reasons.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import { count } from '../../../functions/domain/wording.ts';
import type { ContentFacts, ListFacts } from '../../../functions/domain/facts.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { addressMark, createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../../functions/reporting-service/lists/pages.ts';
import { withAdvice } from '../../../functions/reporting-service/requests/failure.ts';
import { createHttp } from '../../../functions/reporting-service/requests/http.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { illegible } from '../../../functions/reporting-service/shapes.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { createMemoryStore, createTokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Finding, type Remark, type Say } from './finding.ts';

/** The doctor asks for little: there is no need for more requests at once. */
const concurrency = 2;
/** So many pages of the list are read: they show how it pages. */
const mostPages = 4;
/** The recipients of so many deliveries are asked for. */
const mostDeliveries = 8;
/** So many content items are asked for, one of each type. */
const mostItems = 12;
/** Of so many other statuses it is asked whether so many deliveries were seen, each by so many people: then it is one of those sent. */
const mostStatuses = 3;
const [seenDeliveries, seenBy] = [3, 10];
/** So many broadcasts are asked for at most, to see whether a report is about one. */
const mostBroadcasts = 50;

/** A content item of a delivery. */
type Item = { delivery: string; content: { id: string; type: string } };

/** A service, asked by the collector's own code under the settings of a run. */
type AskedService = ReturnType<typeof openService>;

/** Tokens stay in memory, so no ledger is needed and none is touched. */
export function openService(asked: Configuration, report: ReportConfiguration, credentials: Credentials, say: Say) {
  const { service: settings } = asked;
  const tally = createTally();
  const http = createHttp({
    timeoutMs: settings.timeout * 1000,
    concurrency: Math.min(concurrency, settings.concurrency),
    tally,
    onWait: async (wait) => say(wait === null ? 'Asking …' : `Asking: ${wait} …`),
  });
  const readCredentials = (): Promise<Credentials> => Promise.resolve(credentials);
  const tokens = createTokenSource({ settings, http, store: createMemoryStore(), readCredentials, spent: new Set() });
  const clientWith = (reading: Tally) => createReportingService({ settings, http, tokens, tally: reading });
  const client = clientWith(tally);
  const atMs = Date.now();
  const within = { timeZone: report.schedule.timeZone, createdAt: null, readAt: atMs, stepMinutes: 60 as const };
  return {
    settings,
    report,
    say,
    /** Counts all requests, and how the answers were read. */
    tally,
    tokens,
    /** The first pages of the list of deliveries, or of the users, whose readings do not count; or why there are none. */
    deliveryPages: () => attempt(UnavailableError, readPages(client.deliveries())),
    userPages: () => attempt(UnavailableError, readPages(clientWith(createTally()).users())),
    recipients: (delivery: string) =>
      orUnavailable(async () => (await readListFacts(client.recipients(delivery), within, tally)).facts, true),
    broadcast: (id: string) => orUnavailable(() => client.broadcast(id), true),
    /** Reads a content item as a worker does, with a filter for its ratings; how answers are read is counted in `reading`. */
    readItem: async ({ delivery, content }: Item, filter = settings.ratingFilter, reading = tally) => {
      const count = (pages: ListPages) => readListFacts(pages, within, reading);
      const collectRatings = createRatingCollector(filter, reading);
      const context = { service: clientWith(reading), atMs, isLastTry: true, collectRatings, count };
      return await readContent({ id: content.id, list: null }, delivery, content.type, context);
    },
  };
}

async function readPages(pages: ListPages): Promise<ListPage[]> {
  const read: ListPage[] = [];
  for await (const page of pages) if (read.push(page) === mostPages) break;
  return read;
}

/** A little of everything that an account has. */
type Account = Awaited<ReturnType<typeof readAccount>>;

/**
 * Reads the recipients of some deliveries (wanted ones, where there are any), their broadcasts, and one content item of each
 * type. Nothing more is asked for after another trouble with one of the first two than that it is gone.
 */
async function readAccount(service: AskedService, { rows, deliveries }: DeliveryList) {
  const wanted = deliveries.filter(({ status }) => isWantedStatus(status, service.report));
  const lists: ListFacts[] = [];
  const broadcasts: string[] = [];
  // Content items whose lists were read, with what their deliveries' own lists say.
  const items: Array<Item & { facts: ContentFacts; list: ListFacts; ofDelivery: ListFacts }> = [];
  const types = new Set<string>();
  // What was asked for and is unavailable, and what was read of its kind.
  const missing: Array<{ name: string; unavailable: Unavailable; read: readonly unknown[] }> = [];
  for (const { id, broadcast } of (wanted.length === 0 ? deliveries : wanted).slice(0, mostDeliveries)) {
    if (missing.some(({ unavailable, read }) => read !== items && !isGoneForGood(unavailable))) break;
    const ofDelivery = await service.recipients(id);
    if ('reason' in ofDelivery) {
      missing.push({ name: `The recipient list of delivery ${shortened(id)}`, unavailable: ofDelivery, read: lists });
      continue;
    }
    lists.push(ofDelivery);
    if (ofDelivery.listed === 0) continue;
    const detail = await service.broadcast(broadcast.id);
    if ('reason' in detail) {
      missing.push({ name: `Broadcast ${shortened(broadcast.id)}`, unavailable: detail, read: broadcasts });
      continue;
    }
    broadcasts.push(broadcast.id);
    for (const content of detail.contents) {
      types.add(content.type);
      if (items.length === mostItems || items.some((item) => item.content.type === content.type)) continue;
      const item = { delivery: id, content };
      const facts = await service.readItem(item);
      const name = `A content item of type "${shortened(content.type)}"`;
      if (facts.unread !== undefined) missing.push({ name, unavailable: facts.unread, read: items });
      if (facts.list !== null) items.push({ ...item, facts, list: facts.list, ofDelivery });
    }
  }
  return { ...service, rows, deliveries, wanted, lists, items, types, missing };
}

/**
 * First contact with a service: asks a little of every endpoint by the collector's own code, says which setting to change where
 * a default is wrong, and how it read what the interface does not specify.
 */
export async function examineService(service: AskedService): Promise<Finding[]> {
  const { say } = service;
  say('Asking for a token …');
  const refused = await attempt(UnavailableError, attempt(CodedError, signIn(service)));
  if (refused instanceof UnavailableError) return [{ check: 'reach', ...sayUnreached(refused, service.settings) }];
  const findings: Finding[] = [{ check: 'service', ...good(askedFromHere) }];
  if (refused instanceof CodedError) return [...findings, { check: 'credentials', ...fault(refused.message) }];
  say('Asking for the users …');
  findings.push({ check: 'users', ...good(sayUsers(await service.userPages())) });
  say('Asking for the list of deliveries …');
  const pages = await service.deliveryPages();
  say('Asking for recipients, broadcasts and content items …');
  if (pages instanceof UnavailableError) findings.push({ check: 'list', ...sayNoList(pages) });
  else {
    const account = await readAccount(service, await readDeliveries(pages, service.report, service.tally));
    findings.push(...(await runChecks(checksOfAccount, account, say)));
  }
  return [...findings, ...(await runChecks(checksOfTraffic, service, say))];
}

/** Fetches a token, and another one with the refresh token as in the middle of a run: the coverage says how that went. */
async function signIn({ tokens }: AskedService): Promise<void> {
  const token = await tokens.access();
  await attempt(UnavailableError, tokens.access(token));
}

/** The interface's own example of an authenticated request; no digest needs its answer. */
function sayUsers(users: ListPage[] | UnavailableError): string {
  if (users instanceof UnavailableError) return `${users.message}. No digest needs the users.`;
  const entries = users.flatMap(({ rows }) => rows).length;
  return `GET /v1/users is answered, with ${count(entries, 'entry', 'entries')}.`;
}

const askedFromHere = 'The service was asked from this machine; "doctor --deployed" has the deployed worker ask.';

/** Why the service gives no token, and which setting may help. */
function sayUnreached({ message, unavailable }: UnavailableError, { baseUrl }: AskedService['settings']): Remark {
  const { reason, status } = unavailable;
  const where = ['service.baseUrl', 'the address of the account with its path, as for --service-url'] as const;
  if (reason === 'redirected') return fault(`${message}. The service is at another address.`, ...where);
  if (/no answer in time/.test(message)) return fault(`${message}.`, 'service.timeout', 'more seconds');
  // So does a server answer that speaks TLS.
  if (baseUrl.startsWith('http:') && (status === 400 || message.endsWith(': connection lost')))
    return fault(`${message}. What is there may want https.`, ...where);
  const ofNetwork = /: (?:certificate of an unknown authority|certificate that .*|refused by the proxy)$/;
  const isElsewhere = status === 404 || reason === 'unreadable' || (status === undefined && !ofNetwork.test(message));
  return fault(`${withAdvice({ message, unavailable })} ${askedFromHere}`, ...(isElsewhere ? where : []));
}

/** Why the list is unavailable, and which setting may help. */
function sayNoList({ message, unavailable }: UnavailableError): Remark {
  const { reason, status } = unavailable;
  if (reason === 'unreadable')
    return fault(`${message}. No setting says which list is meant: ask the maintainers of this code.`);
  if (status === 404 || status === 405 || reason === 'redirected')
    return fault(`${message}.`, 'service.deliveries.path', "the path that the account's documentation gives");
  if (reason !== 'refused') return fault(withAdvice({ message, unavailable }));
  const value = 'the parameters that the service asks for, such as {"from": "…"}';
  return fault(`${message}. It may need parameters.`, 'service.deliveries.query', value);
}

/** A text as a browser shows it that takes it for HTML without elements. */
function decodeEntities(text: string | null): string | null {
  const [area] = parseFragment(`<textarea>${text ?? ''}`).childNodes;
  const [content] = area !== undefined && 'childNodes' in area ? area.childNodes : [];
  return content !== undefined && 'value' in content ? content.value : text;
}

const checksOfAccount: Checks<Account> = {
  /** Which statuses there are, and those under which people have seen deliveries although they are not wanted. */
  async *statuses({ rows, deliveries, wanted, report: { statuses }, recipients }) {
    const counts = countWords(deliveries.map(({ status }) => status));
    const setting = 'reports[].statuses';
    if (wanted.length === 0) {
      const none = `No delivery has a wanted status: ${listCounts(counts)}.`;
      if (deliveries.length > 0) yield fault(none, setting, JSON.stringify(Object.keys(counts)));
      else if (rows > 0) yield fault('No row of the list has an id.');
      else yield look('The list is empty: nothing further can be examined. Try again once something has been sent.');
      return;
    }
    const silence = `that nobody has seen one is said of ${statuses.join(', ')} alone ("${setting}").`;
    yield good(`The list has ${listCounts(counts)}. The digest counts what anybody saw; ${silence}`);
    const others = deliveries.filter(({ status }) => !isWantedStatus(status, { statuses }));
    for (const [status, same] of [...Map.groupBy(others, (other) => other.status)].slice(0, mostStatuses)) {
      const lists = await Promise.all(same.slice(0, seenDeliveries).map(({ id }) => recipients(id)));
      const seen = lists.filter((list) => !('reason' in list) && reachedNow(list) >= seenBy);
      const found = `People have seen deliveries whose status is "${shortened(status)}".`;
      if (seen.length === seenDeliveries) yield look(found, setting, JSON.stringify([...statuses, status]));
    }
  },

  /**
   * Whether a report that is not about all broadcasts is about a listed one, by the list or by what some broadcasts say; and whether
   * it would be about others if names were not written as in HTML: nothing else reads them so.
   */
  async *slice({ report, deliveries, broadcast: read }) {
    if ((report.only ?? report.except) === undefined || deliveries.length === 0) return;
    const ids = new Set(deliveries.map(({ broadcast }) => broadcast.id).filter((id) => id !== ''));
    const asked = [...ids].slice(0, mostBroadcasts);
    const broadcasts = new Map(await Array.fromAsync(asked, async (id) => [id, await read(id)] as const));
    const { only = {}, except } = report;
    const filters = [only, except ?? {}];
    const listed = deliveries.map(({ broadcast }) => {
      const detail = broadcasts.get(broadcast.id);
      const { name, createdBy, contents } =
        detail === undefined || 'reason' in detail ? { name: null, createdBy: null, contents: null } : detail;
      return { ...broadcast, name: broadcast.name ?? name, createdMs: null, createdBy, contents };
    });
    const isMetDecoded = listed.some((facts) => {
      const decoded = { ...facts, name: decodeEntities(facts.name), createdBy: decodeEntities(facts.createdBy) };
      return filters.some((filter) => meetsFilter(facts, filter) === false && meetsFilter(decoded, filter) === true);
    });
    if (isMetDecoded)
      yield look('Some names have entities of HTML, such as "&amp;": write them so in "only" and "except", too.');
    const notExcepted = listed.filter((facts) => except === undefined || meetsFilter(facts, except) !== true);
    const meets = new Set(notExcepted.map((facts) => meetsFilter(facts, only)));
    const fields = [...meets].filter((met) => typeof met === 'string');
    const unsaid = fields.map((field) => ` Of some, the service does not say "${field}".`);
    const none = `None of the broadcasts looked at is one that the report is about.${unsaid.join('')}`;
    if (meets.has(true)) yield good('The report is about broadcasts that are listed.');
    else yield look(`${none} Compare "only" and "except" with what the service has.`);
  },

  /** One thing that is not there (404, 410) says nothing about the others of its kind, where some were read. */
  *missing({ missing, lists, tally }) {
    if (lists.length > 0 && lists.every(({ listed }) => listed === 0))
      yield look('Nobody has engaged with the deliveries examined: try again once someone has.');
    for (const { name, unavailable, read } of missing)
      if (read.length === 0 || !isGoneForGood(unavailable)) yield fault(describeUnavailable(name, unavailable));
    const fields = Object.keys(tally.coverage.missingFields).filter((field) => field.startsWith('recipient'));
    if (fields.length > 0) yield fault(`Documented fields are missing: ${fields.join(', ')}.`);
  },

  /** Dates that are read in the report's zone, and those that cannot be read. */
  *dates({ tally, report: { schedule } }) {
    const formats = readingsOf(tally, 'dates');
    const local = formats.filter((format) => format === 'ISO 8601 without offset' || format === 'date only');
    const zone = "the zone of the account's clock, where it is another";
    const readIn = `Dates are written as ${local.join(', ')}, which is read in ${schedule.timeZone}.`;
    if (local.length > 0) yield look(readIn, 'reports[].schedule.timeZone', zone);
    if (formats.includes('unreadable'))
      yield look('Some dates cannot be read: they count as seen, at an unknown time.');
  },

  /** Which types of content items were met: whether people are expected to respond to one shows in what they did. */
  'content types'({ types }) {
    const quoted = [...types].toSorted().map((type) => `"${shortened(type)}"`);
    return types.size === 0 ? null : good(`Content items: ${quoted.join(', ')}.`);
  },

  'delivery lists'({ items, settings }) {
    const lists = [...new Set(items.map(({ ofDelivery }) => ofDelivery))];
    return sayAudience(lists, 'service.deliveryRecipients', settings.deliveryRecipients);
  },

  'content lists'({ items, settings }) {
    const lists = items.map(({ list }) => list);
    return sayAudience(lists, 'service.contentRecipients', settings.contentRecipients);
  },

  /** Which filter to configure where the ratings of a rating item are not read. */
  async ratings({ items, tally, settings: { ratingFilter }, readItem }) {
    const rated = items.find(({ content, list }) => isRated(content.type) && engagedBy(list, Infinity).responded > 0);
    if (rated === undefined || rated.list.ratings !== undefined) return null;
    const { ratingsUnavailable: unavailable } = rated.facts;
    const filtered = readingsOf(tally, 'ratings').filter((reading) => reading.startsWith('filter'));
    const setting = 'service.ratingFilter';
    if (unavailable !== undefined && filtered.length === 0)
      return isGoneForGood(unavailable) ? null : look(describeUnavailable('The breakdown of ratings', unavailable));
    const off = 'Rows contain no rating, and the filter is off: the digest shows no ratings.';
    if (ratingFilter === 'off') return look(off, setting, '{"name": "rating"}');
    const none = `Rows contain no rating, and counting with "${ratingFilter.name}" gives none: ${filtered.join(', ')}.`;
    for (const name of new Set([ratingFilter.name, ...otherFilters])) {
      for (const [lowest, highest] of scales) {
        const values = Array.from({ length: highest - lowest + 1 }, (_, step) => String(lowest + step));
        const { list } = await readItem(rated, { name, values }, createTally());
        if (list?.ratings === undefined) continue;
        const found = `${none} "${name}" adds up with the values ${lowest} to ${highest}.`;
        return look(found, setting, JSON.stringify({ name, values }));
      }
    }
    return look(none, setting, '"off", or the name that the service gives the filter, with the values that it knows');
  },
};

/** What all requests met, and how the answers were read. */
const checksOfTraffic: Checks<AskedService> = {
  *paging({ tally }) {
    const signs = readingsOf(tally, 'sign of more');
    const quoted = signs.map((sign) => `"${sign}"`).join(', ');
    const advice = signs.some((sign) => sign.endsWith(addressMark))
      ? 'An address of another scheme, host or port is never followed.'
      : 'If the name means something else, add it to "service.notPaging".';
    const value = 'the query parameter by which lists go on, such as {"offsetAs": "offset"} or {"pageAs": "page"}';
    for (const endpoint of Object.keys(tally.coverage.cutOff)) {
      const goesOn = `A list of the endpoint "${endpoint}" says that there is more (${quoted}), but not in a way that can be followed`;
      yield look(`${goesOn}: it may be cut off. ${advice}`, 'service.paging', value);
    }
  },

  /** What throttled the doctor, or was too slow for it; how often is among the counts of all requests. */
  *limits({ tally, settings: { concurrency, timeout } }) {
    const isMet = (word: string) => Object.values(tally.coverage.requests).some((counts) => word in counts);
    if (isMet('429') || isMet('503'))
      yield look('The service asked to slow down.', 'service.concurrency', `less than ${concurrency}`);
    if (isMet('no answer in time'))
      yield look(`Some requests got no answer in ${timeout} seconds.`, 'service.timeout', `more than ${timeout}`);
  },

  texts({ tally: { coverage } }) {
    const texts = coverage.readings['texts']?.[illegible] ?? 0;
    const sentence = `${count(texts, 'name or word has', 'names and words have')} characters that cannot be read: their bytes are not in the charset that the answer declares. Tell the service's contact.`;
    return texts === 0 ? null : look(sentence);
  },

  requests: ({ tally: { coverage } }) => sayCounts(coverage.requests),

  reading: ({ tally: { coverage } }) =>
    sayCounts({
      ...coverage.readings,
      'missing fields': coverage.missingFields,
      'lists that may be cut off': coverage.cutOff,
    }),
};

/** A line of the coverage for each thing that was counted. */
function sayCounts(countsByThing: Readonly<Record<string, Counts>>): Remark[] {
  const entries = Object.entries(countsByThing).filter(([, counts]) => Object.keys(counts).length > 0);
  return entries.map(([thing, counts]) => good(`${thing}: ${listCounts(counts)}.`));
}

/** Words with their counts: "scheduled (3), delivered (78)". */
function listCounts(counts: Counts): string {
  const listed = Object.entries(counts).map(([word, times]) => `${shortened(word)} (${times})`);
  return listed.join(', ');
}

/** Who is on the lists, by the rule by which a run decides it over all of its lists, with the counts of these few. */
function sayAudience(lists: readonly ListFacts[], setting: string, configured: string): Remark | null {
  if (lists.length === 0) return null;
  const rows = lists.reduce((sum, { listed }) => sum + listed, 0);
  const untouched = lists.reduce((sum, list) => sum + list.untouched, 0);
  const value = haveUntouched(lists) === true ? 'audience' : 'engaged';
  const who = value === 'audience' ? 'the audience' : 'those who engaged';
  const reading = `${untouched} of ${rows} rows are of people who did nothing yet: the lists are read as ${who}.`;
  if (configured === 'auto' || configured === value) return good(reading);
  return look(`${reading} The setting says otherwise.`, setting, `"${value}"`);
}

/** Other names that a service may have for a filter by ratings, among them those of fields for a rating. */
const otherFilters = ['rating', 'ratings', 'rating[]', 'ratings[]', 'score', 'stars', 'value'];
/** The first and last value of the scales that are tried: the second has all values of the others, but a service may refuse 0. */
const scales = [
  [1, 5],
  [0, 10],
  [1, 10],
] as const;

/** What the collector recorded as unavailable, in a sentence. */
function describeUnavailable(name: string, { reason, status }: Unavailable): string {
  return `${name} is unavailable: ${reason}${status === undefined ? '' : ` (${status})`}.`;
}

/** The ways in which something that the interface does not specify was read. */
function readingsOf({ coverage }: Tally, aspect: string): string[] {
  return Object.keys(coverage.readings[aspect] ?? {});
}

/** A word of the service's, in no more than so many letters. */
function shortened(word: string): string {
  return word.slice(0, 40);
}
