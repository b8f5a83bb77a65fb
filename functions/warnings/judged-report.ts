import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration, WarningSettings } from '../domain/configuration/configuration.ts';
import type { Digest, LastWarning } from '../domain/digest.ts';
import { boundsOf, dateOf, precedingPeriod, type Period } from '../domain/period.ts';
import { nextDue } from '../domain/schedule.ts';
import type { Warning } from '../domain/warning.ts';
import { readReport } from '../ledger/reports.ts';
import { findDigest, readHistory, readOtherFigures, type History } from '../ledger/runs/digests.ts';
import { readRun, readRunsFrom } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { latestOf, readEarlier } from '../run/earlier-figures.ts';

/** The report whose deliveries a warning judges, as the run of the warning knows it. */
export interface JudgedReport {
  settings: WarningSettings;
  /** What has reached its age by then is judged; in epoch milliseconds. */
  until: number;
  /** When the first run of the warning was due, once it was switched on, in epoch milliseconds; `null` where that is not known. */
  since: number | null;
  /** What the report's latest digest left, and the digest; `null` where there is none. */
  history: History | null;
  digest: Digest | null;
  /** Where that digest is, if it was sent. */
  newest: Warning['newest'];
}

/** What lies beside the digests of a report. */
export interface Beside {
  /** What the latest run of the report's warning left. */
  warningHistory?: History | null;
  /** The last warning of each delivery, of this period or the one before, that was mailed. */
  lastWarnings?: ReadonlyMap<string, LastWarning>;
  /** Only of a warning. */
  judgedReport?: JudgedReport;
}

type Report = Pick<ReportConfiguration, 'name' | 'schedule' | 'warningOf' | 'warningReport'>;

/** Reads what lies beside the digests of a report: what its warning left, or, of a warning, the report whose deliveries it judges. */
export async function readBeside(
  table: Table,
  report: Report,
  { period, until, account }: { period: Period; until: number; account: string },
): Promise<Beside> {
  const { warningOf, warningReport } = report;
  if (warningOf !== undefined)
    return { judgedReport: await readJudgedReport(table, report, warningOf, { until, account }) };
  if (warningReport === undefined) return {};
  const { history } = await readEarlier(table, { name: warningReport }, { kind: 'day', start: period.end, account });
  const { start: from } = boundsOf(precedingPeriod(period));
  return { warningHistory: history, lastWarnings: await readLastWarnings(table, warningReport, history, from) };
}

/** The last warnings since an instant, of those that were mailed: a run may have been held, or have failed. */
async function readLastWarnings(
  table: Table,
  warningReport: string,
  history: History | null,
  from: number,
): Promise<ReadonlyMap<string, LastWarning>> {
  const warnings = [...(history?.deliveries ?? [])].flatMap(([id, { warning }]) =>
    warning?.last === undefined || Date.parse(warning.last.at) < from ? [] : [{ id, ...warning.last }],
  );
  const [firstDay] = warnings.map(({ day }) => day).toSorted();
  if (firstDay === undefined) return new Map();
  const runs = await readRunsFrom(table, { name: warningReport }, firstDay);
  const mailed = new Set(runs.flatMap(({ summary, period }) => (summary?.sent ? [period.startDate] : [])));
  return new Map(warnings.flatMap(({ id, day, at, seen }) => (mailed.has(day) ? [[id, { at, seen }]] : [])));
}

async function readJudgedReport(
  table: Table,
  warning: Report,
  settings: WarningSettings,
  { until, account }: { until: number; account: string },
): Promise<JudgedReport> {
  const { report: name, every } = settings;
  const { earlier } = await readOtherFigures(table, { name }, { start: new Date(until).toISOString() });
  const latest = latestOf(earlier, every);
  const since = await readSince(table, warning);
  if (latest?.account !== account) return { settings, until, since, history: null, digest: null, newest: null };
  const { run: runNamed, digest, kind, start } = latest;
  const stored = await findDigest(table, runNamed, digest);
  const run = await readRun(table, name, { kind, startDate: dateOf(start) });
  const isSent = run?.digest === digest && run.withheld === undefined;
  const newest = isSent ? { report: name, run: runNamed, digest } : null;
  return { settings, until, since, history: await readHistory(table, latest), digest: stored?.digest ?? null, newest };
}

/** When the first run of a warning was due after it was switched on; `null` where it never was, as on a laptop. */
async function readSince(table: Table, { name, schedule }: Report): Promise<number | null> {
  const { lastPause } = (await readReport(table, { name })) ?? {};
  if (lastPause === undefined) return null;
  const [first] = nextDue(schedule, Temporal.Instant.from(lastPause.until), 1);
  return first === undefined ? null : Date.parse(first.scheduledTime);
}

/** Whether the lists of content items say how many people a delivery is for, and the deliveries' own do not. */
export function areItemsAudience({ digest }: JudgedReport): boolean {
  const deliveries = digest?.deliveries ?? [];
  const items = deliveries.flatMap(({ contents }) => contents ?? []);
  return deliveries.every(({ reach }) => reach === null) && items.some(({ reach }) => reach !== null);
}

/** The digest that the page of a mail shows: its own, or the newest one of the report that a warning judges; `null` where there is none. */
export function pageOf<Key>({ warning }: Pick<Digest, 'warning'>, key: Key): Key | Warning['newest'] {
  return warning === undefined ? key : warning.newest;
}
