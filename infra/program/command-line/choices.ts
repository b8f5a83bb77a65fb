import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/fault.ts';
import { partsOfRunName, periodNamed } from '../../../functions/domain/period.ts';
import { dueFor, dueOf, isUnderWay, latestDue, type Due } from '../../../functions/domain/schedule.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { UsageError } from './result.ts';

/** The report of that name, by default the first one. Throws a `UsageError` that suggests the nearest one. */
export function chooseReport({ reports }: Configuration, name = reports[0]?.name ?? ''): ReportConfiguration {
  const report = reports.find((configured) => configured.name === name);
  if (report !== undefined) return report;
  const names = reports.map((configured) => configured.name);
  const near = nearest(name, names);
  const hint = near === undefined ? listed(names) : `Did you mean "${near}"?`;
  throw new UsageError(`There is no report "${name}". ${hint}`);
}

/** The channel of that name. Throws a `UsageError` where no report has it. */
export function chooseChannel({ reports }: Configuration, name: string): ReportConfiguration['channels'][number] {
  const channel = reports.flatMap(({ channels }) => channels).find((configured) => configured.name === name);
  if (channel === undefined) throw new UsageError(`No report in cdk.json has a channel "${name}".`);
  return channel;
}

/** Which run of a report is meant: by its scheduled instant, or by its period; by default the latest one. */
export interface DueFlags {
  at?: string;
  /** A day of the period, or its name. */
  period?: string;
}

/**
 * The run of a report that the flags mean at `now`. Throws a `UsageError`, with what can be typed, where the period is not
 * over, or is none of the report's.
 */
export function chooseDue(report: ReportConfiguration, { at, period }: DueFlags, now = Temporal.Now.instant()): Due {
  const { schedule } = report;
  const latest = latestDue(schedule, now);
  const toType = `--period ${latest.period.name} (--at ${latest.scheduledTime})`;
  const named = period === undefined ? null : periodNamed(period.toUpperCase());
  const due = named === null ? dueOf(report, at, now) : dueFor(schedule, named.startDate);
  if (period !== undefined && named?.kind !== 'day' && named?.name !== due.period.name)
    throw new UsageError(`--period: Expected a day, or the name of a ${schedule.every}, such as ${toType}.`);
  if (!isUnderWay(due.period, now)) return due;
  const meant = `${named === null ? '--at' : '--period'}: the ${schedule.every} that begins on ${due.period.startDate}`;
  throw new UsageError(`${meant} is not over. The latest that was due: ${toType}.`);
}

/** The run of that name, also where its report has another name now. Throws a `UsageError` with the latest ones that there are. */
export async function chooseRun({ configuration, table }: LedgerTarget, name: string): Promise<Run> {
  const found = await findNamedRun(table, configuration.reports, name);
  if (found !== null) return found;
  const { reports } = configuration;
  const named = reports.find((report) => report.name === partsOfRunName(name)?.report);
  const runs = await Array.fromAsync(named ? [named] : reports, (report) => readRunsFrom(table, report, '0000'));
  const shape = 'A run is called REPORT_PERIOD, such as weekly_2026-W46 or daily_2026-11-09.';
  throw new UsageError(`There is no run "${name}". ${shape} ${listed(runs.flat().map(({ run }) => run))}`);
}

function listed(candidates: readonly string[]): string {
  return candidates.length === 0 ? 'There are none yet.' : `Known: ${candidates.slice(-5).join(', ')}.`;
}
