import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../../../infra/program/command-line/answer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that keeps what is written, as a terminal of so many columns, or as none. */
function streamOf(columns: number | null): {
  stream: Pick<WriteStream, 'write' | 'isTTY' | 'columns'>;
  written: string[];
} {
  const written: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(sink, { isTTY: columns !== null, columns: columns ?? 0 }), written };
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
  const { stream, written } = streamOf(null);
  const { say, end } = createProgress(stream);
  for (let tenth = 0; tenth < 45; tenth += 1) {
    say(`after ${tenth / 10} s`);
    vi.advanceTimersByTime(100);
  }
  end();
  expect(written).toEqual(['after 0 s\n', 'after 2 s\n', 'after 4 s\n']);
});
