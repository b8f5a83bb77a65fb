/** The result of a command: data for `--json`, the same as lines for people, and the exit code. */
export interface CommandResult {
  json: unknown;
  lines: string[];
  code: number;
}

/** A result with exit code 0. */
export function done(json: unknown, lines: string[]): CommandResult {
  return { json, lines, code: 0 };
}

/** A table as lines: rows below their headings, each column as wide as its longest cell. */
export function columns(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A count with its noun. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
