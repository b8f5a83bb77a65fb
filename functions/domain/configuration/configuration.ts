import * as v from 'valibot';
import { defaultInformingTypes } from '../broadcasts.ts';
import { agesInHours } from '../curve.ts';
import { comparable } from '../folding.ts';
import type { PeriodKind } from '../period.ts';
import { localeOf } from '../wording.ts';
import {
  Address,
  BaseUrl,
  BroadcastLink,
  ChannelName,
  CertificateArn,
  Colour,
  fields,
  HostName,
  IdentityArn,
  ImagePath,
  oneOf,
  Path,
  ReportName,
  Schedule,
  SecretName,
  Share,
  TableName,
  text,
  Time,
  wholeNumber,
} from './fields.ts';
import { isObject } from '../../json-object.ts';
import { ConfigurationError, expected, faultOf, type Fault } from './fault.ts';
import { identitiesOf, readIdentityArn } from './identity.ts';

/** A rating's value as the service's filter takes it; a number may be written as one. */
const RatingValue = v.pipe(
  v.union([v.pipe(v.number(), v.finite()), text(40)], expected('a number or a text of 1 to 40 characters')),
  v.transform(String),
);

const RatingFilter = fields({
  name: v.optional(text(80), 'rating'),
  values: v.optional(list(RatingValue, 1, 50), ['1', '2', '3', '4', '5']),
});

const RatingsOff = v.literal('off', expected('"off", or an object with the filter\'s name and values'));

const Parameter = text(80);
/** How a list goes on: a cursor in its answers and the query parameter that takes it, or the one that takes the rows read so far, or the page's number. */
const Paging = v.union(
  [
    v.strictObject({ cursorFrom: text(200), cursorAs: Parameter }),
    v.strictObject({ offsetAs: Parameter }),
    v.strictObject({ pageAs: Parameter }),
  ],
  expected('{"cursorFrom": "…", "cursorAs": "…"}, {"offsetAs": "…"} or {"pageAs": "…"}'),
);

/** How the reporting service is asked, and its answers are read. */
export const Service = fields({
  /** Where the reporting service is; https, or http on loopback. No slash at its end. */
  baseUrl: BaseUrl,
  /** Figures are compared with those of the same account alone: what it is called, where that is not its address. */
  account: v.exactOptional(text(200)),
  /** The list of deliveries, whose path and parameters the service's documentation leaves open. */
  deliveries: v.optional(
    fields({
      path: v.optional(Path, '/v1/broadcasts/deliveries'),
      query: v.optional(v.record(v.string(), v.string(expected('a text')), expected('an object of texts')), {}),
    }),
    {},
  ),
  /** Who is on a delivery's recipient list: its whole audience, those who engaged, or decided by all lists of a run. */
  deliveryRecipients: v.optional(oneOf(['auto', 'audience', 'engaged']), 'auto'),
  /** The same of a content item's list. */
  contentRecipients: v.optional(oneOf(['auto', 'audience', 'engaged']), 'auto'),
  /** The types of content items that only inform; every other type asks for a response. They compare without case. */
  informingTypes: v.optional(list(text(80), 0, 100), [...defaultInformingTypes]),
  /** The query parameter that narrows a rating's recipients to one value, and the values. */
  ratingFilter: v.optional(
    v.lazy((input) => (typeof input === 'object' ? RatingFilter : RatingsOff)),
    {},
  ),
  /** Names in the service's answers that are no signs of more rows, as the coverage quotes them. They compare without case. */
  notPaging: v.optional(list(text(80), 0, 100), []),
  /** How lists are read on where no answer says the address of the next page. */
  paging: v.exactOptional(Paging),
  /** The most requests in flight. */
  concurrency: v.optional(wholeNumber(1, 64), 8),
  /** Seconds that one attempt of a request may take. */
  timeout: v.optional(wholeNumber(1, 120), 20),
});

/** The ARN of an SES identity that another AWS account owns. */
const ForeignIdentity = fields({ arn: IdentityArn });
/** What of `from` is this account's own SES identity: the address, or its whole domain. */
const OwnIdentity = fields({ of: v.optional(oneOf(['address', 'domain']), 'address') });

