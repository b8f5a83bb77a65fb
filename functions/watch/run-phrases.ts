import { count } from '../domain/counted-noun.ts';
import { Temporal } from 'temporal-polyfill';
import type { WatchedRun } from './watched-runs.ts';

/** How many subscribers have the mail, as far as the run's receipt knows: it is not written while messages are being sent. */
export function readersOf({ run }: WatchedRun): string {
  if (run?.withheld === 'empty') return 'nobody gets a mail, because there was nothing to report.';
  const { intended = 0, summary, begun } = run ?? {};
  if (run?.state === 'sending' && run.error === undefined) return 'some may have the mail.';
  if (summary === undefined) return begun === undefined ? 'nobody has the mail.' : 'some may have the mail.';
  const { sent, unknown } = summary;
  const have =
    sent === 0
      ? 'nobody is known to have the mail'
      : `${sent} of ${count(intended, 'subscriber')} ${has(sent)} the mail`;
  if (unknown > 0) return `${have}; for ${unknown} it is not known.`;
  return sent === 0 ? 'nobody has the mail.' : `${have}.`;
}

const has = (subscribers: number): string => (subscribers === 1 ? 'has' : 'have');

/** How much was unavailable, as a further sentence; empty where nothing was. */
export function missingOf({ run }: WatchedRun): string {
  const missing = run?.missing ?? 0;
  if (missing === 0) return '';
  return ` ${count(missing, 'thing was', 'things were')} unavailable from the service.`;
}

/** Why a run failed or stopped, with the code. Messages of failures are written for operators; here in one line, and not too long. */
export function causeOf({ run }: WatchedRun): string {
  const { code = 'internal', message = '' } = run?.error ?? {};
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return `${line.length > 400 ? `${line.slice(0, 399)}…` : line} (${code})`;
}

/** When a run was due, by its report's clock: "2026-11-16 08:00 (Europe/London)". */
export function timeOf({ scheduledTime, period: { timeZone } }: WatchedRun): string {
  const time = Temporal.Instant.from(scheduledTime).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return `${time.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${timeZone})`;
}
