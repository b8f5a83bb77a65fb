import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../domain/period.ts';
import { weekends, type Weekend } from '../domain/schedule.ts';

const weekMs = 7 * dayMs;
/** Of more weeks before its end no digest asks how old something was. */
const weeksBefore = 110;

/**
 * Gives the instant at which something that began at an instant is so many hours old, without the hours of weekends in a zone;
 * epoch milliseconds. `aroundMs` is the end of the digest that asks.
 */
export function ageIn(
  timeZone: string,
  weekend: Weekend,
  aroundMs: number,
): (beginMs: number, hours: number) => number {
  const past = weekendsOf(timeZone, weekend, aroundMs);
  const [first] = past;
  return (beginMs, hours) => {
    let atMs = beginMs;
    let leftMs = hours * hourMs;
    // An hour that clocks skip or repeat does not move a weekend into another week.
    const from = first === undefined ? 0 : Math.max(0, Math.floor((beginMs - first.startMs) / weekMs) - 1);
    for (const { startMs, endMs } of past.slice(from)) {
      if (atMs + leftMs <= startMs) break;
      if (endMs <= atMs) continue;
      leftMs -= Math.max(0, startMs - atMs);
      atMs = endMs;
    }
    return atMs + leftMs;
  };
}

function weekendsOf(timeZone: string, weekend: Weekend, aroundMs: number) {
  const [firstDay] = weekends[weekend];
  if (firstDay === undefined) return [];
  const around = Temporal.Instant.fromEpochMilliseconds(aroundMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const start = around.subtract({ days: around.dayOfWeek - firstDay + 7 * weeksBefore });
  const startOf = (days: number): number => start.add({ days }).toZonedDateTime(timeZone).epochMilliseconds;
  return Array.from({ length: weeksBefore + 8 }, (_, week) => ({
    startMs: startOf(7 * week),
    endMs: startOf(7 * week + 2),
  }));
}