const Mail = fields({
  from: Address,
  /** The SES identity that mail is sent under. */
  identity: v.optional(
    v.lazy((input) => (isObject(input) && 'arn' in input ? ForeignIdentity : OwnIdentity)),
    {},
  ),
  replyTo: v.exactOptional(Address),
  brand: fields({
    name: text(80),
    /** The one colour of links, bars and headings, on light and on dark ground. */
    colours: v.optional(
      fields({ accent: v.optional(Colour, '#0b57a4'), accentDark: v.optional(Colour, '#7db7f0') }),
      {},
    ),
  }),
  /** The page of a broadcast, with `{broadcastId}` for its id. */
  broadcastLink: v.exactOptional(BroadcastLink),
  footer: fields({
    /** Why the subscriber gets this mail. */
    why: text(500),
    /** Who answers the subscriber's questions. */
    contact: text(500),
  }),
  /** Whether mails, pages, files and warnings name who made a broadcast. Cards name nobody. */
  authors: v.optional(oneOf(['named', 'unnamed']), 'named'),
  /** A PNG in the folder `templates/`, by its path from there; shown above the title, and part of every message. */
  logo: v.exactOptional(ImagePath),
  /** Whether the CSV files of deliveries and content items are attached; by default only to a mail that has no page. */
  csvAttachment: v.exactOptional(v.boolean(expected('true or false'))),
  /** Whether mails link to a page with the whole digest, which whoever holds the link can read. */
  page: v.optional(v.boolean(expected('true or false')), false),
  /** Days for which such a link is good. */
  pageDays: v.optional(wholeNumber(1, 365), 90),
  /** The name that links in mails have instead of API Gateway's: its certificate is in the region of the stack. */
  links: v.exactOptional(fields({ domainName: HostName, certificateArn: CertificateArn })),
  /** Minutes that a run waits for SES's events to settle sends whose outcome is unknown. */
  settleMinutes: v.optional(wholeNumber(0, 1440), 60),
});

const MailUnderIdentity = v.pipe(
  Mail,
  v.forward(
    v.partialCheck(
      [['from'], ['identity']],
      ({ from, identity }) => !('arn' in identity) || identitiesOf(from).includes(readIdentityArn(identity.arn).name),
      'Expected the ARN of an identity that is "mail.from", or a domain that it lies under, found another one.',
    ),
    ['identity'],
  ),
);

/** The delivery statuses whose engagement is collected. */
export const Statuses = v.optional(list(text(80), 1, 50), ['delivered']);

const Subscribers = list(Address, 0, 200, ' (npm run ops -- subscribers REPORT import FILE.csv adds others)');

const Warning = v.pipe(
  fields({
    /** `HH:MM` of every day, in the zone of the report. */
    at: Time,
    /** Hours after its first sign at which a delivery is judged. */
    afterHours: v.picklist(agesInHours, expected(`one of ${agesInHours.join(', ')}`)),
    belowUsual: v.exactOptional(Share),
    belowShare: v.exactOptional(Share),
    belowViews: v.exactOptional(wholeNumber(1, 1_000_000)),
    /** The report's, where they are not given. */
    subscribers: v.exactOptional(Subscribers),
    /** Whether what was found on a weekend is mailed on Monday. */
    weekdays: v.optional(v.boolean(expected('true or false')), false),
  }),
  v.check(
    ({ belowUsual, belowShare, belowViews }) => (belowUsual ?? belowShare ?? belowViews) !== undefined,
    'Expected belowUsual, belowShare or belowViews, found none of them.',
  ),
);

const Channel = fields({
  /** Under this name its webhook's address is in the channels' secret; reports with one name post to one channel. */
  name: ChannelName,
  kind: oneOf(['teams', 'slack']),
  /** Whether the card links to the page, which everybody in the channel can then read. */
  link: v.optional(v.boolean(expected('true or false')), false),
});

function filterText(maxLength: number) {
  return v.pipe(
    text(maxLength),
    v.check((value) => comparable(value) !== '', 'Expected a text that can be seen.'),
  );
}

const Filter = fields({
  /** The first and the last name of who made it, as mails show them. */
  createdBy: v.exactOptional(filterText(200)),
  /** A text that its name contains. */
  broadcastName: v.exactOptional(filterText(200)),
  /** The type of one of its content items. */
  contentType: v.exactOptional(filterText(80)),
});

