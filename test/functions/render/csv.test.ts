import { parse as readCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { csvFiles, writeCsv, type CsvFile } from '../../../functions/render/csv.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { delivery, digest } from '../../support/digests/pieces.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

const languageOf = (locale: string, separator: string) =>
  createLanguage(locale, { ...keyMessages, 'csv.separator': separator }, 'Europe/London');
/** The cells of each line. */
const cellsOf = (digest: Digest, file: CsvFile = 'deliveries', delimiter = ','): string[][] => {
  const { pieces } = writeCsv(digest, file, languageOf(delimiter === ',' ? 'en' : 'de', delimiter));
  return readCsv([...pieces].join(''), { bom: true, delimiter });
};

test('is written some hundred lines at once, which end as RFC 4180 wants, after a mark that says UTF-8 to Excel', () => {
  const whole = digest({ deliveries: Array(1_200).fill(delivery()) });
  const pieces = [...writeCsv(whole, 'deliveries', languageOf('en', ',')).pieces];
  expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, 500, 500, 200]);
  expect(readable(pieces)[0]).toMatch(/^\ufeffcsv\.firstDay,csv\.lastDay,/);
});

test.each([
  [',', `x;'=1+1; '@y;z x;"'=1 x,=1`],
  [';', `x;=1+1; @y;z x;"=1 x,'=1`],
])('a cell that a spreadsheet would run as a formula begins with an apostrophe: "%s"', (separator, inside) => {
  const formulas = '=1+1|+1|-1|@SUM(A1)|\t=1|\u202e=1|＝1|a=1|x;=1+1; @y;z|x;"=1|x,=1'.split('|').concat('|calc');
  const deliveries = formulas.map((name) => delivery({ broadcast: { ...delivery().broadcast, name } }));
  const [, ...rows] = cellsOf(digest({ deliveries }), 'deliveries', separator);
  const names = rows.map((row) => row[3]).join(' ');
  expect(names).toBe(`'=1+1 '+1 '-1 '@SUM(A1) '=1 '=1 '＝1 a=1 ${inside} '|calc`);
});

test('every line has as many cells as there are headings, whatever the texts hold', () => {
  const deliveries = hostileTexts.map((name) =>
    delivery({ id: name, status: name, broadcast: { id: name, name, createdAt: null, createdBy: name } }),
  );
  const whole = digest({ deliveries: [...digestNamed('an incomplete week').deliveries, ...deliveries] });
  const files = csvFiles.map((file) => cellsOf(whole, file));
  expect(files.map((rows) => rows.length)).toEqual([1 + 7 + hostileTexts.length, 1 + 9]);
  expect(files.map((rows) => new Set(rows.map((row) => row.length)).size)).toEqual([1, 1]);
});

test('Excel adds up of a column what the digest has in all, in a language with a decimal comma, too', () => {
  const whole = digestNamed('a full week');
  const [headings = [], ...rows] = cellsOf(whole, 'deliveries', ';');
  const sumOf = (heading: string): number => {
    const column = readable(headings).indexOf(heading);
    return rows.reduce((sum, row) => sum + Number(row[column]?.replace(',', '.')), 0);
  };
  const { seen, responded } = whole.totals;
  expect([sumOf('csv.seenInPeriod'), sumOf('csv.respondedInPeriod')]).toEqual([seen, responded]);
  const asking = new Set(whole.broadcasts.filter(({ asks }) => asks).flatMap(({ deliveries }) => deliveries));
  const rates = whole.deliveries.map(({ id, responseRate }) => (asking.has(id) ? (responseRate ?? 0) : 0));
  expect(rates.some((rate) => rate > 0 && rate < 1)).toBe(true);
  expect(sumOf('csv.rate')).toBeCloseTo(rates.reduce((sum, rate) => sum + rate, 0));
});
