import { Temporal } from 'temporal-polyfill';
import type { Period } from '../../domain/period.ts';
import { RunError } from '../failure.ts';

/** The schedule's clock may be this much ahead of ours: the run then waits for the end of its period, and is not refused. */
const toleratedMs = 60_000;

/** Whether a period has longer to go than a clock that is slightly ahead can explain. */
export function isUnderWay({ end }: Period, now: Temporal.Instant): boolean {
  return Date.parse(end) - now.epochMilliseconds > toleratedMs;
}

/**
 * Waits for the end of a period where that is at most a minute after `now`. Returns the instant after the wait. Throws a
 * `RunError` (`period-not-over`) where it is later: the figures are still growing, and the period's scheduled run would
 * find everything sent already.
 */
export async function waitUntilOver(period: Period, now: Temporal.Instant): Promise<Temporal.Instant> {
  if (isUnderWay(period, now)) {
    const message = `The ${period.kind} that begins on ${period.startDate} is not over: it ends at ${period.end}. Nothing was done.`;
    throw new RunError('period-not-over', message);
  }
  const leftMs = Date.parse(period.end) - now.epochMilliseconds;
  if (leftMs <= 0) return now;
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  return Temporal.Instant.from(period.end);
}
