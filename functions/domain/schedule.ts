import { Cron as WallClock } from 'croner';
import { Temporal } from 'temporal-polyfill';
import type { Cron } from './cron.ts';

/** A wall time that a cron names in a zone, and the instant that it is there. */
export interface FireTime {
  /** The wall time, `YYYY-MM-DDTHH:MM`. */
  local: string;
  /** When that is; `null` where a clock change skips the wall time: EventBridge Scheduler does not fire then. */
  instant: Temporal.Instant | null;
  /** A clock change makes the wall time occur twice. `instant` is the first, and Scheduler fires on that one alone. */
  repeated: boolean;
}

/** The wall times that a cron names from an instant on (inclusive), earliest first, also those that a clock change skips. */
export function* fireTimesFrom(cron: Cron, timeZone: string, from: Temporal.Instant): Generator<FireTime> {
  for (const wall of wallTimesFrom(cron, wallTime(from, timeZone))) {
    const time = fireTime(wall, timeZone);
    if (time.instant === null || Temporal.Instant.compare(time.instant, from) >= 0) yield time;
  }
}

/** The wall times that a cron names in `[from, until)`, earliest first, also those that a clock change skips. */
export function fireTimes(cron: Cron, timeZone: string, from: Temporal.Instant, until: Temporal.Instant): FireTime[] {
  const end = minuteText(wallTime(until, timeZone).round({ smallestUnit: 'minute', roundingMode: 'ceil' }));
  const times: FireTime[] = [];
  for (const time of fireTimesFrom(cron, timeZone, from)) {
    const { local, instant } = time;
    const isOver = instant === null ? local >= end : Temporal.Instant.compare(instant, until) >= 0;
    if (isOver) break;
    times.push(time);
  }
  return times;
}

/** The wall times that a cron names in `[from, until)` and a clock change skips, earliest first, `YYYY-MM-DDTHH:MM`. */
export function skippedTimes(cron: Cron, timeZone: string, from: Temporal.Instant, until: Temporal.Instant): string[] {
  const skipped: string[] = [];
  let change = from.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next');
  while (change !== null && Temporal.Instant.compare(change.toInstant(), until) < 0) {
    const before = change.subtract({ nanoseconds: 1 });
    // Where the clock is put forward, the wall times between the two readings do not exist; put back, there are none.
    const firstMissing = before.toPlainDateTime().add({ nanoseconds: 1 });
    for (const wall of wallTimesFrom(cron, firstMissing)) {
      if (Temporal.PlainDateTime.compare(wall, change.toPlainDateTime()) >= 0) break;
      skipped.push(minuteText(wall));
    }
    change = change.getTimeZoneTransition('next');
  }
  return skipped;
}

/** The last instant at or before the given one on which Scheduler fires; `null` for a cron that names no date. */
export function latestFireTime(cron: Cron, timeZone: string, atOrBefore: Temporal.Instant): Temporal.Instant | null {
  // In the hour that a clock change repeats, the schedule has already fired the first time on wall times that are about to come again.
  const ahead = atOrBefore.toZonedDateTimeISO(timeZone).add({ days: 1 }).toPlainDateTime();
  for (const wall of wallTimesBefore(cron, ahead)) {
    const { instant } = fireTime(wall, timeZone);
    if (instant !== null && Temporal.Instant.compare(instant, atOrBefore) <= 0) return instant;
  }
  return null;
}

function fireTime(wall: Temporal.PlainDateTime, timeZone: string): FireTime {
  const first = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const exists = first.toPlainDateTime().equals(wall);
  const repeated = exists && !first.equals(wall.toZonedDateTime(timeZone, { disambiguation: 'later' }));
  return { local: minuteText(wall), instant: exists ? first.toInstant() : null, repeated };
}

function wallTime(instant: Temporal.Instant, timeZone: string): Temporal.PlainDateTime {
  return instant.toZonedDateTimeISO(timeZone).toPlainDateTime();
}

// croner only sees wall times, as if they were in UTC. It never gets the zone, because in a zone it fires within clock
// changes, where Scheduler does not.

// An offset of 0 is the zone UTC without Intl, which takes three times as long.
const inUtc = { mode: '5-part', utcOffset: 0 } as const;

/** The wall times that a cron names from one on (inclusive), earliest first, whatever the zone does with them. */
export function* wallTimesFrom(cron: Cron, start: Temporal.PlainDateTime): Generator<Temporal.PlainDateTime> {
  const clock = new WallClock(cron.pattern, inUtc);
  // croner returns the first match after a whole second.
  const second = start.round({ smallestUnit: 'second', roundingMode: 'ceil' });
  let next = clock.nextRun(asUtc(second.subtract({ seconds: 1 })));
  while (next !== null) {
    yield asWall(next);
    next = clock.nextRun(next);
  }
}

function* wallTimesBefore(cron: Cron, end: Temporal.PlainDateTime): Generator<Temporal.PlainDateTime> {
  const clock = new WallClock(cron.pattern, inUtc);
  let [previous] = clock.previousRuns(1, asUtc(end));
  while (previous !== undefined) {
    yield asWall(previous);
    [previous] = clock.previousRuns(1, previous);
  }
}

function asUtc(wall: Temporal.PlainDateTime): Date {
  return new Date(wall.toZonedDateTime('UTC').epochMilliseconds);
}

function asWall(date: Date): Temporal.PlainDateTime {
  const [day, hour, minute] = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
  return new Temporal.PlainDateTime(date.getUTCFullYear(), date.getUTCMonth() + 1, day, hour, minute);
}

/** A wall time as `YYYY-MM-DDTHH:MM`. */
export function minuteText(wall: Temporal.PlainDateTime): string {
  return wall.toString({ smallestUnit: 'minute' });
}
