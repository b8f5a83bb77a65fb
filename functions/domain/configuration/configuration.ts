import * as v from 'valibot';
import { comparable } from '../folding.ts';
import type { PeriodKind } from '../period.ts';
import type { Schedule as ScheduleOfReport } from '../schedule.ts';
import { filterFields } from '../report-filter.ts';
import { localeOf } from '../wording.ts';
import * as kind from './fields.ts';
import { either, fields, oneOf, text, wholeNumber, identitiesOf, readIdentityArn } from './fields.ts';
import { fieldsOf, isObject } from '../../json-object.ts';
import { ConfigurationError, expected, faultOf, type Fault } from './fault.ts';

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
/**
 * How a list goes on: a cursor in its answers and the query parameter that takes it, or the one that takes the rows
 * read so far, or the page's number.
 */
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
  baseUrl: kind.BaseUrl,
  account: v.exactOptional(text(200)),
  deliveries: v.optional(
    fields({
      path: v.optional(kind.Path, '/v1/broadcasts/deliveries'),
      query: v.optional(v.record(v.string(), v.string(expected('a text')), expected('an object of texts')), {}),
    }),
    {},
  ),
  deliveryRecipients: v.optional(oneOf(['auto', 'audience', 'engaged']), 'auto'),
  contentRecipients: v.optional(oneOf(['auto', 'audience', 'engaged']), 'auto'),
  ratingFilter: v.optional(
    either((input) => typeof input === 'object', RatingFilter, RatingsOff),
    {},
  ),
  notPaging: v.optional(list(text(80), 0, 100), []),
  paging: v.exactOptional(Paging),
  timeZone: v.exactOptional(kind.TimeZone),
  observe: v.optional(oneOf(['daily', 'runs']), 'daily'),
  concurrency: v.optional(wholeNumber(1, 64), 8),
  timeout: v.optional(wholeNumber(1, 120), 20),
});

const ForeignIdentity = fields({ arn: kind.IdentityArn });
const OwnIdentity = fields({ of: v.optional(oneOf(['address', 'domain']), 'address') });

const Footer = fields({ why: text(500), contact: text(500) });

const footers = v.record(text(35), Footer, expected('"why" and "contact", or an object with both for each language'));

const Authors = oneOf(['named', 'unnamed']);

const Mail = fields({
  from: kind.Address,
  identity: v.optional(
    either((input) => isObject(input) && 'arn' in input, ForeignIdentity, OwnIdentity),
    {},
  ),
  replyTo: v.exactOptional(kind.Address),
  brand: fields({
    name: text(80),
    colours: v.optional(
      fields({ accent: v.optional(kind.Colour, '#0b57a4'), accentDark: v.optional(kind.Colour, '#7db7f0') }),
      {},
    ),
  }),
  broadcastLink: v.exactOptional(kind.BroadcastLink),
  footer: either((input) => isObject(input) && ('why' in input || 'contact' in input), Footer, footers),
  authors: v.optional(Authors, 'named'),
  logo: v.exactOptional(kind.ImagePath),
  workbook: v.exactOptional(oneOf(['attached', 'page', 'none'])),
  page: v.optional(v.boolean(expected('true or false')), false),
  pageDays: v.optional(wholeNumber(1, 365), 90),
  links: v.exactOptional(fields({ domainName: kind.HostName, certificateArn: kind.CertificateArn })),
  settleMinutes: v.optional(wholeNumber(0, 1440), 60),
});

/** The delivery statuses whose engagement is collected. */
export const Statuses = v.optional(list(text(80), 1, 50), ['delivered']);

const Subscribers = list(kind.Address, 0, 200, ' (npm run ops -- subscribers REPORT import FILE.csv adds others)');

/** The ages at which a warning may judge. */
const agesInHours = [6, 12, 24, 48, 72, 96, 120, 144, 168, 336, 672] as const;

const Warning = withSome(
  fields({
    at: kind.Time,
    afterHours: v.picklist(agesInHours, expected(`one of ${agesInHours.join(', ')}`)),
    belowUsual: v.exactOptional(kind.Share),
    belowShare: v.exactOptional(kind.Share),
    belowViews: v.exactOptional(wholeNumber(1, 1_000_000)),
    subscribers: v.exactOptional(Subscribers),
  }),
  ['belowUsual', 'belowShare', 'belowViews'],
);

const Channel = fields({
  name: kind.ChannelName,
  kind: oneOf(['teams', 'slack']),
  link: v.optional(v.boolean(expected('true or false')), false),
});

function filterText(maxLength: number) {
  return v.pipe(
    text(maxLength),
    v.check((value) => comparable(value) !== '', 'Expected a text that can be seen.'),
  );
}