/** A warning has its report's name with this at its end. */
const warningSuffix = '_warning';
const longestNameWithWarning = 53 - warningSuffix.length;

const Report = v.pipe(
  fields({
    name: ReportName,
    /** What the mail is called; the name where it is not given. */
    title: v.exactOptional(text(100)),
    schedule: Schedule,
    subscribers: Subscribers,
    channels: v.optional(list(Channel, 0, 10), []),
    locale: v.optional(text(35), 'en'),
    statuses: Statuses,
    /** Hours after its first sign for which a delivery is "still counting". */
    settleHours: v.optional(wholeNumber(0, 720), 48),
    /** A share, rate, mean or histogram of fewer people is not shown, nor is advice given on so small an audience; 0 for none. */
    minimumGroup: v.optional(wholeNumber(0, 1000), 10),
    whenEmpty: v.optional(oneOf(['send', 'skip']), 'send'),
    whenIncomplete: v.optional(oneOf(['send', 'hold']), 'send'),
    /** Whether every run waits for an operator's release. */
    hold: v.optional(oneOf(['never', 'always']), 'never'),
    /** Hours that a run may take before it counts as overdue. */
    graceHours: v.optional(wholeNumber(1, 720), 6),
    /** Hours that a run may be held before operators are reminded of it. */
    holdHours: v.optional(wholeNumber(1, 720), 24),
    /** Only broadcasts of which all of these are true. */
    only: v.exactOptional(Filter),
    /** No broadcast of which all of these are true. */
    except: v.exactOptional(
      v.pipe(
        Filter,
        v.check(
          (filter) => Object.keys(filter).length > 0,
          'Expected createdBy, broadcastName or contentType, found none of them.',
        ),
      ),
    ),
    /** The report whose settings it takes, where it gives none of its own. */
    like: v.exactOptional(ReportName),
    /** A mail about deliveries that reach too few people, while something can still be done. */
    warning: v.exactOptional(Warning),
  }),
  v.check(
    ({ name, warning }) => warning === undefined || name.length <= longestNameWithWarning,
    `Expected a name of at most ${longestNameWithWarning} characters, as the report has a warning.`,
  ),
  v.transform((report) => ({ ...report, title: report.title ?? report.name })),
);

/** The settings of a warning: the report whose deliveries it judges, the kind of that one's periods, at which age, and its limits. */
export type WarningSettings = Omit<v.InferOutput<typeof Warning>, 'at' | 'subscribers'> & {
  report: string;
  every: PeriodKind;
};

/**
 * A report, and its warning as the report of every day that it is: planned, sent, left, paused and looked after by itself. Each
 * knows the other, and no report can be called like one by its settings.
 */
function withWarning({ warning, ...report }: v.InferOutput<typeof Report>) {
  const reports: Array<typeof report & { warningReport?: string; warningOf?: WarningSettings }> = [report];
  if (warning === undefined) return reports;
  const { at, subscribers = report.subscribers, ...settings } = warning;
  const { name, schedule } = report;
  const warningReport = name + warningSuffix;
  return [
    { ...report, warningReport },
    {
      ...report,
      name: warningReport,
      schedule: { every: 'day', at, timeZone: schedule.timeZone },
      subscribers,
      // A card shows a digest.
      channels: [],
      whenEmpty: 'skip',
      whenIncomplete: 'send',
      hold: 'never',
      warningOf: { ...settings, report: name, every: schedule.every },
    },
  ] satisfies typeof reports;
}

const Reports = v.pipe(
  list(Report, 1, 100),
  v.transform((reports) => reports.flatMap(withWarning)),
);

const ConfigurationSchema = fields({
  service: Service,
  mail: MailUnderIdentity,
  ledger: v.optional(
    fields({
      /** Months after which the ledger's items expire. */
      keepMonths: v.optional(wholeNumber(3, 120), 26),
      // What exists already, in place of what the stack would create.
      table: v.exactOptional(TableName),
      credentialsSecret: v.exactOptional(SecretName),
      linkSecret: v.exactOptional(SecretName),
    }),
    {},
  ),
  operations: v.optional(
    fields({
      /** Who gets notices and alarms: each address confirms its subscription once. */
      alarmAddresses: v.optional(list(Address, 0, 20), []),
      /** How many of each function behind mails' links run at once at most, taken from what the account has for all functions. */
      reservedConcurrency: v.exactOptional(wholeNumber(1, 1_000)),
    }),
    {},
  ),
  reports: Reports,
});

