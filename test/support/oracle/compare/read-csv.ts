/** The rows of a CSV (RFC 4180) by the headings of its columns; an empty cell is an empty text. */
export function readCsv(csv: string): Array<Map<string, string>> {
  const [headings = [], ...rows] = cellsOf(csv.replace(/^\ufeff/, ''));
  return rows.map((cells) => new Map(headings.map((heading, index) => [heading, cells[index] ?? ''])));
}

function cellsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
