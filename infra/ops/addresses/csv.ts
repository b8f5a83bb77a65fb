import { CsvError, parse } from 'csv-parse/sync';

/** A line of a CSV file: its cells, and its number in the file, from 1. One with line breaks in its cells has its first number. */
interface CsvLine {
  line: number;
  cells: string[];
}

/**
 * The lines of a CSV file, RFC 4180: separated by commas, semicolons or tabs, whichever its first line has; quoted cells may
 * hold any of them, and line breaks. Empty lines are left out. Quotes that are not closed make the file unreadable: `fault`
 * says in which line, and never with its text.
 */
export function readCsv(text: string): { lines: CsvLine[]; fault?: string } {
  // The parser counts both characters of a CRLF in a quoted cell as a line.
  const input = text.replaceAll('\r\n', '\n');
  const [first = ''] = input.split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const lines: CsvLine[] = [];
  let end = 0;
  const keep = (cells: string[], position: { lines: number }): null => {
    end = position.lines;
    lines.push({ line: end - cells.join('').split('\n').length + 1, cells: cells.map((cell) => cell.trim()) });
    return null;
  };
  const tolerant = { bom: true, relax_column_count: true, relax_quotes: true, trim: true };
  try {
    parse(input, { delimiter, ...tolerant, skip_records_with_empty_values: true, on_record: keep });
    return { lines };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      lines,
      fault: `The quotes in line ${end + 1} or after it are wrong: a quoted cell does not end with one.`,
    };
  }
}
