import { parse as readCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { writeCsv } from '../../../functions/render/csv.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { delivery, digest } from '../../support/digests/pieces.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

const languageOf = (locale: string) => createLanguage(locale, keyMessages, 'Europe/London');
/** The cells of each line. */
const cellsOf = (digest: Digest, delimiter: string): string[][] => {
  const { pieces } = writeCsv(digest, 'deliveries', languageOf(delimiter === ',' ? 'en' : 'de'));
  return readCsv([...pieces].join(''), { bom: true, delimiter });
};

test('is written some hundred lines at once, which end as RFC 4180 wants, after a mark that says UTF-8 to Excel', () => {
  const whole = digest({ deliveries: Array(1_200).fill(delivery()) });
  const pieces = [...writeCsv(whole, 'deliveries', languageOf('en')).pieces];
  expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, 500, 500, 200]);
  expect(readable(pieces)[0]).toMatch(/^\ufeffcsv\.firstDay,csv\.lastDay,/);
});

test.each([
  [',', `x;'=1+1; '@y;z x;"'=1 x,=1`],
  [';', `x;=1+1; @y;z x;"=1 x,'=1`],
])('a cell that a spreadsheet would run as a formula begins with an apostrophe: "%s"', (separator, inside) => {
  const formulas = '=1+1|+1|-1|@SUM(A1)|\t=1|\u202e=1|＝1|a=1|x;=1+1; @y;z|x;"=1|x,=1'.split('|').concat('|calc');
  const deliveries = formulas.map((name) => delivery({ broadcast: { ...delivery().broadcast, name } }));
  const [, ...rows] = cellsOf(digest({ deliveries }), separator);
  const names = rows.map((row) => row[3]).join(' ');
  expect(names).toBe(`'=1+1 '+1 '-1 '@SUM(A1) '=1 '=1 '＝1 a=1 ${inside} '|calc`);
});

test.each([
  ['en-GB', ','],
  ['en-DE', ';'],
  ['en-NL', ';'],
  ['fr', ';'],
])('the cells of %s are between "%s": no sign is in the numbers and between the cells', (locale, separator) => {
  const [first = ''] = writeCsv(digestNamed('a full week'), 'deliveries', languageOf(locale)).pieces;
  expect(readable(first)).toMatch(new RegExp(`^\ufeffcsv.firstDay${separator}csv.lastDay`));
});

test('figures have the decimal sign of their language', () => {
  const [english = [], german = []] = [',', ';'].map((separator) => cellsOf(digestNamed('a full week'), separator));
  const rate = readable(english[0] ?? []).indexOf('csv.rate');
  expect(german.map((row) => row[rate]?.replace(',', '.'))).toEqual(english.map((row) => row[rate]));
  expect(german[1]?.[rate]).toMatch(/^0,\d+$/);
});
