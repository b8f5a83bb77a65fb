import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { parseCron } from '../../../functions/domain/cron.ts';
import { periodBefore, type Period } from '../../../functions/domain/period.ts';
import { fireTimes, type FireTime } from '../../../functions/domain/schedule.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { count } from '../../../functions/domain/counted-noun.ts';
import { columns, type CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { command } from '../command-line/command.ts';
import { instant, years, type PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { lookUpReport } from '../targets/look-up.ts';
import { readTodaysConfiguration } from '../targets/todays-configuration.ts';

export function defineRehearse(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'rehearse [REPORT]',
    'the next fire times with their periods; overlaps and gaps are faults',
    'rehearse weekly --years 3',
  )
    .valueOption('--years <N>', 'how far to look ahead', years, 2)
    .valueOption('--from <INSTANT>', 'the instant from which to look ahead (default: now)', instant)
    .action((report: string | undefined, flags: PlaceFlags & { years: number; from?: string }) => {
      const from = flags.from === undefined ? Temporal.Now.instant() : Temporal.Instant.from(flags.from);
      print(
        rehearseCommand(readTodaysConfiguration({ environment: flags.env }), { report, years: flags.years, from }),
        flags,
      );
    });
}

/** The first fire times are all printed; later ones only where the clock changes or something is wrong. */
const printed = 10;

/** One time at which a schedule fires, or would. */
interface Rehearsed {
  /** By the report's clock, `YYYY-MM-DDTHH:MM`. */
  local: string;
  /** In UTC, ISO 8601; `null` where a clock change skips the time. */
  utc: string | null;
  period: { start: string; end: string } | null;
  /** Minutes by which the clock was changed since the fire time before. */
  clockChange: number;
  /** The clock shows this time twice; the schedule fires on the first. */
  repeated: boolean;
  faults: string[];
}

/** The next fire times of one report, or of all, with their periods. Overlaps, gaps and skipped times are faults. */
export function rehearseCommand(
  configuration: Configuration,
  { report, years, from }: { report: string | undefined; years: number; from: Temporal.Instant },
): CommandResult {
  const reports = report === undefined ? configuration.reports : [lookUpReport(configuration, report)];
  const rehearsals = reports.map((each) => ({ report: each, times: rehearse(each, from, years) }));
  const faults = rehearsals.reduce((sum, { times }) => sum + times.flatMap((time) => time.faults).length, 0);
  return {
    json: {
      faults,
      reports: rehearsals.map(({ report: { name, cron, timeZone }, times }) => ({ name, cron, timeZone, times })),
    },
    lines: [
      ...rehearsals.flatMap(({ report: each, times }) => present(each, times)),
      faults === 0 ? `No faults in ${count(years, 'year')}.` : `${count(faults, 'fault')} in ${count(years, 'year')}.`,
    ],
    code: faults === 0 ? exitCodes.done : exitCodes.noDigest,
  };
}

function rehearse(report: ReportConfiguration, from: Temporal.Instant, years: number): Rehearsed[] {
  const { timeZone } = report;
  const until = from.toZonedDateTimeISO(timeZone).add({ years }).toInstant();
  const rehearsed: Rehearsed[] = [];
  let before: { period: Period; offset: number } | null = null;
  for (const time of fireTimes(parseCron(report.cron), timeZone, from, until)) {
    const { local, instant, repeated } = time;
    if (instant === null) {
      rehearsed.push({ local, utc: null, period: null, clockChange: 0, repeated, faults: [skipped(time, timeZone)] });
      continue;
    }
    const period = periodBefore(report.period, timeZone, instant);
    const offset = instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 60e9;
    const faults = before === null ? [] : faultsBetween(before.period, period);
    const clockChange = before === null ? 0 : offset - before.offset;
    const { start, end } = period;
    rehearsed.push({ local, utc: instant.toString(), period: { start, end }, clockChange, repeated, faults });
    before = { period, offset };
  }
  return rehearsed;
}

function skipped({ local }: FireTime, timeZone: string): string {
  return `The clocks of ${timeZone} skip ${local.replace('T', ' ')}: the report does not run.`;
}

/** Each period must begin where the one before ended; otherwise some days are reported twice, or never. */
function faultsBetween(before: Period, period: Period): string[] {
  const order = Temporal.Instant.compare(period.start, before.end);
  if (order === 0) return [];
  if (order > 0) return [`A gap: no digest covers ${before.end} to ${period.start}.`];
  return [`An overlap: the period before ends at ${before.end}, after this one begins.`];
}

function present(report: ReportConfiguration, times: readonly Rehearsed[]): string[] {
  const shown = times.filter(
    (time, index) => index < printed || time.clockChange !== 0 || time.repeated || time.faults.length > 0,
  );
  const rows = shown.map(({ local, utc, period, clockChange, repeated, faults }) => [
    local.replace('T', ' '),
    utc === null ? 'never' : sayInstant(utc).replace(/ UTC$/, ''),
    period === null ? '' : `${period.start.slice(0, 'YYYY-MM-DD'.length)} to ${lastDay(period.end)}`,
    [
      ...(clockChange === 0 ? [] : [`clock ${clockChange > 0 ? 'forward' : 'back'} ${Math.abs(clockChange)} min`]),
      ...(repeated ? ['this time occurs twice, the first counts'] : []),
      ...faults.map((fault) => `FAULT: ${fault}`),
    ].join('; '),
  ]);
  const left = times.length - shown.length;
  const which = left === 0 ? '' : `; shown: the next ${printed}, clock changes and faults`;
  return [
    `${report.name}: cron(${report.cron}), ${report.timeZone}, ${count(times.length, 'time')}${which}`,
    ...columns([`in ${report.timeZone}`, 'in UTC', 'period', ''], rows).map((line) => `  ${line}`),
    '',
  ];
}

/** The last day of a period that ends at the beginning of the next one. */
function lastDay(end: string): string {
  return Temporal.PlainDate.from(end).subtract({ days: 1 }).toString();
}
