import { Temporal } from 'temporal-polyfill';
import { memoize } from '../../../functions/domain/wording.ts';

/** The operator is British: its people work, and its service dates things, by UK local time. */
const timeZone = 'Europe/London';

/** Weeks are numbered from the Monday on which the account was opened; before it there is nothing. */
const openingMonday = Temporal.PlainDate.from('2001-01-01');

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The weekdays as days after the week's Monday; a negative one lies in the week before. */
export const weekday = { monday: 0, tuesday: 1, wednesday: 2, thursday: 3, friday: 4, fridayBefore: -3 };

/** The number of the week, Monday to Sunday in UK local time, that an instant lies in; negative before the opening. */
export function weekAt(ms: number): number {
  return weekOf(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate());
}

/** The week of the first Friday of a calendar year. */
export function firstFridayWeek(year: number): number {
  const newYear = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  return weekOf(newYear.add({ days: (12 - newYear.dayOfWeek) % 7 }));
}

/** The calendar year that the Friday of a week lies in. */
export function yearOfFriday(week: number): number {
  return openingMonday.add({ days: 7 * week + weekday.friday }).year;
}

/** Milliseconds since 1970 of a UK local time, `HH:MM`, so many days after the Monday of a week; by day, when clocks do not change. */
export function wallTimeMs(week: number, day: number, time: string): number {
  const asUtc = Date.parse(`${openingMonday.toString()}T${time}Z`) + (7 * week + day) * dayMs;
  return asUtc - offsetAt(asUtc).ms;
}

/** An instant as the service writes it: ISO 8601 to the second, with the UK's offset of that day. */
export const withOffset = memoize((ms: number): string => {
  const offset = offsetAt(ms);
  return `${new Date(ms + offset.ms).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${offset.text}`;
});

/** The UK's offset at an instant. Its clocks change on the hour, on two days of a year: on the others one hour says it for all. */
function offsetAt(ms: number): { ms: number; text: string } {
  const midnight = 24 * Math.floor(ms / dayMs);
  const ofDay = offsetInHour(midnight);
  return ofDay.text === offsetInHour(midnight + 24).text ? ofDay : offsetInHour(Math.floor(ms / hourMs));
}

/** The UK's offset in an hour, counted since 1970. */
const offsetInHour = memoize((hour: number) => {
  const time = Temporal.Instant.fromEpochMilliseconds(hour * hourMs).toZonedDateTimeISO(timeZone);
  return { ms: time.offsetNanoseconds / 1_000_000, text: time.offset };
});

function weekOf(date: Temporal.PlainDate): number {
  return Math.floor(openingMonday.until(date, { largestUnit: 'day' }).days / 7);
}
