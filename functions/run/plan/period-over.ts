import { Temporal } from 'temporal-polyfill';
import type { Period } from '../../domain/period.ts';
import { RunError } from '../failure.ts';

/** The schedule's clock may be this much ahead of ours: the run then waits for the end of its period, and is not refused. */
const toleratedMs = 60_000;

/** Milliseconds from `now` to the end of a period; 0 where it is over. */
function msUntilOver({ end }: Pick<Period, 'end'>, now: Temporal.Instant): number {
  return Math.max(0, Temporal.Instant.from(end).epochMilliseconds - now.epochMilliseconds);
}

/** Whether a period has longer to go than a clock that is slightly ahead can explain. */
export function isUnderWay(period: Pick<Period, 'end'>, now: Temporal.Instant): boolean {
  return msUntilOver(period, now) > toleratedMs;
}

/**
 * Refuses a period that is not over: its figures are still growing, and its scheduled run would later find everything
 * sent already. Throws a `RunError` (`period-not-over`).
 */
export function refuseUnderWay(period: Period, now: Temporal.Instant): void {
  if (msUntilOver(period, now) === 0) return;
  const message = `The ${period.kind} that begins on ${period.startDate} is not over: it ends at ${period.end}. Nothing was done.`;
  throw new RunError('period-not-over', message);
}

/** Waits for the end of a period where that is at most a minute after `now`. Returns the instant after the wait. */
export async function waitUntilOver(period: Pick<Period, 'end'>, now: Temporal.Instant): Promise<Temporal.Instant> {
  const leftMs = msUntilOver(period, now);
  if (leftMs === 0 || leftMs > toleratedMs) return now;
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  return Temporal.Instant.from(period.end);
}