/** A deployment's settings, complete: every default is filled in. */
export type Configuration = v.InferOutput<typeof ConfigurationSchema>;

export type ReportConfiguration = Configuration['reports'][number];

/** The settings without the addresses of people: all that a function needs if it sends no mail. */
export type ConfigurationWithoutAddresses = ReturnType<typeof withoutAddresses>;

/** The settings of one report, without its subscribers. */
export type ReportWithoutSubscribers = ConfigurationWithoutAddresses['reports'][number];

/** Leaves out everything that holds an address: subscribers, sender, reply-to, contact, and who gets alarms. */
export function withoutAddresses({ service, ledger, mail, reports }: Configuration) {
  const { authors, brand, broadcastLink } = mail;
  return {
    service,
    ledger,
    mail: { authors, brand, ...(broadcastLink === undefined ? {} : { broadcastLink }) },
    reports: reports.map(({ subscribers: _addresses, ...report }) => report),
  };
}

/** The settings that a page is made with: those without addresses, and the footer that its readers see, with the contact. */
export type PageConfiguration = ReturnType<typeof forPages>;

/** Leaves out the addresses that no page shows. */
export function forPages(configuration: Configuration) {
  const { mail, ...rest } = withoutAddresses(configuration);
  return { ...rest, mail: { ...mail, footer: configuration.mail.footer } };
}

/**
 * Reads the `digest` object of `cdk.json`.
 *
 * @param input what the file holds, unknown
 * @param locales those that there are texts for
 * @throws ConfigurationError that names every fault: of single fields, unknown fields, and fields that do not agree
 */
export function parseConfiguration(input: unknown, locales: readonly string[]): Configuration {
  const { filled, isTaken, unlike } = fillInLikes(input);
  const result = v.safeParse(ConfigurationSchema, filled);
  const faults = new Map<string, Fault>();
  for (const fault of [...(result.issues ?? []).map(faultOf), ...crossFaults(filled, locales), ...unlike]) {
    // The first fault of a field says what is expected there; what is wrong with another report's setting is said there.
    if (!faults.has(fault.path) && !isTaken(fault.path)) faults.set(fault.path, fault);
  }
  if (faults.size > 0 || !result.success) throw new ConfigurationError([...faults.values()]);
  return result.output;
}

/** What a report never takes from the one that it is like. */
const ownFields = new Set(['name', 'title', 'subscribers', 'channels', 'only', 'except', 'like', 'warning']);

/**
 * Gives each report that is `like` another one the settings of that one which it does not have itself. `isTaken` says of a
 * fault's path whether it is in one of these; `unlike` are the reports that name none.
 */
function fillInLikes(input: unknown): { filled: unknown; isTaken: (path: string) => boolean; unlike: Fault[] } {
  const unlike: Fault[] = [];
  const reports: unknown[] = isObject(input) && Array.isArray(input['reports']) ? input['reports'] : [];
  const filled = reports.map((report, index) => {
    if (!isObject(report) || report['like'] === undefined) return report;
    const other = reports.find((candidate) => isObject(candidate) && candidate['name'] === report['like']);
    if (isObject(other) && other['like'] === undefined) {
      const taken = Object.entries(other).filter(([field]) => !ownFields.has(field));
      return { ...Object.fromEntries(taken), ...report };
    }
    const message = expected('the name of a report that is not "like" another one itself')({ input: report['like'] });
    unlike.push({ path: `reports[${index}].like`, message });
    return report;
  });
  const isTaken = (path: string): boolean => {
    const [, index = '', field = ''] = /^reports\[(\d+)\]\.(\w+)/.exec(path) ?? [];
    const report = reports[Number(index)];
    return isObject(report) && report['like'] !== undefined && !(field in report) && !ownFields.has(field);
  };
  return { filled: reports.length > 0 && isObject(input) ? { ...input, reports: filled } : input, isTaken, unlike };
}