const Filter = fields({
  createdBy: v.exactOptional(filterText(200)),
  broadcastName: v.exactOptional(filterText(200)),
  contentType: v.exactOptional(filterText(80)),
});

/** A warning has its report's name with this at its end. */
const warningSuffix = '_warning';
const longestNameWithWarning = 53 - warningSuffix.length;

const Report = v.pipe(
  fields({
    name: kind.ReportName,
    title: v.exactOptional(text(100)),
    schedule: kind.Schedule,
    subscribers: Subscribers,
    channels: v.optional(list(Channel, 0, 10), []),
    locale: v.optional(text(35), 'en'),
    authors: v.exactOptional(Authors),
    statuses: Statuses,
    settleHours: v.optional(wholeNumber(0, 720), 36),
    weekend: v.optional(oneOf(['saturday-sunday', 'friday-saturday', 'none']), 'saturday-sunday'),
    minimumGroup: v.optional(wholeNumber(0, 1000), 10),
    whenEmpty: v.optional(oneOf(['send', 'skip']), 'send'),
    whenIncomplete: v.optional(oneOf(['send', 'hold']), 'send'),
    hold: v.optional(oneOf(['never', 'always']), 'never'),
    graceHours: v.optional(wholeNumber(1, 720), 6),
    holdHours: v.optional(wholeNumber(1, 720), 24),
    only: v.exactOptional(Filter),
    except: v.exactOptional(withSome(Filter, filterFields)),
    like: v.exactOptional(kind.ReportName),
    warning: v.exactOptional(Warning),
  }),
  v.check(
    ({ name, warning }) => warning === undefined || name.length <= longestNameWithWarning,
    `Expected a name of at most ${longestNameWithWarning} characters, as the report has a warning.`,
  ),
  v.transform((report) => ({ ...report, title: report.title ?? report.name })),
);

/**
 * A report, and its warning as the report of every day that it is: planned, sent, left, paused and looked after by itself. Each
 * knows the other, and no report can be called like one by its settings.
 */
function withWarning({ warning, ...report }: v.InferOutput<typeof Report>): ReportAsConfigured[] {
  if (warning === undefined) return [report];
  const { at, subscribers = report.subscribers, ...settings } = warning;
  const { name, schedule } = report;
  const warningReport = name + warningSuffix;
  return [
    { ...report, warningReport },
    {
      ...report,
      name: warningReport,
      schedule: { every: 'day', at, timeZone: schedule.timeZone, except: report.weekend },
      subscribers,
      // A card shows a digest.
      channels: [],
      whenEmpty: 'skip',
      whenIncomplete: 'send',
      hold: 'never',
      warningOf: { ...settings, report: name, every: schedule.every },
    },
  ];
}

type ReportAsConfigured = Omit<v.InferOutput<typeof Report>, 'schedule' | 'warning'> & {
  schedule: ScheduleOfReport;
  warningReport?: string;
  /** Of a warning: the report whose deliveries it judges, the kind of that one's periods, at which age, and its limits. */
  warningOf?: Omit<v.InferOutput<typeof Warning>, 'at' | 'subscribers'> & { report: string; every: PeriodKind };
};

/** What `cdk.json` has. */
export const Settings = fields({
  service: Service,
  mail: Mail,
  ledger: v.optional(
    fields({
      keepMonths: v.optional(wholeNumber(3, 120), 26),
      table: v.exactOptional(kind.TableName),
      credentialsSecret: v.exactOptional(kind.SecretName),
      linkSecret: v.exactOptional(kind.SecretName),
    }),
    {},
  ),
  operations: v.optional(
    fields({
      alarmAddresses: v.optional(list(kind.Address, 0, 20), []),
      reservedConcurrency: v.exactOptional(wholeNumber(1, 1_000)),
      runbook: v.exactOptional(kind.PageAddress),
    }),
    {},
  ),
  reports: list(Report, 1, 100),
});

const ConfigurationSchema = v.pipe(
  Settings,
  v.transform(({ reports, ...settings }) => {
    const { authors } = settings.mail;
    return { ...settings, reports: reports.flatMap(withWarning).map((report) => Object.assign({ authors }, report)) };
  }),
);

/** A deployment's settings, complete: every default is filled in. */
export type Configuration = v.InferOutput<typeof ConfigurationSchema>;

export type ReportConfiguration = Configuration['reports'][number];

/** The settings without the addresses of people: all that a function needs if it sends no mail. */
export type ConfigurationWithoutAddresses = ReturnType<typeof withoutAddresses>;

/** The settings of one report, without its subscribers. */
export type ReportWithoutSubscribers = ConfigurationWithoutAddresses['reports'][number];

