import { expect, test, vi } from 'vitest';
import { columns, createProgress } from '../../../../infra/program/command-line/answer.ts';

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

/** A stream that keeps what is written, as a terminal of so many columns, or as none. */
function streamOf(columns: number | null) {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { stream: { write, isTTY: columns !== null, columns: columns ?? 0 }, written };
}

test('on a terminal one line is rewritten in place, cut to the width, and cleared at the end', () => {
  const { stream, written } = streamOf(12);
  const { say, end } = createProgress(stream);
  say('1 of 300 messages');
  say('2 of 300 messages');
  end();
  expect(written).toEqual(['\r\u001B[2K1 of 300 me', '\r\u001B[2K2 of 300 me', '\r\u001B[2K']);
});

test('elsewhere it is plain lines, at most one in two seconds', () => {
  vi.useFakeTimers();
  const { stream, written } = streamOf(null);
  const { say, end } = createProgress(stream);
  for (let tenth = 0; tenth < 45; tenth += 1) {
    say(`after ${tenth / 10} s`);
    vi.advanceTimersByTime(100);
  }
  end();
  vi.useRealTimers();
  expect(written).toEqual(['after 0 s\n', 'after 2 s\n', 'after 4 s\n']);
});
