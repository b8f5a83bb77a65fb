import { expect, test } from 'vitest';
import { columns } from '../../../../infra/program/command-line/answer.ts';

const headings = ['run', 'state', 'outcome'];
const rows = [
  ['weekly_2026-W46', 'done', '3 sent'],
  ['weekly_2026-W45', 'held', '3 held, and the rest of this long text says why, in plain words'],
];

test('a table has a column as wide as its longest cell', () => {
  expect(columns(headings, rows.slice(0, 1), 60)).toEqual([
    'run              state  outcome',
    'weekly_2026-W46  done   3 sent',
  ]);
});

test('one that is wider than the terminal is written row by row, without a broken word', () => {
  const lines = columns(headings, rows, 60);
  expect(lines.slice(0, 3)).toEqual(['weekly_2026-W46', '  state    done', '  outcome  3 sent']);
  expect(lines.every((line) => line.length <= 60)).toBe(true);
  expect(lines.join(' ').replaceAll(/ +/g, ' ')).toContain(rows[1]?.[2]);
});
