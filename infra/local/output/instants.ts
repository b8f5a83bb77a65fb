import { Temporal } from 'temporal-polyfill';

/** An instant as people read it, by the clock of a time zone: "2026-11-16 08:00 Europe/London". */
export function sayInstant(instant: string, timeZone = 'UTC'): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })} ${timeZone}`;
}
