import { columnsOf } from './text-lines.ts';

/** The widest that a first column gets. A longer text stands in a line with its figures, which is wrapped. */
const FIRST_COLUMN = 44;

/** Rows of cells as lines: the first column to the left, the others to the right, two spaces apart. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((widest, row) => {
    row.forEach((cell, column) => {
      widest[column] = Math.max(widest[column] ?? 0, columnsOf(cell));
    });
    return widest;
  }, []);
  const [first = 0] = widths;
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? pad(cell, Math.min(first, FIRST_COLUMN), 'end') : pad(cell, widths[column] ?? 0, 'start'),
      )
      .join('  '),
  );
}

function pad(cell: string, width: number, where: 'start' | 'end'): string {
  const spaces = ' '.repeat(Math.max(0, width - columnsOf(cell)));
  return where === 'end' ? cell + spaces : spaces + cell;
}