function list<const S extends v.GenericSchema>(item: S, min: number, max: number, more = '') {
  const fault = expected(`a list of ${min} to ${max}${more}`);
  return v.pipe(v.array(item, fault), v.minLength(min, fault), v.maxLength(max, fault));
}

const anyText = v.fallback(v.optional(v.string()), () => undefined);
const anyFlag = v.fallback(v.optional(v.boolean()), () => undefined);
const anyChannel = v.fallback(v.object({ name: anyText, kind: anyText, link: anyFlag }), {});
const anyAddresses = v.fallback(v.optional(v.array(anyText), []), []);
const anyReport = v.object({
  name: anyText,
  subscribers: anyAddresses,
  warning: v.fallback(v.object({ subscribers: anyAddresses }), { subscribers: [] }),
  locale: anyText,
  channels: v.fallback(v.array(anyChannel), []),
});
/** The fields of a configuration that are checked against each other, where they can be read. */
const Readable = v.object({
  mail: v.fallback(v.object({ page: anyFlag }), {}),
  operations: v.fallback(v.object({ alarmAddresses: anyAddresses }), { alarmAddresses: [] }),
  reports: v.array(v.fallback(anyReport, { subscribers: [], warning: { subscribers: [] }, channels: [] })),
});

const pathOfAlarms = (index: number): string => `operations.alarmAddresses[${index}]`;

function crossFaults(input: unknown, locales: readonly string[]): Fault[] {
  const parsed = v.safeParse(Readable, input);
  if (!parsed.success) return [];
  const { operations, reports } = parsed.output;
  return [
    ...doubles(operations.alarmAddresses, pathOfAlarms, 'each address once, found that of alarmAddresses'),
    ...doubles(
      reports.map(({ name }) => name),
      (index) => `reports[${index}].name`,
      'a unique name, found that of reports',
    ),
    ...reports.flatMap(({ subscribers, warning }, report) =>
      Object.entries({ subscribers, 'warning.subscribers': warning.subscribers }).flatMap(([field, addresses]) => {
        const path = (index: number) => `reports[${report}].${field}[${index}]`;
        return doubles(addresses, path, `each address once, found that of ${field}`);
      }),
    ),
    ...reports.flatMap(({ locale }, report) => localeFaults(`reports[${report}].locale`, locale, locales)),
    ...channelFaults(parsed.output),
  ];
}

/** A name is one address, and so one kind; and a card cannot link to a page that is not there. */
function channelFaults({ mail, reports }: v.InferOutput<typeof Readable>): Fault[] {
  const kinds = new Map<string, string | undefined>();
  return reports.flatMap(({ channels }, report) => [
    ...doubles(
      channels.map(({ name }) => name),
      (index) => `reports[${report}].channels[${index}].name`,
      'each channel once, found that of channels',
    ),
    ...channels.flatMap(({ name = '', kind, link }, index) => {
      const path = `reports[${report}].channels[${index}]`;
      const before = kinds.get(name) ?? kind;
      kinds.set(name, before);
      const ofKind = { path: `${path}.kind`, message: `Expected "${before}", as "${name}" is above.` };
      const ofLink = { path: `${path}.link`, message: 'Expected false, as "mail.page" is not true.' };
      return [...(kind === before ? [] : [ofKind]), ...(link && !mail.page ? [ofLink] : [])];
    }),
  ]);
}

/** A fault of each text that occurred before, ignoring case. */
function doubles(texts: Array<string | undefined>, pathOf: (index: number) => string, rule: string): Fault[] {
  const lower = texts.map((text) => text?.toLowerCase());
  return lower.flatMap((text, index) => {
    const first = lower.indexOf(text);
    const message = `Expected ${rule}[${first}]. Upper and lower case are the same.`;
    return text === undefined || first === index ? [] : [{ path: pathOf(index), message }];
  });
}

function localeFaults(path: string, locale: string | undefined, locales: readonly string[]): Fault[] {
  if (locale === undefined || localeOf(locale, locales) !== null) return [];
  const existing = locales.map((name) => `"${name}"`).join(', ');
  return [{ path, message: expected(`one of the locales that exist (${existing})`)({ input: locale }) }];
}
