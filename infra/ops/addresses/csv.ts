/** A line of a CSV file: its cells, and the line's number in the file, from 1. */
export interface CsvLine {
  line: number;
  cells: string[];
}

/**
 * The lines of a CSV file, RFC 4180: separated by commas, semicolons or tabs, whichever its first line has; quoted cells
 * may hold any of them, and line breaks. Empty lines are left out, and so is a byte order mark.
 */
export function readCsv(text: string): CsvLine[] {
  const input = text.replace(/^\uFEFF/, '');
  const separator = [';', '\t'].find((each) => (input.split(/\r?\n/, 1)[0] ?? '').includes(each)) ?? ',';
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = '';
  };
  const endLine = (): void => {
    endCell();
    if (cells.some((each) => each !== '')) lines.push({ line: begun, cells });
    cells = [];
    begun = line;
  };
  for (let index = 0; index < input.length; index += 1) {
    const character = input[index] ?? '';
    if (character === '\n') line += 1;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (input[index + 1] === '"') cell += input[(index += 1)] ?? '';
      else quoted = false;
    } else if (character === '"' && cell.trim() === '') [quoted, cell] = [true, ''];
    else if (character === separator) endCell();
    else if (character === '\n') endLine();
    else if (character !== '\r') cell += character;
  }
  endLine();
  return lines;
}
