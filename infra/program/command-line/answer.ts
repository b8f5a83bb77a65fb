import { Temporal } from 'temporal-polyfill';
import { printable } from './print.ts';

/** The exit codes of the program. */
export const exitCodes = { done: 0, noDigest: 1, incomplete: 2, usage: 64 } as const;

/** The result of a command: data for `--json`, the same as lines for people, and the exit code. */
export interface CommandResult {
  json: unknown;
  lines: string[];
  code: number;
  /** Shows more in the browser until Ctrl-C, once the answer is printed. */
  view?: (() => Promise<void>) | undefined;
}

/** A result with exit code 0. */
export function done(json: unknown, lines: string[]): CommandResult {
  return { json, lines, code: exitCodes.done };
}

/** An operators' command as it is typed, with the flags that lead to where it works. */
export function commandLine(words: readonly string[], flags: readonly string[]): string {
  return ['npm run ops --', ...words, ...flags].join(' ');
}

/** An instant as people read it, by the clock of a time zone: "2026-11-16 08:00 Europe/London". */
export function sayInstant(instant: string, timeZone = 'UTC'): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })} ${timeZone}`;
}

/** A table as lines: rows below their headings, each column as wide as its longest cell. */
export function columns(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const table = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return cells.join('  ').trimEnd();
  });
}

/** On anything but a terminal a line is written at most once in this time. */
const everyMs = 2_000;

/**
 * One line on `stream`, standard error by default, that says what is going on: rewritten in place on a terminal, and taken away
 * at the end.
 */
export function createProgress(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr) {
  let last = 0;
  let open = false;
  return {
    say: (progress: string): void => {
      const text = printable(progress);
      if (stream.isTTY) {
        stream.write(`\r\u001B[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
        open = true;
      } else if (Date.now() - last >= everyMs) {
        stream.write(`${text}\n`);
        last = Date.now();
      }
    },
    end: (): void => {
      if (open) stream.write('\r\u001B[2K');
      open = false;
    },
  };
}
