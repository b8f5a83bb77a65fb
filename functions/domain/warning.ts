import type { ConfiguredReport } from './configuration/configuration.ts';
import { Temporal } from 'temporal-polyfill';
import { boundsOf, type Period, type PeriodBounds, type PeriodKind } from './period.ts';
import { nextDue } from './schedule.ts';

/** What makes a report the warnings of another one: its settings, that report, and the kind of that one's periods. */
export type Warns = Omit<NonNullable<ConfiguredReport['warning']>, 'at' | 'subscribers'> & {
  report: string;
  every: PeriodKind;
};

type Report = Omit<ConfiguredReport, 'warning'> & {
  /** The report that has its warnings. */
  warnedBy?: string;
  warns?: Warns;
};

/** A report's name as that of its warnings. */
const suffix = '_warning';
/** The longest name of a report that warns, so that its warnings' name is none that is too long. */
export const longestWarnedName: number = 53 - suffix.length;

/**
 * A report, and its warnings as the report of every day that they are: planned, sent, left, paused and watched by itself. Each
 * knows the other, and no report can be called like one by its settings.
 */
export function withWarnings({ warning, ...report }: ConfiguredReport): Report[] {
  if (warning === undefined) return [report];
  const { at, subscribers = report.subscribers, ...settings } = warning;
  const { name, schedule } = report;
  const warnings: Report = {
    ...report,
    name: name + suffix,
    schedule: { every: 'day', at, timeZone: schedule.timeZone },
    subscribers,
    // A card shows a digest.
    channels: [],
    whenEmpty: 'skip',
    whenIncomplete: 'send',
    hold: 'never',
    warns: { ...settings, report: name, every: schedule.every },
  };
  return [{ ...report, warnedBy: warnings.name }, warnings];
}

/**
 * The bounds within which a report counts what it collects from `collectedAt` on, in epoch milliseconds: those of the period;
 * a check counts up to its own instant of the day after, whenever it is triggered, and never into the future.
 */
export function boundsFor(
  { schedule, warns }: Pick<Report, 'schedule' | 'warns'>,
  period: Period,
  collectedAt: number,
): PeriodBounds {
  const bounds = boundsOf(period);
  if (warns === undefined) return bounds;
  const [check] = nextDue(schedule, Temporal.Instant.from(period.end), 1);
  return { ...bounds, end: Math.min(Date.parse(check?.scheduledTime ?? period.end), collectedAt) };
}
