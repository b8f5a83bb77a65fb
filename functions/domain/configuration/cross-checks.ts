import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { type Cron, parseCron } from '../cron.ts';
import { periodBefore, periodKindNames, periodKinds, type PeriodKind } from '../period.ts';
import { memoize } from '../memoize.ts';
import { minuteText, skippedTimes, wallTimesFrom } from '../schedule.ts';
import { localeOf } from '../wording.ts';
import { expected, type Fault } from './fault.ts';
import { CronText, oneOf, ReportName, text, TimeZone } from './fields.ts';

/** Facts that are not in the configuration, and that it is checked against. */
export interface Facts {
  /** The locales that there are texts for. */
  locales: readonly string[];
  /** The day from which the schedules are tried, `YYYY-MM-DD`. */
  today: string;
}

/** How far the schedules are tried: long enough for a leap day, and for a clock change on any date it can have. */
const YEARS_TRIED = 5;

/**
 * How many fires are tried at most: all that a week's report has in these years. The times of day are the same on every
 * date, so a cron that fires more often shows in its first days whether it fires twice for a day.
 */
const MOST_FIRES_TRIED = 300;

/** In place of a locale that has a fault of its own. */
const UNREADABLE = '';

/** The fields of a configuration that are checked against each other; a field with a fault of its own is left out. */
const Readable = v.object({
  reports: v.array(
    v.fallback(
      v.object({
        name: orNothing(ReportName),
        formerly: orNothing(v.array(orNothing(ReportName))),
        cron: orNothing(CronText),
        timeZone: orNothing(TimeZone),
        period: orNothing(oneOf(periodKindNames)),
        subscribers: orNothing(v.array(orNothing(v.string()))),
        locale: v.optional(v.fallback(text(35), UNREADABLE), 'en'),
      }),
      { locale: UNREADABLE },
    ),
  ),
});

/** The faults of fields that contradict each other or the facts. Fields with faults of their own are not compared. */
export function crossFaults(input: unknown, facts: Facts): Fault[] {
  const parsed = v.safeParse(Readable, input);
  if (!parsed.success) return [];
  const { reports } = parsed.output;
  return [
    ...doubles(reports.map(({ name }) => name)).map(([index, first]) => ({
      path: `reports[${index}].name`,
      message: `Expected a unique name, found that of reports[${first}]. Upper and lower case are the same.`,
    })),
    ...formerNameFaults(reports),
    ...reports.flatMap(({ subscribers = [] }, report) =>
      doubles(subscribers).map(([index, first]) => ({
        path: `reports[${report}].subscribers[${index}]`,
        message: `Expected each address once, found that of subscribers[${first}]. Upper and lower case are the same.`,
      })),
    ),
    ...reports.flatMap(({ locale }, report) => localeFaults(`reports[${report}].locale`, locale, facts.locales)),
    ...reports.flatMap(({ cron, timeZone, period }, report) =>
      cron && timeZone && period
        ? scheduleFaults(JSON.stringify({ cron, timeZone, period, today: facts.today })).map((message) => ({
            path: `reports[${report}].cron`,
            message,
          }))
        : [],
    ),
  ];
}

/** A field's value where it has no fault of its own. */
function orNothing<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), () => undefined);
}

/** The texts that occurred before, ignoring case: each one's index, and the index of the first. */
function doubles(texts: ReadonlyArray<string | undefined>): Array<[index: number, first: number]> {
  const seen = new Map<string, number>();
  const found: Array<[number, number]> = [];
  for (const [index, value] of texts.entries()) {
    if (value === undefined) continue;
    const first = seen.get(value.toLowerCase());
    if (first === undefined) seen.set(value.toLowerCase(), index);
    else found.push([index, first]);
  }
  return found;
}

/**
 * The former names that are used twice: the name of a configured report, or a former name of another report, both
 * ignoring case. Within one report, names that differ only in case are different names, as they are in the ledger's keys.
 */
