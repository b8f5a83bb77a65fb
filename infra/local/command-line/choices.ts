import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { dueOf } from '../../../functions/domain/schedule.ts';
import { reportByName } from '../../../functions/domain/report-names.ts';
import { isUnderWay } from '../../../functions/run/plan/period-over.ts';
import { shorten, UsageError } from './usage-error.ts';

/** Reads the credentials of a running service. Throws a `UsageError` that names the variables that are missing. */
export function readServiceCredentials(environment: NodeJS.ProcessEnv): { id: string; secret: string } {
  const { SERVICE_CLIENT_ID: id = '', SERVICE_CLIENT_SECRET: secret = '' } = environment;
  refuseMissing(
    { SERVICE_CLIENT_ID: id, SERVICE_CLIENT_SECRET: secret },
    '--service-url needs the client id and secret of the service.',
  );
  return { id, secret };
}

/** Reads the client id that a service's state folder on loopback is named after. Throws a `UsageError` where it is missing. */
export function readClientId({ SERVICE_CLIENT_ID: id = '' }: NodeJS.ProcessEnv): string {
  const reason = 'the ledger of a service on this machine is in a folder that is named after the client id.';
  refuseMissing({ SERVICE_CLIENT_ID: id }, reason);
  return id;
}

function refuseMissing(variables: Readonly<Record<string, string>>, reason: string): void {
  const missing = Object.keys(variables).filter((name) => variables[name] === '');
  if (missing.length === 0) return;
  throw new UsageError(missing.map((name) => `${name} is not set: ${reason}`));
}

/** The report that is meant: the first one by default. Throws a `UsageError` that names the nearest. */
export function chooseReport(configuration: Configuration, name: string | undefined): Configuration['reports'][number] {
  const names = configuration.reports.map((report) => report.name);
  const report = configuration.reports.find((configured) => name === undefined || configured.name === name);
  if (report !== undefined) return report;
  const renamed = reportByName(configuration.reports, name ?? '');
  if (renamed !== undefined) throw new UsageError([`--report: report "${name}" is now called "${renamed.name}".`]);
  const meant = nearest(name ?? '', names);
  const hint = meant === undefined ? `The reports are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new UsageError([`--report: there is no report "${shorten(name ?? '')}". ${hint}`]);
}

/**
 * The scheduled instant that is meant: the report's latest by default. Throws a `UsageError` where
 * the period that it closes is not over.
 */
export function chooseInstant(
  report: Configuration['reports'][number],
  at: string | undefined,
  now: Temporal.Instant,
): string {
  // What is no instant has a fault of its own.
  if (at !== undefined && !isInstant(at)) return at;
  const due = dueOf(report, at, now);
  if (isUnderWay(due.period, now)) {
    const { every } = report.schedule;
    const latest = `The latest ${every} that is over is the default.`;
    throw new UsageError([`--at: the ${every} that begins on ${due.period.startDate} is not over. ${latest}`]);
  }
  return at ?? due.scheduledTime;
}

/** Whether a text is an instant: ISO 8601 with `Z` or an offset. */
export function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}
