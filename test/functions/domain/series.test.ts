import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datingOf, seriesOf } from '../../../functions/domain/series.ts';
import en from '../../../templates/locales/en.json' with { type: 'json' };
import { dating } from '../../support/dating.ts';

test.each([
  // Dates with the name of a month, in the languages of the mail.
  ['Friday Five 13 Nov', 'friday five'],
  ['Rota 9–15 November', 'rota'],
  ['Freitagsrunde, 13. März', 'freitagsrunde'],
  ['Rundschreiben vom 3.–7. August 2026', 'rundschreiben vom'],
  ['L’essentiel du 1er févr.', "l'essentiel du"],
  // Dates in numbers, years and weeks.
  ['Update 2026-11-13', 'update'],
  ['Rundschreiben 13.11.', 'rundschreiben'],
  ['Budget 2026', 'budget'],
  ['Rota 2026-W45', 'rota'],
  ['W45', ''],
  // Numbers after a word that dates a name.
  ['Friday Five #45', 'friday five'],
  ['Rundbrief KW45', 'rundbrief'],
  ['Ausgabe Nr. 3 der Runde', 'der runde'],
  ['Ｗｅｅｋ　４５', ''],
  // Any other number, and such a word without one, is part of a name.
  ['Store 104 rota, week 45', 'store 104 rota'],
  ['Release 2.1', 'release 2.1'],
  ['Week in review', 'week in review'],
  ['COVID‑19', 'covid 19'],
  ['***', ''],
  [null, ''],
])('the series of %j is %j', (name, series) => {
  expect(seriesOf(name, dating)).toBe(series);
});

const withWords = (words: string) => ({ ...en, 'series.words': words });

test('a language that is added has its months, and its own words date names in every language', () => {
  const added = datingOf({ en, es: withWords('edición, n.º'), pl: withWords('numer') });
  const seriesIn = (name: string) => seriesOf(name, added);
  expect(['Boletín del 13 de noviembre', 'Boletín, edición 12'].map(seriesIn)).toEqual(['boletin del', 'boletin']);
  expect(['Gazetka 13 listopada', 'Gazetka numer 4', 'Listopad'].map(seriesIn)).toEqual(['gazetka', 'gazetka', '']);
  expect(seriesOf('Gazetka numer 4, 13 listopada', dating)).toBe('gazetka numer 4 13 listopada');
});

const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2089-12-31'), noInvalidDate: true });
const written = fc
  .tuple(days, fc.constantFrom('en', 'en-GB', 'de', 'fr'), fc.constantFrom('short', 'medium', 'long'))
  .map(([day, locale, dateStyle]) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(day));

test('a date in a name, in the words of any language of the mail, is no part of the series', () => {
  fc.assert(
    fc.property(written, fc.constantFrom('Store 104 rota', 'Filiale 12: Runde', 'L’essentiel'), (date, name) => {
      const series = seriesOf(name, dating);
      expect([`${name} ${date}`, `${date}: ${name}`].map((dated) => seriesOf(dated, dating))).toEqual([series, series]);
    }),
  );
});
