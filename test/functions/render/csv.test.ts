import { parse as readCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { writeCsv } from '../../../functions/render/csv.ts';
import { digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { delivery, digest } from '../../support/digests/pieces.ts';
import { language } from './sections.ts';

/** The cells of each line. */
const cellsOf = (digest: Digest) => readCsv(writeCsv(digest, language), { bom: true });

test('is lines that end as RFC 4180 wants, after a mark that says UTF-8 to Excel', () => {
  const lines = writeCsv(digest({ deliveries: [delivery()] }), language).split('\r\n');
  expect([lines.length, lines[0]?.slice(0, 4), lines[1]?.slice(0, 8), lines[2]]).toEqual([
    3,
    '\ufeffRow',
    'delivery',
    '',
  ]);
});

test('every cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\u202e=1', '＝1', '|calc', 'x;=1+1; @y;z', 'x;"=1', 'a=1'];
  const deliveries = formulas.map((name) => delivery({ broadcast: { ...delivery().broadcast, name } }));
  const names = cellsOf(digest({ deliveries }))
    .slice(1)
    .map((row) => row[4]);
  expect(names.join(' ')).toBe(`'=1+1 '+1 '-1 '@SUM(A1) '=1 '=1 '＝1 '|calc x;'=1+1; '@y;z x;"'=1 a=1`);
});

test('a text that no cell can hold is cut, so that the file of one long name still comes with the mail', () => {
  const name = `=long ${'name '.repeat(1024 * 1024)}`;
  const cell =
    cellsOf(digest({ deliveries: [delivery({ broadcast: { ...delivery().broadcast, name } })] }))[1]?.[4] ?? '';
  expect([cell.length, cell.slice(0, 6), cell.at(-1)]).toEqual([32_767, "'=long", '…']);
});

test('every line has as many cells as there are headings, whatever the texts hold', () => {
  const deliveries = hostileTexts.map((name) =>
    delivery({ id: name, status: name, broadcast: { id: name, name, createdAt: null, createdBy: name } }),
  );
  const rows = cellsOf(digest({ deliveries: [...digestNamed('an incomplete week').deliveries, ...deliveries] }));
  expect(rows.length).toBe(1 + 7 + 9 + hostileTexts.length);
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
});
