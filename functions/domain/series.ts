import { comparable } from './folding.ts';
import type { Messages } from './wording.ts';

const year = String.raw`(?:19|20)\d\d`;
const month = '(?:0?[1-9]|1[0-2])';
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
/** A day beside the name of a month: "3", "3rd", "1er". */
const dayBeside = String.raw`${day}(?:\p{L}{1,2})?`;

/** Dates that are written in numbers, and ISO 8601's weeks. Two numbers alone are one where they cannot well be anything else. */
const numericDates = [
  String.raw`${day}(?<separator>[./-]) ?${day}\k<separator> ?(?:${year}|\d\d)`,
  `${year}[./-]${month}(?:[./-]${day})?`,
  `${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])`,
  `${month}[./-]${year}`,
  `${day}/${month}`,
  `${month}/${day}`,
  String.raw`${day}\.${month}\.`,
  String.raw`(?:${year}-?)?w(?:0?[1-9]|[1-4]\d|5[0-3])`,
];

/**
 * A pattern of what dates names, as they are compared, in the languages of the locales (BCP 47 tags) that have messages: dates with
 * the names of months, which `Intl` knows, dates in numbers, years, and numbers after one of the words of `series.words`.
 */
export function datingOf(locales: Readonly<Record<string, Messages>>): RegExp {
  const { months, joints } = monthsOf(Object.keys(locales));
  const words = Object.values(locales).flatMap((messages) => splitWords(messages['series.words']));
  const numbered = String.raw`${oneOf(words)}[.:]? ?`;
  const dates = [
    String.raw`(?:${dayBeside}\.? ?- ?)?${dayBeside}\.? ?(?:${joints} )?${months}`,
    String.raw`${months}(?:\.?,? ?${dayBeside}(?: ?- ?${dayBeside})?)?`,
    String.raw`${numbered}(?:${numbered})?\d+(?:[./-]\d+)?`,
    ...numericDates,
    year,
  ];
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${dates.join('|')})(?![\p{L}\p{N}])`, 'gu');
}

/** The words of a message, as they are compared; a number after one of them dates a name. */
export function splitWords(message: string): string[] {
  return message.split(',').map((word) => comparable(word).replace(/\.$/, ''));
}

/**
 * What the editions of a series have in common: a name, as it is compared, without what dates it. Any other number is part of the
 * name. Empty where nothing is left.
 *
 * @param dating what dates it, by `datingOf`
 */
export function seriesOf(name: string | null, dating: RegExp): string {
  const words = comparable(name ?? '')
    .replaceAll(dating, ' ')
    .split(/[\s-]+/);
  return words.flatMap((word) => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(word)?.[0] ?? []).join(' ');
}

/** The names of the months, alone and as dates have them, and what stands between a day and them, such as "de". */
function monthsOf(locales: readonly string[]): { months: string; joints: string } {
  const firsts = Array.from({ length: 12 }, (_, index) => Date.UTC(2026, index, 1));
  const [months, joints] = [new Set<string>(), new Set<string>()];
  for (const locale of locales) {
    for (const style of ['long', 'short'] as const) {
      for (const options of [{ month: style }, { month: style, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
        for (const { type, value } of firsts.flatMap((first) => format.formatToParts(first))) {
          const word = comparable(value).replace(/\.$/, '');
          if (/\p{L}/u.test(word)) (type === 'month' ? months : joints).add(word);
        }
      }
    }
  }
  return { months: oneOf([...months]), joints: oneOf([...joints]) };
}

/** A pattern of any of some words, the longest first; of none, one that nothing is. */
function oneOf(words: readonly string[]): string {
  if (words.length === 0) return '(?!)';
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return `(?:${longestFirst.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`;
}
