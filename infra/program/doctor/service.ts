import { isRated } from '../../../functions/collect/ratings.ts';
import { haveUntouched } from '../../../functions/digest/account.ts';
import { meetsFilter } from '../../../functions/digest/slice.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { countWords, type Counts } from '../../../functions/domain/counts-by-word.ts';
import { isGoneForGood, type Unavailable } from '../../../functions/domain/reasons.ts';
import { count } from '../../../functions/domain/wording.ts';
import { countsAt, type ListFacts } from '../../../functions/domain/facts.ts';
import { addressMark, createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import { CredentialsError, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { withAdvice } from '../../../functions/reporting-service/requests/failure.ts';
import { UnavailableError } from '../../../functions/reporting-service/requests/request.ts';
import { openService, readAccount, readList, type Account, type AskedService } from './account.ts';
import { attempt, fault, good, look, runChecks, type Checks, type Finding, type Remark, type Say } from './finding.ts';

/**
 * First contact with a service: asks a little of every endpoint by the collector's own code, says which setting to change where
 * a default is wrong, and how it read what the interface does not specify.
 */
export async function examineService(
  configuration: Configuration,
  report: ReportConfiguration,
  credentials: Credentials,
  say: Say,
): Promise<Finding[]> {
  const service = openService(configuration, report, credentials, say);
  say('Asking for a token …');
  const refused = await signIn(service);
  const findings: Finding[] = [{ check: 'service', ...good(askedFromHere) }];
  if (refused !== null) return refused.check === 'reach' ? [refused] : [...findings, refused];
  say('Asking for the users …');
  findings.push({ check: 'users', ...(await sayUsers(service)) });
  say('Asking for the list of deliveries …');
  const list = await readList(service);
  say('Asking for recipients, broadcasts and content items …');
  const accountFindings =
    list instanceof UnavailableError
      ? [{ check: 'list', ...sayNoList(list) }]
      : await runChecks(checksOfAccount, await readAccount(service, list), say);
  return [...findings, ...accountFindings, ...(await runChecks(checksOfTraffic, service, say))];
}

/**
 * Fetches a token, and another one with the refresh token as in the middle of a run: the coverage says how that went. Returns why
 * there is no token.
 */
async function signIn({ tokens }: AskedService): Promise<Finding | null> {
  try {
    const token = await tokens.access();
    await attempt(UnavailableError, () => tokens.access(token));
    return null;
  } catch (error) {
    if (error instanceof UnavailableError) return { check: 'reach', ...sayUnreached(error) };
    if (!(error instanceof CredentialsError)) throw error;
    return { check: 'credentials', ...fault(error.message) };
  }
}

/** The interface's own example of an authenticated request; no digest needs its answer. */
async function sayUsers(service: AskedService): Promise<Remark> {
  const users = await service.userPages();
  if (users instanceof UnavailableError) return good(`${users.message}. No digest needs the users.`);
  const entries = users.reduce((sum, { rows }) => sum + rows.length, 0);
  return good(`GET /v1/users is answered, with ${count(entries, 'entry', 'entries')}.`);
}

const checksOfAccount: Checks<Account> = {
  statuses: sayStatuses,
  slice: saySlice,
  missing: sayMissing,
  dates: sayDates,
  'content types': sayTypes,
  'delivery lists': ({ items, settings }) => {
    const lists = [...new Set(items.map(({ ofDelivery }) => ofDelivery))];
    return sayAudience(lists, 'deliveryRecipients', settings);
  },
  'content lists': ({ items, settings }) => {
    const lists = items.map(({ list }) => list);
    return sayAudience(lists, 'contentRecipients', settings);
  },
  ratings: sayRatings,
};

/** What all requests met, and how the answers were read. */
const checksOfTraffic: Checks<AskedService> = {
  paging: sayPaging,
  limits: sayLimits,
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
  return Object.entries(counts)
    .map(([word, times]) => `${shortened(word)} (${times})`)
    .join(', ');
}

const askedFromHere = 'The service was asked from this machine; "doctor --deployed" has the deployed worker ask.';

/** Why the service gives no token, and which setting may help. */
function sayUnreached({ message, unavailable }: UnavailableError): Remark {
  const { reason, status } = unavailable;
  const where = { name: 'service.baseUrl', value: 'the address of the account with its path, as for --service-url' };
  if (reason === 'redirected') return fault(`${message}. The service is at another address.`, where);
  if (/no answer in time/.test(message))
    return fault(`${message}.`, { name: 'service.timeout', value: 'more seconds' });
  const isElsewhere = status === 404 || reason === 'unreadable' || status === undefined;
  return fault(`${withAdvice({ message, unavailable })} ${askedFromHere}`, isElsewhere ? where : undefined);
}

/** Why the list is unavailable, and which setting may help. */
function sayNoList({ message, unavailable }: UnavailableError): Remark {
  const { reason, status } = unavailable;
  if (reason === 'unreadable')
    return fault(`${message}. No setting says which list is meant: ask the maintainers of this code.`);
  if (reason === 'refused' && status !== 405) {
    const value = 'the parameters that the service asks for, such as {"from": "…"}';
    return fault(`${message}. It may need parameters.`, { name: 'service.deliveries.query', value });
  }
  if (status !== 404 && status !== 405 && reason !== 'redirected') return fault(withAdvice({ message, unavailable }));
  const value = "the path that the account's documentation gives";
  return fault(`${message}.`, { name: 'service.deliveries.path', value });
}

function sayPaging({ tally }: AskedService): Remark[] {
  const signs = readingsOf(tally, 'sign of more');
  const quoted = signs.map((sign) => `"${sign}"`).join(', ');
  const isAddress = signs.some((sign) => sign.endsWith(addressMark));
  const advice = isAddress
    ? 'An address of another scheme, host or port is never followed.'
    : 'If the name means something else, add it to "service.notPaging".';
  const value = 'the query parameter by which lists go on, such as {"offsetAs": "offset"} or {"pageAs": "page"}';
  return Object.keys(tally.coverage.cutOff).map((endpoint) => {
    const goesOn = `A list of the endpoint "${endpoint}" says that there is more (${quoted}), but not in a way that can be followed`;
    return look(`${goesOn}: it may be cut off. ${advice}`, { name: 'service.paging', value });
  });
}

function sayStatuses({ rows, deliveries, wanted, report }: Account): Remark[] {
  if (rows > 0 && deliveries.length === 0) return [fault('No row of the list has an id.')];
  if (deliveries.length === 0)
    return [look('The list is empty: nothing further can be examined. Try again once something has been sent.')];
  const counts = countWords(deliveries.map(({ status }) => status));
  const statuses = listCounts(counts);
  if (wanted.length > 0)
    return [
      good(`The list has ${statuses}; the digest is about ${report.statuses.join(', ')} ("reports[].statuses").`),
    ];
  const setting = { name: 'reports[].statuses', value: JSON.stringify(Object.keys(counts)) };
  return [fault(`No delivery has a wanted status: ${statuses}.`, setting)];
}

/** So many broadcasts are asked for at most, to see whether a report is about one. */
const mostBroadcasts = 50;

/** Whether a report that is not about all broadcasts is about a listed one, by the list or by what some broadcasts say. */
async function saySlice({ report, deliveries, broadcast: read }: Account): Promise<Remark[]> {
  if ((report.only ?? report.except) === undefined || deliveries.length === 0) return [];
  const ids = new Set(deliveries.map(({ broadcast }) => broadcast.id).filter((id) => id !== ''));
  const asked = [...ids].slice(0, mostBroadcasts);
  const broadcasts = new Map(await Array.fromAsync(asked, async (id) => [id, await read(id)] as const));
  const meets = deliveries.map(({ broadcast }) => {
    const detail = broadcasts.get(broadcast.id);
    const { name, createdBy, contents } =
      detail === undefined || 'reason' in detail ? { name: null, createdBy: null, contents: null } : detail;
    const facts = { ...broadcast, name: broadcast.name ?? name, createdMs: null, createdBy, contents };
    const isExcepted = report.except !== undefined && meetsFilter(facts, report.except) === true;
    return isExcepted ? false : meetsFilter(facts, report.only ?? {});
  });
  if (meets.includes(true)) return [good('The report is about broadcasts that are listed.')];
  const unsaid = [...new Set(meets.filter((met) => typeof met === 'string'))].map(
    (field) => ` Of some, the service does not say "${field}".`,
  );
  const compare = 'Compare "only" and "except" with what the service has.';
  return [look(`None of the broadcasts looked at is one that the report is about.${unsaid.join('')} ${compare}`)];
}

/** One thing that is not there (404, 410) says nothing about the others of its kind, where some were read. */
function sayMissing({ missing, lists, tally }: Account): Remark[] {
  const troubles = missing.filter(({ unavailable, read }) => read.length === 0 || !isGoneForGood(unavailable));
  const fields = Object.keys(tally.coverage.missingFields).filter((field) => field.startsWith('recipient'));
  const isUntouched = lists.length > 0 && lists.every(({ listed }) => listed === 0);
  return [
    ...(isUntouched ? [look('Nobody has engaged with the deliveries examined: try again once someone has.')] : []),
    ...troubles.map(({ name, unavailable }) => fault(describeUnavailable(name, unavailable))),
    ...(fields.length > 0 ? [fault(`Documented fields are missing: ${fields.join(', ')}.`)] : []),
  ];
}

/** Dates that are read in the report's zone, and those that cannot be read. */
function* sayDates({ tally, report }: Account): Generator<Remark> {
  const formats = readingsOf(tally, 'dates');
  const local = formats.filter((format) => format === 'ISO 8601 without offset' || format === 'date only');
  const zone = { name: 'reports[].schedule.timeZone', value: "the zone of the account's clock, where it is another" };
  if (local.length > 0)
    yield look(`Dates are written as ${local.join(', ')}, which is read in ${report.schedule.timeZone}.`, zone);
  if (formats.includes('unreadable')) yield look('Some dates cannot be read: they count as seen, at an unknown time.');
}

/** Which types of content items were met: whether people are expected to respond to one shows in what they did. */
function sayTypes({ types }: Account): Remark[] {
  return types.size === 0 ? [] : [good(`Content items: ${listed([...types].toSorted())}.`)];
}

function listed(types: readonly string[]): string {
  return types.map((type) => `"${shortened(type)}"`).join(', ') || 'none';
}

/** Who is on the lists, by the rule by which a run decides it over all of its lists, with the counts of these few. */
function sayAudience(
  lists: readonly ListFacts[],
  setting: 'deliveryRecipients' | 'contentRecipients',
  { [setting]: configured }: Configuration['service'],
): Remark[] {
  if (lists.length === 0) return [];
  const rows = lists.reduce((sum, { listed }) => sum + listed, 0);
  const untouched = lists.reduce((sum, list) => sum + list.untouched, 0);
  const isAudience = haveUntouched(lists) === true;
  const who = isAudience ? 'the audience' : 'those who engaged';
  const reading = `${untouched} of ${rows} rows are of people who did nothing yet: the lists are read as ${who}.`;
  const value = isAudience ? 'audience' : 'engaged';
  if (configured === 'auto' || configured === value) return [good(reading)];
  return [look(`${reading} The setting says otherwise.`, { name: `service.${setting}`, value: `"${value}"` })];
}

/** Other names that a service may have for a filter by ratings, among them those of fields for a rating. */
const otherFilters = ['rating', 'ratings', 'rating[]', 'ratings[]', 'score', 'stars', 'value'];
/** The scales that are tried, with their first and last value: the second has all values of the others, but a service may refuse 0. */
const scales = { '1 to 5': [1, 5], '0 to 10': [0, 10], '1 to 10': [1, 10] } as const;

const respondedOf = ({ moments, undated }: ListFacts): number =>
  countsAt(moments, Infinity).responded + undated.responded;

/** Which filter to configure where the ratings of a rating item are not read. */
async function sayRatings({ items, tally, settings: { ratingFilter }, readItemWith }: Account): Promise<Remark[]> {
  const rated = items.find(({ content, list }) => isRated(content.type) && respondedOf(list) > 0);
  if (rated === undefined || rated.list.ratings !== undefined) return [];
  const { ratingsUnavailable: unavailable } = rated.facts;
  const filtered = readingsOf(tally, 'ratings').filter((reading) => reading.startsWith('filter'));
  if (unavailable !== undefined && filtered.length === 0) {
    return isGoneForGood(unavailable) ? [] : [look(describeUnavailable('The breakdown of ratings', unavailable))];
  }
  const name = 'service.ratingFilter';
  if (ratingFilter === 'off') {
    const off = 'Rows contain no rating, and the filter is off: the digest shows no ratings.';
    return [look(off, { name, value: '{"name": "rating"}' })];
  }
  const none = `Rows contain no rating, and counting with "${ratingFilter.name}" gives none: ${filtered.join(', ')}.`;
  for (const filter of new Set([ratingFilter.name, ...otherFilters])) {
    for (const [scale, [lowest, highest]] of Object.entries(scales)) {
      const values = Array.from({ length: highest - lowest + 1 }, (_, step) => String(lowest + step));
      const candidate = { name: filter, values };
      const { list } = await readItemWith(candidate, createTally(), rated);
      if (list?.ratings === undefined) continue;
      const setting = { name, value: JSON.stringify(candidate) };
      return [look(`${none} "${filter}" adds up with the values ${scale}.`, setting)];
    }
  }
  const value = '"off", or the name that the service gives the filter, with the values that it knows';
  return [look(none, { name, value })];
}

/** What throttled the doctor, or was too slow for it; how often is among the counts of all requests. */
function* sayLimits({ tally, settings: { concurrency, timeout } }: AskedService): Generator<Remark> {
  const isMet = (word: string) => Object.values(tally.coverage.requests).some((counts) => word in counts);
  const fewer = { name: 'service.concurrency', value: `less than ${concurrency}` };
  const longer = { name: 'service.timeout', value: `more than ${timeout}` };
  if (isMet('429') || isMet('503')) yield look('The service asked to slow down.', fewer);
  if (isMet('no answer in time')) yield look(`Some requests got no answer in ${timeout} seconds.`, longer);
}

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
