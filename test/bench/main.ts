// `npm run bench`: measures what a digest costs, prints a table, and leaves it in bench.json. `--short` measures little
// of everything, to prove that it works; `--only WORD` those groups whose name has the word; `--out FILE`.
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { collectingRow } from './collecting.ts';
import { round, type Extent, type Row } from './measurement.ts';
import { sendingRow } from './sending.ts';

const groups: Readonly<Record<string, (extent: Extent) => Promise<Row>>> = {
  sending: sendingRow,
  collecting: collectingRow,
};

const columns = ['what', 'against', 'measured', 'figure', 'target', 'met'] as const;

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'bench.json' },
  },
});
const extent: Extent = { times: flags.short ? 1 : 5, short: flags.short };

const chosen = Object.entries(groups).filter(([name]) => name.includes(flags.only));
if (chosen.length === 0) {
  process.stderr.write(`--only: no group has "${flags.only}" in its name. Groups: ${Object.keys(groups).join(', ')}\n`);
  process.exit(64);
}

const rows: Row[] = [];
for (const [name, measureRow] of chosen) {
  process.stderr.write(`Measuring: ${name} …\n`);
  rows.push(await measureRow(extent));
}
process.stdout.write(`${printTable(rows)}\n`);
const machine = { node: process.version, cores: availableParallelism() };
await writeFile(flags.out, `${JSON.stringify({ short: flags.short, times: extent.times, machine, rows }, null, 2)}\n`);
if (!flags.short && rows.some(({ met }) => !met)) process.exitCode = 1;

/** The rows as a Markdown table. */
function printTable(rows: readonly Row[]): string {
  const shown = rows.map((row) => ({ ...row, figure: round(row.figure), met: row.met ? 'yes' : 'NO' }));
  const lines = [columns, columns.map(() => '---'), ...shown.map((row) => columns.map((column) => row[column]))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
