import { isRated, type RatingFilter } from '../../../functions/collect/items.ts';
import { typeAsks } from '../../../functions/domain/broadcasts.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { addCount, createCounts } from '../../../functions/domain/counts-by-word.ts';
import type { Unavailable } from '../../../functions/domain/reasons.ts';
import { isObject } from '../../../functions/json-object.ts';
import type { Engagement } from '../../../functions/ledger/runs/collections.ts';
import { mergeCoverage, type Tally } from '../../../functions/reporting-service/coverage.ts';
import { CredentialsError, type Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { claimsOf, tokenUsableForMs } from '../../../functions/reporting-service/tokens/token-lifetime.ts';
import { UnavailableError } from '../../../functions/reporting-service/unavailable.ts';
import { areAudiences, haveUntouched } from '../../../functions/run/collection/collected.ts';
import { isGoneForGood } from '../../../functions/run/inclusion.ts';
import {
  attempt,
  nameOfItem,
  openService,
  readBroadcasts,
  readItem,
  readList,
  readListAt,
  readRecipients,
  requestToken,
  type AskedService,
  type Missing,
  type ReadList,
  type Token,
} from './account.ts';
import {
  fault,
  good,
  info,
  look,
  negligibleSkewMs,
  runChecks,
  type Checks,
  type Finding,
  type Said,
} from './finding.ts';

interface Access {
  credentials: Credentials;
  /** Whether this machine's clock is known to be right. */
  clockIsRight: boolean;
}

/**
 * First contact with a service: asks a little of every endpoint by the collector's own code, says how it read what the
 * interface does not specify, and which setting to change where a default is wrong.
 */
export async function examineService(
  configuration: Configuration,
  report: ReportConfiguration,
  { credentials, clockIsRight }: Access,
  say: (text: string) => void,
): Promise<Finding[]> {
  const service = openService(configuration, report, credentials);
  say('Asking for a token …');
  const token = await requestToken(service);
  if (token instanceof UnavailableError) return [{ check: 'reach', ...sayUnreached(token) }];
  if (token instanceof CredentialsError) {
    return [{ check: 'credentials', ...fault(`${token.message} Ask for new ones, or correct them.`) }];
  }
  const findings = await runChecks(checksOfToken, { ...service, ...token, clockIsRight }, say);
  say('Asking for the list of deliveries …');
  const list = await readList(service);
  if (list instanceof UnavailableError) {
    findings.push(...(await runChecks({ list: () => sayNoList(service, list) }, null, say)));
    return [...findings, ...(await runChecks(checksOfTraffic, { ...service, tallies: [] }, say))];
  }
  say('Asking for recipients …');
  const recipients = await readRecipients(service, list);
  say('Asking for broadcasts and content items …');
  const broadcasts = await readBroadcasts(service, recipients);
  const account = { ...service, list, recipients, broadcasts };
  findings.push(...(await runChecks(checksOfAccount, account, say)));
  const tallies = [recipients.tally, ...broadcasts.items.map(({ tally }) => tally), list.tally];
  return [...findings, ...(await runChecks(checksOfTraffic, { ...service, tallies }, say))];
}

type SignedIn = AskedService & Token & Pick<Access, 'clockIsRight'>;

const checksOfToken: Checks<SignedIn> = {
  credentials: () => [good('The service accepts the client id and secret.')],
  token: sayToken,
  "service's clock": sayClock,
  refresh: sayRefresh,
};

/** A little of everything that the account has. */
interface Account extends AskedService {
  list: ReadList;
  recipients: Awaited<ReturnType<typeof readRecipients>>;
  broadcasts: Awaited<ReturnType<typeof readBroadcasts>>;
}

const checksOfAccount: Checks<Account> = {
  list: ({ list: { rows, tally, sample }, settings }) => {
    const [wrapper] = readingsOf(tally, 'deliveries wrapper');
    return [good(`${settings.deliveries.path} lists ${rows} deliveries, in an ${wrapper}.`, sample)];
  },
  paging: sayPaging,
  deliveries: ({ list: { rows, deliveries, tally } }) => {
    if (rows > 0 && deliveries.length === 0) return [fault('No row of the list has an id.')];
    const missing = missingFieldsOf(tally);
    return missing === '' ? [] : [info(`Documented fields are missing in some rows: ${missing}.`)];
  },
  statuses: sayStatuses,
  recipients: sayRecipients,
  responses: ({ recipients: { engaged } }) => {
    const unseen = engaged.reduce((sum, { engagement: { listed, seen } }) => sum + listed - seen, 0);
    if (unseen === 0) return [];
    return [info(`${unseen} recipients are listed who have not seen anything: they are not counted as views.`)];
  },
  dates: sayDates,
  broadcast: ({ broadcasts: { read, missing } }) => [
    ...(read.length === 0 ? [] : [good('A broadcast names its content items.', read[0])]),
    ...sayMissing(missing, read),
  ],
  'content items': ({ broadcasts: { items, missingItems } }) => [
    ...items.map(({ work, engagement, sample }) =>
      good(`${nameOfItem(work.content)} lists ${engagement.listed} recipients.`, sample),
    ),
    ...sayMissing(missingItems, items),
  ],
  'content types': sayTypes,
  'delivery lists': ({ broadcasts: { items }, settings }) => {
    const lists = [...new Set(items.map(({ ofDelivery }) => ofDelivery))];
    return sayAudience(lists, haveUntouched(lists), 'deliveryRecipients', settings);
  },
  'content lists': ({ broadcasts: { items }, settings }) => {
    const isAudience = areAudiences(items.map(({ engagement, ofDelivery }) => ({ item: engagement, own: ofDelivery })));
    const lists = items.map(({ engagement }) => engagement);
    return sayAudience(lists, isAudience, 'contentRecipients', settings);
  },
  ratings: sayRatings,
};

/** What all requests met, and how the answers were read. */
const checksOfTraffic: Checks<AskedService & { tallies: readonly Tally[] }> = {
  limits: sayLimits,
  coverage: ({ traffic, tallies }) => {
    const coverage = mergeCoverage([traffic, ...tallies].map((tally) => tally.coverage));
    return [good('This was asked, and read so.', coverage)];
  },
};

/** Why the service gives no token, and which setting may help. */
function sayUnreached({ message, unavailable: { reason, status } }: UnavailableError): Said {
  const where = { name: 'service.baseUrl', value: 'the address of the account, with its path prefix if it has one' };
  if (reason === 'redirected') return fault(`${message}. The service is at another address.`, where);
  if (/no answer in time/.test(message))
    return fault(`${message}.`, { name: 'service.timeout', value: 'more seconds' });
  const isElsewhere = status === 404 || reason === 'unreadable' || status === undefined;
  return fault(`${message}.`, isElsewhere ? where : undefined);
}

function sayToken({ token, answer }: Token): Said[] {
  const unknownEnd = 'it is used until it is refused.';
  if (claimsOf(token).exp === undefined) return [info(`The token does not say when it expires: ${unknownEnd}`)];
  const usableForMs = tokenUsableForMs(token, answer.receivedAt, answer.headers.get('date'));
  if (usableForMs === null) return [info(`The token has already expired when it arrives: ${unknownEnd}`)];
  return [good(`The token is used for ${Math.round(usableForMs / 1000)} seconds.`)];
}

function sayClock({ answer, clockIsRight }: SignedIn): Said[] {
  const skew = Math.abs(answer.receivedAt - Date.parse(answer.headers.get('date') ?? ''));
  if (Number.isNaN(skew)) return [info('The service does not say what time it is.')];
  if (skew < negligibleSkewMs) return [good("The service's clock agrees with this one.")];
  const found = `The service's clock and this one are ${Math.round(skew / 1000)} seconds apart.`;
  return clockIsRight
    ? [info(`${found} An expired token is replaced after a 401, at the cost of one request.`)]
    : [look(`${found} Check that this one is right: what is due depends on it.`)];
}

/** Fetches a new token with the refresh token, as in the middle of a run. */
async function sayRefresh({ token, answer: { body }, tokens, take }: SignedIn): Promise<Said[]> {
  if (!isObject(body) || typeof body['refresh_token'] !== 'string' || body['refresh_token'] === '')
    return [info('There is no refresh token: the credentials are used each time.')];
  const replaced = await attempt(() => tokens.access(token));
  if (replaced instanceof UnavailableError) return [info(`${replaced.message}.`)];
  return take('refresh') === undefined
    ? [info('The refresh token was refused: the credentials are used each time.')]
    : [good('The refresh token gives a new token.')];
}

/** Other paths at which a service may have its list of deliveries, tried where it is not at the configured one. */
const otherPaths = [
  '/v1/deliveries',
  '/v1/broadcasts/deliveries/recent',
  '/v1/broadcasts',
  '/v1/broadcasts/deliveries',
];

/** Why the list is unavailable, and which setting may help. */
async function sayNoList(service: AskedService, { message, unavailable }: UnavailableError): Promise<Said[]> {
  const { reason, status } = unavailable;
  if (reason === 'unreadable')
    return [fault(`${message}. No setting says which list is meant: ask the maintainers of this code.`)];
  if (reason === 'refused' && status !== 405) {
    const value = 'the parameters that the service asks for, such as {"from": "…"}';
    return [fault(`${message}. It may need parameters.`, { name: 'service.deliveries.query', value })];
  }
  if (status !== 404 && status !== 405 && reason !== 'redirected') return [fault(`${message}.`)];
  const name = 'service.deliveries.path';
  for (const path of otherPaths.filter((other) => other !== service.settings.deliveries.path)) {
    if ((await readListAt(service, path)) instanceof UnavailableError) continue;
    return [fault(`${message}. There is a list at another path.`, { name, value: path })];
  }
  return [fault(`${message}.`, { name, value: "the path that the account's documentation gives" })];
}

function sayPaging({ list, recipients }: Account): Said[] {
  const more = signsOfMore(recipients.tally);
  const notPaging = { name: 'service.notPaging', value: `[${more}], if that means something else` };
  return [
    sayPagingOf(list.tally),
    ...(more === '' ? [] : [look(`A recipient list says that there is more (${more}).`, notPaging)]),
  ];
}

function sayPagingOf(tally: Tally): Said {
  if ((tally.coverage.cutOff['deliveries'] ?? 0) > 0) {
    const value = 'the parameters that make the service list all, such as {"limit": "1000"}';
    const more = `The list says that there is more (${signsOfMore(tally)}), but not in a way that can be followed`;
    const found = `${more}: it may be cut off. If the name means something else, add it to "service.notPaging".`;
    return look(found, { name: 'service.deliveries.query', value });
  }
  const [paging = 'none'] = readingsOf(tally, 'paging');
  return good(paging === 'none' ? 'The list comes in one page.' : `The list continues by ${paging}.`);
}

function sayStatuses({ list: { deliveries, wanted }, report }: Account): Said[] {
  if (deliveries.length === 0)
    return [look('The list is empty: nothing further can be examined. Try again once something has been sent.')];
  const counts = createCounts();
  for (const { status } of deliveries) addCount(counts, status);
  const met = Object.entries(counts)
    .map(([status, times]) => `${times} ${shortened(status)}`)
    .join(', ');
  const name = 'reports[].statuses';
  if (wanted.length === 0)
    return [fault(`No delivery has a wanted status: ${met}.`, { name, value: JSON.stringify(Object.keys(counts)) })];
  if (wanted.length === deliveries.length) return [good(`All deliveries have a wanted status: ${met}.`)];
  return [
    info(`Deliveries with a status other than ${report.statuses.join(', ')} ("${name}") are only counted: ${met}.`),
  ];
}

function sayRecipients({ recipients: { read, engaged, missing, tally } }: Account): Said[] {
  const fields = missingFieldsOf(tally);
  const troubles = [
    ...sayMissing(missing, read),
    ...(fields === '' ? [] : [fault(`Documented fields are missing: ${fields}.`)]),
  ];
  const [first] = engaged;
  if (first === undefined) {
    const nobody = look('Nobody has engaged with the deliveries examined: try again once someone has.');
    return read.length === 0 ? troubles : [nobody, ...troubles];
  }
  const [wrapper = 'bare'] = readingsOf(tally, 'recipient row');
  const shape = wrapper === 'bare' ? '' : `, each in ${wrapper}`;
  return [good(`A recipient list has ${first.engagement.listed} rows${shape}.`, first.sample), ...troubles];
}

function sayDates({ recipients: { tally }, report }: Account): Said[] {
  const formats = readingsOf(tally, 'dates');
  if (formats.length === 0) return [];
  const written = `Dates are written as ${formats.filter((format) => format !== 'unreadable').join(', ') || 'none that can be read'}`;
  const needsZone = formats.includes('ISO 8601 without offset') || formats.includes('date only');
  const zone = { name: 'reports[].schedule.timeZone', value: "the zone of the account's clock, where it is another" };
  const unreadable = tally.coverage.readings['dates']?.['unreadable'] ?? 0;
  return [
    needsZone ? look(`${written}, which is read in ${report.schedule.timeZone}.`, zone) : good(`${written}.`),
    ...(unreadable === 0 ? [] : [look(`${unreadable} dates cannot be read: they count as seen, at an unknown time.`)]),
  ];
}

/** Below this many views, what share of them responded says more about chance than about a type. */
const viewsForARate = 10;

/**
 * Which types of content items were met, and whether each is read as one that asks for a response. Worth a look are types
 * whose recipients did otherwise, and an account in which nothing asks: its mail has no response rate.
 */
function sayTypes({ broadcasts: { types, items }, settings: { informingTypes } }: Account): Said[] {
  if (types.length === 0) return [];
  const name = 'service.informingTypes';
  const met = [...new Set(types)].toSorted();
  const asks = (type: string): boolean => typeAsks(type, informingTypes);
  const informing = met.filter((type) => !asks(type));
  const found = `Content items that ask for a response: ${listed(met.filter(asks))}. Items that only inform: ${listed(informing)}.`;
  if (informing.length === met.length) {
    const value = 'without the types that ask for a response';
    return [look(`${found} So the mail has no response rate.`, { name, value })];
  }
  const rated = items.filter(({ engagement: { seen } }) => seen >= viewsForARate);
  for (const { work, engagement } of rated) {
    const { type } = work.content;
    const { seen, responded } = engagement;
    if (asks(type) && responded === 0) {
      const value = `with ${listed([type])}, if it only informs`;
      return [look(`${found} None of ${seen} who saw a ${listed([type])} responded.`, { name, value })];
    }
    if (!asks(type) && responded * 2 >= seen) {
      const value = `without ${listed([type])}, if it asks`;
      return [look(`${found} ${responded} of ${seen} who saw a ${listed([type])} responded.`, { name, value })];
    }
  }
  return [good(found)];
}

function listed(types: readonly string[]): string {
  return types.map((type) => `"${shortened(type)}"`).join(', ') || 'none';
}

/** Who is on the lists, by the rule by which a run decides it over all of its lists, with the counts of these few. */
function sayAudience(
  lists: readonly Engagement[],
  isAudience: boolean,
  setting: 'deliveryRecipients' | 'contentRecipients',
  { [setting]: configured }: Configuration['service'],
): Said[] {
  if (lists.length === 0) return [];
  const rows = lists.reduce((sum, { listed }) => sum + listed, 0);
  const untouched = lists.reduce((sum, list) => sum + list.untouched, 0);
  const who = isAudience ? 'the audience' : 'those who engaged';
  const found = `${untouched} of ${rows} rows are of people who did nothing yet: the lists are read as ${who}.`;
  const value = isAudience ? 'audience' : 'engaged';
  if (configured === 'auto' || configured === value) return [good(found)];
  return [look(`${found} The setting says otherwise.`, { name: `service.${setting}`, value: `"${value}"` })];
}

/** Other names that a service may have for a filter by ratings, among them those of fields for a rating. */
const otherFilters = ['rating', 'ratings', 'rating[]', 'ratings[]', 'score', 'stars', 'value'];

/** How the ratings of a rating item were read, and which filter to configure where they were not. */
async function sayRatings({ broadcasts: { items }, ...service }: Account): Promise<Said[]> {
  const { ratingFilter } = service.settings;
  if (items.length === 0) return [];
  const rated = items.find(({ work, engagement }) => isRated(work.content.type) && engagement.responded > 0);
  if (rated === undefined) return [info('No ratings found, so the filter was not tested.')];
  const [reading] = readingsOf(rated.tally, 'ratings');
  if (reading === 'in the rows') return [good('The rows of a rating item contain the ratings.')];
  if (reading === 'by filter') return [good('Ratings are counted by the filter.')];
  const { ratingsUnavailable: unavailable } = rated;
  if (unavailable !== undefined && reading === undefined) {
    const found = describeUnavailable('The breakdown of ratings', unavailable);
    return [isGoneForGood(unavailable) ? info(found) : look(found)];
  }
  const name = 'service.ratingFilter';
  if (ratingFilter === 'off') {
    const found = 'Rows contain no rating, and the filter is off: the digest shows no ratings.';
    return [look(found, { name, value: '{"name": "rating"}' })];
  }
  const found = `Rows contain no rating, and counting with "${ratingFilter.name}" gives none: ${reading}.`;
  for (const filter of otherFilters.filter((other) => other !== ratingFilter.name)) {
    const other: RatingFilter = { ...ratingFilter, name: filter };
    if ((await readItem(service, rated.work, other)).ratings !== undefined)
      return [look(found, { name, value: JSON.stringify(other) })];
  }
  const value = '"off", or the name that the service gives the filter, with the values that it knows';
  return [look(found, { name, value })];
}

function sayLimits({ traffic, settings }: AskedService): Said[] {
  const count = (word: string): number =>
    Object.values(traffic.coverage.requests).reduce((sum, byStatus) => sum + (byStatus[word] ?? 0), 0);
  const throttled = count('429') + count('503');
  const late = count('no answer in time');
  const fewer = { name: 'service.concurrency', value: `less than ${settings.concurrency}` };
  const longer = { name: 'service.timeout', value: `more than ${settings.timeout}` };
  return [
    ...(throttled === 0 ? [] : [look(`The service asked ${throttled} times to slow down.`, fewer)]),
    ...(late === 0 ? [] : [look(`${late} requests were not answered within ${settings.timeout} seconds.`, longer)]),
  ];
}

/** What the collector recorded as unavailable, in a sentence. */
function describeUnavailable(what: string, { reason, status }: Unavailable): string {
  return `${what} is unavailable: ${reason}${status === undefined ? '' : ` (${status})`}.`;
}

/**
 * What to say of things that are unavailable. One that is not there (404, 410) says nothing about the others of its kind where
 * some were read; any other reason is a fault.
 */
function sayMissing(missing: readonly Missing[], read: readonly unknown[]): Said[] {
  return missing.map(({ what, unavailable }) => {
    const found = describeUnavailable(what, unavailable);
    return read.length > 0 && isGoneForGood(unavailable) ? info(found) : fault(found);
  });
}

/** The documented fields that rows lack. */
function missingFieldsOf({ coverage }: Tally): string {
  return Object.keys(coverage.missingFields).join(', ');
}

/** The ways in which something that the interface does not specify was read. */
function readingsOf({ coverage }: Tally, what: string): string[] {
  return Object.keys(coverage.readings[what] ?? {});
}

/** The names by which lists said that there is more, as `service.notPaging` takes them. */
function signsOfMore(tally: Tally): string {
  return readingsOf(tally, 'sign of more')
    .map((sign) => `"${sign}"`)
    .join(', ');
}

/** A word of the service's, in no more than so many letters. */
function shortened(word: string): string {
  return word.slice(0, 40);
}
