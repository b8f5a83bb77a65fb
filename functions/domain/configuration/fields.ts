import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { periodKindNames, weekdays, type PeriodKind } from '../period.ts';
import { expected, expectedUnseen, nearest, shown } from './fault.ts';

/**
 * An object with these fields and no other: a misspelt one would otherwise silently get its default. A missing field is
 * reported with what is expected there. The message of an unknown one only names the fields that there are, because it is
 * made without the field's own name.
 */
export function fields<const E extends v.ObjectEntries>(
  entries: E,
): v.GenericSchema<v.InferInput<v.ObjectSchema<E, undefined>>, v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const names = Object.keys(entries).join(', ');
  const object = v.objectWithRest(entries, v.never(names), (issue) => {
    const missing = entries[String(issue.path?.[0].key)];
    const fault = missing && v.safeParse(missing, undefined).issues?.[0].message;
    return fault ?? expected(`an object with ${names}`)(issue);
  });
  const noList = v.custom<v.InferInput<typeof object>>(
    (input) => !Array.isArray(input),
    'Expected an object, found a list.',
  );
  return v.pipe(noList, object);
}

/** The two schemas of each `either`, for whoever describes it. */
export const optionsOfEither = new Map<unknown, readonly [v.GenericSchema, v.GenericSchema]>();

/** One of two schemas: the first where that is what a value seems to be meant as, so that faults are told by what was meant. */
export function either<const A extends v.GenericSchema, const B extends v.GenericSchema>(
  isFirst: (input: unknown) => boolean,
  first: A,
  second: B,
) {
  const schema = v.lazy((input): A | B => (isFirst(input) ? first : second));
  optionsOfEither.set(schema, [first, second]);
  return schema;
}

function matching(pattern: RegExp, description: string) {
  const fault = expected(description);
  return v.pipe(v.string(fault), v.regex(pattern, fault));
}

/** A text that must not be repeated: it may be an address, or whatever somebody has put there. */
export function textThat(matches: (text: string) => boolean, description: string) {
  const fault = expectedUnseen(description);
  return v.pipe(v.string(fault), v.check(matches, fault));
}

/** A text to show: one line without control characters, since it may become part of a mail's headers. */
export function text(maxLength: number) {
  const fault = expected(`a text of 1 to ${maxLength} characters on one line, without spaces at its start or end`);
  return v.pipe(
    v.string(fault),
    v.maxLength(maxLength, fault),
    v.regex(/^(?!\s)[^\p{Cc}\u2028\u2029]+(?<!\s)$/u, fault),
  );
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  const fault = expected(`a whole number from ${min} to ${max}`);
  return v.pipe(v.number(fault), v.integer(fault), v.minValue(min, fault), v.maxValue(max, fault));
}

const share = expected('a number above 0, at most 1');

/** A part of something, 1 is all. */
export const Share = v.pipe(
  v.number(share),
  v.check((value) => value > 0 && value <= 1, share),
);

export function oneOf<const T extends readonly string[]>(words: T) {
  return v.picklist(words, expected(`one of ${words.map((word) => `"${word}"`).join(', ')}`));
}

/** What a value is read as; `undefined` where it cannot be. */
function readBy<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** An instant, as it was written. */
export const Instant = textThat(
  (text) => readBy(() => Temporal.Instant.from(text)) !== undefined,
  'an instant, ISO 8601 with Z or an offset',
);

/** The name of a secret that exists. */
export const SecretName = matching(/^[\w/+=.@-]{1,512}$/, 'a name, which is not an ARN');

/**
 * The name of a table that exists: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
 */
export const TableName = matching(/^[\w.-]{3,255}$/, 'the name of a table, which is not an ARN');

