import { expect, test } from 'vitest';
import { engaged } from '../../../support/digests/pieces.ts';
import { viewStillRead } from '../../../../functions/render/sections/still-read.ts';
import { digestOfEntries, entry, language, sectionOf } from './entries.ts';

const older = (seen: number, responded = 1, over = {}) =>
  entry({ id: String(seen), name: `B${seen}`, kind: 'active', inPeriod: engaged(seen, responded), ...over });
const view = (...broadcasts: Parameters<typeof digestOfEntries>[0]) =>
  viewStillRead(sectionOf(digestOfEntries(broadcasts)), language);

test('still being read is not there where nothing older was seen', () => {
  expect(view(entry())).toBeNull();
});

test('still being read is a row for each with two views or more, and the rest in a sentence', () => {
  const shown = view(older(13, 11, { deliveries: ['1', '2'] }), older(2), older(1, 0), older(0, 1));
  expect(shown?.lines).toEqual([
    'B13, 2 deliveries  13 seen  11 responded',
    'B2                  2 seen   1 responded',
  ]);
  expect(shown?.more).toBe('2 more broadcasts: 1 view and 1 response together. They are in the file.');
});

test('still being read is not what is judged at last and had nothing more', () => {
  expect(view(older(0, 0))).toBeNull();
});

test('still being read has no views of what was answered without any', () => {
  const shown = view(older(0, 12, { seen: 0, responded: 30 }));
  expect([shown?.rows[0]?.seen, shown?.lines, shown?.more]).toEqual(['–', ['B0  –  12 responded'], null]);
});

test('still being read is at most six rows', () => {
  const shown = view(...Array.from({ length: 9 }, (_, index) => older(20 - index)));
  expect([shown?.rows.length, shown?.more]).toEqual([
    6,
    '3 more broadcasts: 39 views and 3 responses together. They are in the file.',
  ]);
});

test('still being read is a sentence alone where each has a single view', () => {
  const shown = view(older(1, 1));
  expect([shown?.rows, shown?.more]).toEqual([
    [],
    '1 older broadcast: 1 view and 1 response together. It is in the file.',
  ]);
});