function formerNameFaults(
  reports: ReadonlyArray<{ name?: string | undefined; formerly?: ReadonlyArray<string | undefined> | undefined }>,
): Fault[] {
  const taken = reports.flatMap(({ name }, report) =>
    name === undefined ? [] : [{ report, name, path: `reports[${report}].name` }],
  );
  const faults: Fault[] = [];
  for (const [report, { formerly = [] }] of reports.entries()) {
    for (const [index, name] of formerly.entries()) {
      if (name === undefined) continue;
      const path = `reports[${report}].formerly[${index}]`;
      const first = taken.find((other) =>
        other.report === report ? other.name === name : other.name.toLowerCase() === name.toLowerCase(),
      );
      if (first === undefined) taken.push({ report, name, path });
      else faults.push({ path, message: `Expected a name that no report has or had, found that of ${first.path}.` });
    }
  }
  return faults;
}

function localeFaults(path: string, locale: string, locales: readonly string[]): Fault[] {
  if (locale === UNREADABLE || localeOf(locale, locales) !== null) return [];
  const existing = locales.map((name) => `"${name}"`).join(', ');
  return [{ path, message: expected(`one of the locales that exist (${existing})`)({ input: locale }) }];
}

/** A schedule, as it is tried, in JSON. */
const Tried = v.object({
  cron: v.string(),
  timeZone: v.string(),
  period: v.picklist(periodKindNames),
  today: v.string(),
});

/** What is wrong with a schedule, a sentence each. A configuration may be read several times, and trying five years takes a while. */
const scheduleFaults = memoize((tried: string): string[] => {
  const { cron: expression, timeZone, period, today } = v.parse(Tried, JSON.parse(tried));
  const cron = parseCron(expression);
  const from = Temporal.PlainDate.from(today).toZonedDateTime(timeZone);
  const until = from.add({ years: YEARS_TRIED });
  const skipped = skippedTimes(cron, timeZone, from.toInstant(), until.toInstant());
  const fired = firedTimes(cron, from.toPlainDateTime(), until.toPlainDateTime(), new Set(skipped));
  const messages = [repeatedPeriod(cron, timeZone, period, fired), skippedDates(skipped, timeZone)];
  return messages.filter((message) => message !== undefined);
});

/** The first wall times in `[from, until)` at which Scheduler fires, earliest first. */
function* firedTimes(
  cron: Cron,
  from: Temporal.PlainDateTime,
  until: Temporal.PlainDateTime,
  skipped: ReadonlySet<string>,
): Generator<Temporal.PlainDateTime> {
  let tried = 0;
  for (const wall of wallTimesFrom(cron, from)) {
    if (tried === MOST_FIRES_TRIED || Temporal.PlainDateTime.compare(wall, until) >= 0) return;
    tried += 1;
    if (skipped.size === 0 || !skipped.has(minuteText(wall))) yield wall;
  }
}

/**
 * Stops at the first fault: a cron that fires every minute is not followed for five years. Dates alone are compared,
 * because Scheduler fires on the first of two equal wall times, when the date has not been shown before.
 */
function repeatedPeriod(
  cron: Cron,
  timeZone: string,
  kind: PeriodKind,
  fired: Iterable<Temporal.PlainDateTime>,
): string | undefined {
  let previous: { wall: Temporal.PlainDateTime; underWay: Temporal.PlainDate } | undefined;
  for (const wall of fired) {
    const underWay = periodKinds[kind].firstDate(wall.toPlainDate());
    if (previous?.underWay.equals(underWay) === true) {
      const { startDate } = periodBefore(kind, timeZone, wall.toZonedDateTime(timeZone).toInstant());
      return (
        `Expected a cron that fires at most once for a ${kind}, found "${cron.text}", which fires ` +
        `at ${spaced(minuteText(previous.wall))} and at ${spaced(minuteText(wall))} for the ${kind} that starts on ${startDate}.`
      );
    }
    previous = { wall, underWay };
  }
  if (previous !== undefined) return undefined;
  return `Expected a cron that fires within ${YEARS_TRIED} years, found "${cron.text}".`;
}

function skippedDates(skipped: readonly string[], timeZone: string): string | undefined {
  if (skipped.length === 0) return undefined;
  const more = skipped.length > 3 ? ` and ${skipped.length - 3} more` : '';
  return (
    `Expected times that exist: the clocks of ${timeZone} skip ${skipped.slice(0, 3).map(spaced).join(', ')}${more}, ` +
    `and the report would not run then.`
  );
}

function spaced(local: string): string {
  return local.replace('T', ' ');
}
