import { parse as readCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { csvFiles, writeCsv, type CsvFile } from '../../../functions/render/csv.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import german from '../../../templates/locales/de.json' with { type: 'json' };
import { digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { delivery, digest } from '../../support/digests/pieces.ts';
import { language } from './sections.ts';

const inGerman = createLanguage('de', german, 'Europe/London');
/** The cells of each line. */
const cellsOf = (digest: Digest, file: CsvFile = 'deliveries', delimiter = ','): string[][] =>
  readCsv([...writeCsv(digest, file, delimiter === ',' ? language : inGerman).pieces].join(''), {
    bom: true,
    delimiter,
  });
const named = (name: string) => delivery({ broadcast: { ...delivery().broadcast, name } });

test('is lines that end as RFC 4180 wants, after a mark that says UTF-8 to Excel', () => {
  const { pieces } = writeCsv(digest({ deliveries: [delivery()] }), 'deliveries', language);
  const lines = [...pieces].join('').split('\r\n');
  expect(lines.map((line) => line.slice(0, 12))).toEqual(['\ufeffPeriod from', '2026-11-09,2', '']);
});

test('is written some hundred lines at once: a large file is never there as a whole', () => {
  const { pieces } = writeCsv(digest({ deliveries: Array(1_200).fill(delivery()) }), 'deliveries', language);
  expect([...pieces].map((piece) => piece.split('\r\n').length - 1)).toEqual([1, 500, 500, 200]);
});

test.each([
  [',', `x;'=1+1; '@y;z x;"'=1 x,=1`],
  [';', `x;=1+1; @y;z x;"=1 x,'=1`],
])('a cell that a spreadsheet would run as a formula begins with an apostrophe: "%s"', (separator, inside) => {
  const formulas = '=1+1|+1|-1|@SUM(A1)|\t=1|\u202e=1|＝1|a=1|x;=1+1; @y;z|x;"=1|x,=1'.split('|').concat('|calc');
  const rows = cellsOf(digest({ deliveries: formulas.map(named) }), 'deliveries', separator);
  const names = rows.map((row) => row[3]).join(' ');
  expect(names).toBe(`Broadcast '=1+1 '+1 '-1 '@SUM(A1) '=1 '=1 '＝1 a=1 ${inside} '|calc`);
});

test('a text that no cell can hold is cut, so that the file of one long name still comes with the mail', () => {
  const cell = cellsOf(digest({ deliveries: [named(`=long ${'name '.repeat(1024 * 1024)}`)] }))[1]?.[3] ?? '';
  expect([cell.length, cell.slice(0, 6), cell.at(-1)]).toEqual([32_767, "'=long", '…']);
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

const add = (figures: ReadonlyArray<number | null | undefined>): number =>
  figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);

describe('in German', () => {
  const whole = digestNamed('a full week');
  const { deliveries, broadcasts, totals } = whole;
  const contents = broadcasts.flatMap((broadcast) => broadcast.contents ?? []);
  const asking = new Set(broadcasts.filter(({ asks }) => asks).flatMap((broadcast) => broadcast.deliveries));

  test.each([
    ['deliveries', 'Gesehen im Zeitraum', totals.seen],
    ['deliveries', 'Antworten im Zeitraum', totals.responded],
    ['deliveries', 'Zielgruppe', add(broadcasts.map(({ audience }) => audience))],
    ['deliveries', 'Gesehen bis heute', add(broadcasts.map(({ seen }) => seen))],
    [
      'deliveries',
      'Antwortquote bis heute',
      add(deliveries.map(({ id, responseRate }) => (asking.has(id) ? responseRate : 0))),
    ],
    ['items', 'Antworten bis heute', add(contents.map(({ responded }) => responded))],
    ['items', 'Bewertungen', add(contents.map(({ ratings }) => ratings?.count))],
  ] as const)('Excel reads and adds up of %s what the digest has: %s', (file, heading, expected) => {
    const [headings = [], ...rows] = cellsOf(whole, file, ';');
    const column = rows.map((row) => Number(row[headings.indexOf(heading)]?.replace(',', '.')));
    expect(add(column)).toBeCloseTo(expected ?? 0);
  });
});
