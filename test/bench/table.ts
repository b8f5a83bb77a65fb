import type { Row } from './row.ts';

const columns = ['what', 'against', 'measured', 'figure', 'target', 'met'] as const;

/** The rows as a Markdown table, with their notes below it. */
export function printTable(rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    columns.map((column) => {
      if (column === 'figure') return Number.isNaN(row.figure) ? '–' : round(row.figure);
      if (column === 'met') return row.met === null ? '–' : row.met ? 'yes' : 'NO';
      return row[column];
    }),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`${what}:\n${note}`]));
  return [
    line(columns),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...cells.map(line),
    '',
    ...notes,
  ].join('\n');
}

/** Three digits that count. */
export function round(figure: number): string {
  return Math.abs(figure) >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)));
}