/** Leaves out everything that holds an address: subscribers, sender, reply-to, contact, and who gets alarms. */
export function withoutAddresses({ service, ledger, mail, operations: { runbook }, reports }: Configuration) {
  const { brand, broadcastLink } = mail;
  return {
    service,
    ledger,
    mail: { brand, ...(broadcastLink === undefined ? {} : { broadcastLink }) },
    operations: runbook === undefined ? {} : { runbook },
    reports: reports.map(({ subscribers: _addresses, ...report }) => report),
  };
}

/**
 * The settings that a page is made with: those without addresses, and the footer that its readers see, with the
 * contact.
 */
export type PageConfiguration = ReturnType<typeof forPages>;

/** Leaves out the addresses that no page shows. */
export function forPages(configuration: Configuration) {
  const { mail, ...rest } = withoutAddresses(configuration);
  const { footer, workbook } = configuration.mail;
  return { ...rest, mail: { ...mail, footer, ...(workbook && { workbook }) } };
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
  const reports = itemsOf(fieldsOf(input)['reports']);
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

/** An object that has at least one of some fields. */
function withSome<const S extends v.GenericSchema<unknown, object>>(schema: S, names: readonly string[]) {
  const message = `Expected ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, found none of them.`;
  return v.pipe(
    schema,
    v.check((input) => names.some((name) => name in input), message),
  );
}

function list<const S extends v.GenericSchema>(item: S, min: number, max: number, more = '') {
  const fault = expected(`a list of ${min} to ${max}${more}`);
  return v.pipe(v.array(item, fault), v.minLength(min, fault), v.maxLength(max, fault));
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is wrong between fields. It is told beside what is wrong with one, so each may be anything. */
function crossFaults(input: unknown, locales: readonly string[]): Fault[] {
  const { mail, operations, reports } = fieldsOf(input);
  const { alarmAddresses } = fieldsOf(operations);
  const faults = [
    ...doubles(alarmAddresses, 'operations.alarmAddresses', 'each address once, found that of alarmAddresses'),
    ...doubles(reports, 'reports', 'a unique name, found that of reports', 'name'),
  ];
  const add = (path: string, message: string): void => void faults.push({ path, message });
  const { from, identity } = fieldsOf(mail);
  const { arn } = fieldsOf(identity);
  if (
    v.is(kind.Address, from) &&
    v.is(kind.IdentityArn, arn) &&
    !identitiesOf(from).includes(readIdentityArn(arn).name)
  )
    add(
      'mail.identity',
      'Expected the ARN of an identity that is "mail.from", or a domain that it lies under, found another one.',
    );
  const existing = locales.map((name) => `"${name}"`).join(', ');
  const kinds = new Map<unknown, unknown>();
  for (const [index, report] of itemsOf(reports).entries()) {
    const path = `reports[${index}]`;
    const { subscribers, warning, locale, channels } = fieldsOf(report);
    const lists = { subscribers, 'warning.subscribers': fieldsOf(warning)['subscribers'] };
    for (const [field, addresses] of Object.entries(lists))
      faults.push(...doubles(addresses, `${path}.${field}`, `each address once, found that of ${field}`));
    if (typeof locale === 'string' && localeOf(locale, locales) === null)
      add(`${path}.locale`, expected(`one of the locales that exist (${existing})`)({ input: locale }));
    faults.push(...doubles(channels, `${path}.channels`, 'each channel once, found that of channels', 'name'));
    for (const [place, channel] of itemsOf(channels).entries()) {
      // A name is one address, and so one kind; and a card cannot link to a page that is not there.
      const { name, kind, link } = fieldsOf(channel);
      const before = kinds.get(name) ?? kind;
      kinds.set(name, before);
      if (typeof name === 'string' && typeof before === 'string' && kind !== before)
        add(`${path}.channels[${place}].kind`, `Expected "${before}", as "${name}" is above.`);
      if (link === true && fieldsOf(mail)['page'] !== true)
        add(`${path}.channels[${place}].link`, 'Expected false, as "mail.page" is not true.');
    }
  }
  return faults;
}

/** A fault of each text of a list, or of this field of its items, that occurred before, ignoring case. */
function doubles(list: unknown, path: string, rule: string, field?: string): Fault[] {
  const texts = itemsOf(list).map((item) => {
    const text = field === undefined ? item : fieldsOf(item)[field];
    return typeof text === 'string' ? text.toLowerCase() : undefined;
  });
  return texts.flatMap((text, index) => {
    const first = texts.indexOf(text);
    const message = `Expected ${rule}[${first}]. Upper and lower case are the same.`;
    const place = `${path}[${index}]${field === undefined ? '' : `.${field}`}`;
    return text === undefined || first === index ? [] : [{ path: place, message }];
  });
}
