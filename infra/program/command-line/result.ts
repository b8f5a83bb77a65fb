import { InvalidArgumentError } from 'commander';
import { Temporal } from 'temporal-polyfill';
import { clip } from '../../../functions/domain/wording.ts';

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

/** A result with exit code 1: what was asked for was not done. */
export function failed(json: unknown, lines: string[]): CommandResult {
  return { json, lines, code: exitCodes.noDigest };
}

/**
 * Wrong use of a command: nothing was asked and nothing written. Where it is thrown while a flag's value is read, commander
 * puts the flag in front of the message.
 */
export class UsageError extends InvalidArgumentError {
  override readonly name = 'UsageError';
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

/** A table as lines: a row for each item below the headings, each column as wide as its longest cell. */
export function columns<Item>(headings: readonly string[], items: readonly Item[], cellsOf: (item: Item) => string[]) {
  const table = [headings, ...items.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  const padded = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return padded.map((cells) => cells.join('  ').trimEnd());
}

/** On anything but a terminal a line is written at most once in this time. */
const everyMs = 2_000;

/** One line on standard error that says what is going on: rewritten in place on a terminal, and taken away at the end. */
export function createProgress() {
  const stream = process.stderr;
  let last = 0;
  let open = false;
  return {
    say: (progress: string): void => {
      const text = printable(progress);
      if (stream.isTTY) {
        stream.write(`\r\u001B[2K${text.slice(0, (stream.columns || 80) - 1)}`);
        open = true;
      } else if (Date.now() - last >= everyMs) {
        stream.write(`${text}\n`);
        last = Date.now();
      }
    },
    [Symbol.dispose]: (): void => {
      if (open) stream.write('\r\u001B[2K');
      open = false;
    },
  };
}

/** No line that is printed is longer: a text of the service may be. */
const longestLine = 4_000;

/** What a terminal obeys and does not show, or what turns round what is beside it: Unicode's `Cc`, `Zl`, `Zp`, `Bidi_Control`. */
const unshown = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]+/gu;

/**
 * A text as one line for a terminal, whatever is in it: what a service, a ledger or a caller wrote can neither begin a line of
 * its own nor move the cursor. Everything that the program prints comes through here, or through `printableJson`.
 */
export function printable(text: string): string {
  return clip(text.replaceAll(unshown, ' '), longestLine);
}

/** A text of several lines, which are ours. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** A value as JSON that a terminal shows as well: what it would obey is escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, escaped);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