/** The service's base address, without a slash at its end. */
export const BaseUrl = v.pipe(
  textThat(
    (text) => /^https?:\/\/[^\s\\?#@]+$/i.test(text) && isSecureOrLoopback(text),
    'an https address (http on loopback only), with or without a path, without query, fragment and credentials',
  ),
  v.transform((value) => new URL(value).href.replace(/\/+$/, '')),
);

function isSecureOrLoopback(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

/** Whether a URL's host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

const linkOfBroadcast = /^https:\/\/[^\s\\@{}/?#]+[/?#][^\s\\@{}]*(?:\{broadcastId\}[^\s\\@{}]*)+$/;

/** The URL of a broadcast's page, with `{broadcastId}` for its id. */
export const BroadcastLink = textThat(
  (text) => linkOfBroadcast.test(text) && URL.canParse(text),
  'an https address with {broadcastId} in its path, query or fragment',
);

/** The address of a page, to which a heading's anchor can be added. */
export const PageAddress = matching(/^https?:\/\/[^\s#@]+$/, 'the address of a page, without "#"');

/** A path below the service's base address. */
export const Path = matching(
  /^\/(?!\/)(?!(?:.*\/)?(?:\.|%2e){1,2}(?:\/|$))[^\s\\?#]*$/i,
  'a path that begins with "/", without query, fragment and ".."',
);

/** The path of a PNG below `templates/`. */
export const ImagePath = matching(
  /^(?=.{1,200}$)[\w-]+(?:\/[\w-]+)*\.png$/,
  'the path of a PNG below "templates/", such as "pictures/logo.png"',
);

export const Colour = matching(/^#[\da-f]{6}$/i, 'a colour such as "#0b57a4"');

/** A run's name is its report's, "_" and at most ten characters; the engine and SES's tags accept names of up to 64. */
export const ReportName = matching(
  /^(?!.*_warning$)[\w-]{1,53}$/i,
  '1 to 53 letters, digits, "-" and "_", without "_warning" at the end',
);

/** It stands in the ids of messages and the names of files. */
export const ChannelName = matching(/^[\w-]{1,40}$/, '1 to 40 letters, digits, "-" and "_"');

/** The time of a clock change is none of them. */
export const Time = matching(/^(?:0[4-9]|1\d|2[01]):[0-5]\d$/, 'a time from "04:00" to "21:59"');

const monday = 'a Monday, such as "2026-11-16"';

const MondayDate = v.pipe(
  matching(/^\d{4}-\d\d-\d\d$/, monday),
  v.check((date) => readBy(() => Temporal.PlainDate.from(date).dayOfWeek) === 1, expected(monday)),
);

/** Names of zones that are no place's: their clocks never change, and for half a year a report would come an hour off. */
const clockWithoutPlace = /^(?:(?:Etc|SystemV)\/|(?:[EMH]ST|UCT|Universal|Zulu|Greenwich)$|GMT)/i;

/** Cities that are mostly meant, one for each offset of their winter. */
const cities = `
  Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Chicago America/New_York America/Halifax
  America/Sao_Paulo Europe/London Europe/Berlin Europe/Athens Europe/Istanbul Asia/Dubai Asia/Karachi Asia/Dhaka
  Asia/Bangkok Asia/Singapore Asia/Tokyo Australia/Sydney Pacific/Noumea Pacific/Auckland`
  .trim()
  .split(/\s+/);

/** The IANA name of a time zone that is a place's, or UTC, in IANA's spelling. */
export const TimeZone = v.pipe(
  v.string(timeZoneFault),
  v.check((value) => timeZoneName(value)?.search(clockWithoutPlace) === -1, timeZoneFault),
  v.transform((value) => timeZoneName(value) ?? value),
);

const weekday = oneOf(weekdays);
const dayOfMonth = wholeNumber(1, 28);

const daysOf: Readonly<Record<PeriodKind, v.GenericSchema>> = {
  day: v.undefined(expected('nothing, as a report of every day has no "on"')),
  week: weekday,
  fortnight: weekday,
  month: dayOfMonth,
  quarter: dayOfMonth,
};

/**
 * When a report runs, and what it covers: the last complete period of the kind `every` in the calendar of `timeZone`. No
 * schedule can run twice for a period or miss one: every month has a 28th, and no zone's clock change skips a time from
 * 04:00 to 21:59. (Easter Island shows 21:00 to 21:59 twice once a year; EventBridge Scheduler fires on the first, and so do we.)
 */
export const Schedule = v.pipe(
  fields({
    every: oneOf(periodKindNames),
    on: v.exactOptional(v.union([weekday, v.number()], expected('a weekday such as "monday", or a day from 1 to 28'))),
    at: Time,
    /** A Monday on which two weeks begin. */
    from: v.exactOptional(MondayDate),
    timeZone: TimeZone,
  }),
  v.forward(
    v.partialCheck(
      [['every'], ['on']],
      ({ every, on }) => v.is(daysOf[every], on),
      ({ input: { every, on } }) => v.safeParse(daysOf[every], on).issues?.[0].message ?? '',
    ),
    ['on'],
  ),
  v.forward(
    v.partialCheck(
      [['every'], ['from']],
      ({ every, from }) => (every === 'fortnight') === (from !== undefined),
      expected('a Monday such as "2026-11-16" where "every" is "fortnight", and nothing elsewhere'),
    ),
    ['from'],
  ),
);

function timeZoneName(value: string): string | undefined {
  // Offsets such as "+01:00" have no clock changes, and Scheduler does not accept them.
  if (!/^[a-z][\w+/-]*$/i.test(value)) return undefined;
  return readBy(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(value).timeZoneId);
}

const suggest = (name: string | undefined): string => (name === undefined ? '' : ` Did you mean "${name}"?`);

function timeZoneFault(issue: { input: unknown }): string {
  const { input } = issue;
  if (typeof input === 'string' && clockWithoutPlace.test(input) && timeZoneName(input) !== undefined)
    return `Expected the time zone of a city, or "UTC", found ${shown(input)}, which has no summer time.${suggest(placeOf(input))}`;
  const near = typeof input === 'string' ? nearest(input, Intl.supportedValuesOf('timeZone')) : undefined;
  return `${expected('an IANA time zone such as "Europe/London"')(issue)}${suggest(near)}`;
}

/** The zone that is probably meant by a clock without a place. */
function placeOf(clock: string): string | undefined {
  if (/UTC|UCT|Universal|Zulu/i.test(clock)) return 'UTC';
  return cities.find((city) => winterOffset(city) === winterOffset(clock));
}

function winterOffset(timeZone: string): number {
  const [january = 0, july = 0] = ['2026-01-01', '2026-07-01'].map(
    (date) => Temporal.PlainDate.from(date).toZonedDateTime({ timeZone }).offsetNanoseconds,
  );
  return Math.min(january, july);
}

/** Begins as real mailboxes do: a spreadsheet runs a cell that begins with "=", "+", "-" or "@". */
const localPart = /^(?=\w)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.)$/;
const domain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/i;

/** The ARN of an SES identity. In one of several regions ("*") SES takes it by another interface than ours. */
export const IdentityArn = matching(
  /^arn:aws:ses:[a-z]{2}[a-z\d-]+:\d{12}:identity\/[^\s:/]+$/,
  'the ARN of an SES identity, such as "arn:aws:ses:eu-west-1:111122223333:identity/example.com"',
);

/** A name of the company's own for an API; no capitals, as API Gateway takes none. */
export const HostName = matching(new RegExp(domain.source), 'a host name in small letters, such as "news.example.com"');

export const CertificateArn = matching(
  /^arn:aws:acm:[a-z\d-]+:\d{12}:certificate\/[\da-f-]{36}$/,
  'the ARN of a certificate in ACM, in the region of the stack',
);

/**
 * A mail address that SES accepts: plain ASCII, at most 254 characters, no display name. A domain in another alphabet is
 * written in Punycode.
 *
 * @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
export const Address = textThat(isAddress, 'an address such as "name@example.com"');

function isAddress(value: string): boolean {
  const at = value.lastIndexOf('@');
  return at > 0 && value.length <= 254 && localPart.test(value.slice(0, at)) && domain.test(value.slice(at + 1));
}

/**
 * The identities of which a verified one lets a sender send: the address, its domain, and every domain above that.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
export function identitiesOf(from: string): string[] {
  const labels = from.slice(from.lastIndexOf('@') + 1).split('.');
  return [from, ...labels.slice(1).map((_, above) => labels.slice(above).join('.'))];
}

/** The name, the region and the account in the ARN of an SES identity: `arn:aws:ses:REGION:ACCOUNT:identity/NAME`. */
export function readIdentityArn(arn: string) {
  const [, , , region = '', account = '', resource = ''] = arn.split(':');
  return { name: resource.slice('identity/'.length), region, account };
}

/** SES's mailbox simulator: it takes every mail to this address, and nobody gets it. https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html */
export const mailboxSimulator = 'success@simulator.amazonses.com';
