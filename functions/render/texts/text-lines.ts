/** Characters of a line of the text part: RFC 5322, section 2.1.1. */
const lineLength = 78;

/**
 * A text with no line longer than 78 characters and no more than one empty line in a row. A wrapped line keeps its indent, and a
 * word longer than a line stays whole: an address that is cut leads nowhere.
 */
export function wrapLines(text: string): string {
  const lines = text.split('\n').flatMap((line) => wrapLine(line.trimEnd()));
  const wrapped = lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
  return `${wrapped.trim()}\n`;
}

function wrapLine(line: string): string[] {
  if (line.length <= lineLength) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const words = line.slice(indent.length).replaceAll(/ +/g, ' ');
  // As many words as there is room for, else one that is longer.
  const parts = words.match(new RegExp(`[^ ].{0,${lineLength - indent.length - 1}}(?= |$)|[^ ]+`, 'gs')) ?? [];
  return parts.map((part) => indent + part);
}

/** The widest that a first column gets. A longer text stands in a line with its figures, which is wrapped. */
const widestFirstColumn = 44;

/** Rows of cells as lines: the first column to the left, the others to the right, two spaces apart. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(Math.min(widths[0] ?? 0, widestFirstColumn)) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join('  '));
}
