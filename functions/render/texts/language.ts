import { dayMs, periodKinds, type PeriodKind } from '../../domain/period.ts';
import type { Messages, PluralKey, Wording } from '../../domain/wording.ts';
import { createWording, memoize, messagesOf, plainSpaces } from '../../domain/wording.ts';

/** The words of a locale, and how it writes figures and instants. */
export type Language = ReturnType<typeof createLanguage>;

/**
 * The language of a report: its locale (BCP 47), the messages of that locale, and the period's zone (IANA). Its figures take
 * instants in ISO 8601 with an offset; anything else throws a `RangeError`.
 */
export function createLanguage(locale: string, messages: Messages, timeZone: string) {
  const wording = createWording(locale, messages);
  const figures = { ...createNumbers(locale, wording), ...createDates(locale, timeZone, wording) };
  return {
    locale,
    wording,
    figures,
    /** Facts, or sentences, as one text, without those that are not there. */
    join: (texts: ReadonlyArray<string | null>, separator: 'list' | 'sentences' | 'items' = 'list') =>
      texts.filter(Boolean).join(wording.say(`separator.${separator}`)),
    /** How many there are of something, in words; `null` for none. */
    countIfAny: (key: PluralKey, number: number) => (number > 0 ? wording.count(key, number) : null),
  };
}

/**
 * Gives the language of a locale (BCP 47) and a zone (IANA). Each is made once, because its formatters are costly to make.
 * Throws a `TypeError` where there are no messages for the locale.
 */
export function createLanguages(locales: Readonly<Record<string, Messages>>) {
  const languagesOf = memoize((locale: string) =>
    memoize((timeZone: string) => createLanguage(locale, messagesOf(locale, locales), timeZone)),
  );
  return (locale: string, timeZone: string): Language => languagesOf(locale)(timeZone);
}

export function capitalize(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

function createNumbers(locale: string, wording: Wording) {
  const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const whole = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const means = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percent = memoize((value: number) => plainSpaces(whole.format(value / 100)));
  const digits = memoize((value: number) => plainSpaces(counts.format(value)));
  return {
    count: (value: number | null) => (value === null ? wording.say('figure.none') : digits(value)),
    /** A ratio as a whole percentage; where it only rounds to 0 or 100: "<1%", ">99%". */
    rate: (ratio: number | null) => {
      if (ratio === null) return wording.say('figure.none');
      if (ratio > 0 && ratio < 0.01) return wording.say('rate.under', { rate: percent(1) });
      if (ratio > 0.99 && ratio < 1) return wording.say('rate.over', { rate: percent(99) });
      // A half is rounded up, also one that is a little less in binary.
      return percent(Math.round(ratio * 100 + 1e-9));
    },
    mean: (value: number) => plainSpaces(means.format(value)),
  };
}

function createDates(locale: string, timeZone: string, wording: Wording) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const withoutYear = format({ month: 'long', day: 'numeric' });
  const withYear = format({ year: 'numeric', month: 'long', day: 'numeric' });
  const onWeekday = format({ weekday: 'long', month: 'long', day: 'numeric' });
  const short = format({ month: 'short', day: 'numeric' });
  const months = format({ month: 'short', year: 'numeric' });
  const longMonths = format({ month: 'long', year: 'numeric' });
  const monthNames = format({ month: 'long' });
  const years = new Intl.DateTimeFormat('en-u-ca-gregory', { timeZone, year: 'numeric' });
  const yearOf = memoize((instant: string) => years.format(new Date(instant)));
  /** A date is never split from its month. Some languages write the first of one as a word: "1er". */
  const write = (text: string): string =>
    plainSpaces(text)
      .replace(/(?<!\S)1(?=[\s–])/, wording.say('date.first'))
      // "9–15 November", but "30 November – 6 December".
      .replace(/(?<=(?<!\d)\d\d?)\s–\s(?=\d)/, '–')
      .replaceAll(' ', '\u00a0');
  const day = memoize((instant: string) => write(withoutYear.format(new Date(instant))));
  return {
    /** The day of an instant: "9 November", with its year where that is not the year of `near`. */
    day: (instant: string, near: string) =>
      yearOf(instant) === yearOf(near) ? day(instant) : write(withYear.format(new Date(instant))),
    /** "Sunday 15 November" */
    weekday: (instant: string) => write(onWeekday.format(new Date(instant))).replace('\u00a0', ' '),
    /** "04:00" */
    time: (instant: string) => clock.format(new Date(instant)).replace(':', wording.say('separator.time')),
    /** What a trend calls the period that begins at `start`, by its first day or its months: "9 Nov", "Jul – Sep 2026". */
    beginning: (start: string, kind: PeriodKind) => {
      const { months: length } = periodKinds[kind].step;
      if (length === undefined) return write(short.format(new Date(start)));
      // The period begins with a month: some day early in its last month, however long the months before it are.
      const inLastMonth = Date.parse(start) + ((length - 1) * 31 + 3) * dayMs;
      return write(months.formatRange(new Date(start), new Date(inLastMonth)));
    },
    /** A period by its days, or its months: "9–15 November 2026", short without the year. */
    period: ({ kind, start, end }: { kind: PeriodKind; start: string; end: string }, length: 'long' | 'short') => {
      const [days, ofMonths] = length === 'long' ? [withYear, longMonths] : [withoutYear, monthNames];
      const format = periodKinds[kind].step.months === undefined ? days : ofMonths;
      return write(format.formatRange(new Date(start), new Date(lastInstant(end))));
    },
  };
}

/** The last instant of a period, as text: its end is the first after it. */
export function lastInstant(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString();
}
