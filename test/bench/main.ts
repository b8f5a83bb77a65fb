// `npm run bench`: measures what a digest costs, prints a table, and leaves it in bench.json. `--short` measures little
// of everything, to prove that it works.
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { collectingRow } from './collecting.ts';
import { round, type Extent } from './measurement.ts';
import { sendingRow } from './sending.ts';

const columns = ['what', 'against', 'measured', 'figure', 'target', 'met'] as const;
const short = process.argv.includes('--short');
const extent: Extent = { times: short ? 1 : 5, short };

const rows = [await sendingRow(extent), await collectingRow(extent)];
process.stdout.write(`${printTable()}\n`);
const machine = { node: process.version, cores: availableParallelism() };
await writeFile('bench.json', `${JSON.stringify({ ...extent, machine, rows }, null, 2)}\n`);
if (!short && rows.some(({ met }) => !met)) process.exitCode = 1;

/** The rows as a Markdown table. */
function printTable(): string {
  const shown = rows.map((row) => Object.assign({}, row, { figure: round(row.figure), met: row.met ? 'yes' : 'NO' }));
  const lines = [columns, columns.map(() => '---'), ...shown.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
