const widths = [76, 10, 9, 9];

/** The head of the table. */
export function writeHead(): void {
  writeCells(['seed  switch', 'requests', 'retries', 'seconds', 'verdict']);
}

/** A row of the table. */
export function writeRow(name: string, requests: number, retries: number, seconds: number, verdict: string): void {
  writeCells([name, String(requests), String(retries), seconds.toFixed(2), verdict]);
}

function writeCells([name = '', ...cells]: readonly string[]): void {
  const numbers = cells.map((cell, index) =>
    widths[index + 1] === undefined ? `  ${cell}` : cell.padStart(widths[index + 1] ?? 0),
  );
  console.log(name.padEnd(widths[0] ?? 0) + numbers.join(''));
}
