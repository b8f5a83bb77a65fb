// The collector against a faulty service: node test/bench/faults.ts [matrix|pace|tokens|memory|accounts ...] [--seeds N] [--seconds N] [--cases N]
import { parseArgs } from 'node:util';
import { checkAccounts } from './faults/accounts.ts';
import { runMatrix } from './faults/matrix.ts';
import { comparePace } from './faults/pace.ts';
import { shareTokens, weighLongList } from './faults/processes.ts';
import { writeHead } from './faults/table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    cases: { type: 'string', default: '10000' },
  },
});
const parts = positionals.length === 0 ? ['matrix', 'pace', 'tokens', 'memory', 'accounts'] : positionals;
const seeds = Number(values.seeds);
let right = true;

writeHead();
if (parts.includes('matrix')) {
  let wrong = 0;
  for (let seed = 1; seed <= seeds; seed += 1) wrong += await runMatrix(seed);
  console.log(`matrix: ${seeds} seeds, ${wrong} wrong`);
  right &&= wrong === 0;
}
if (parts.includes('pace')) right = (await comparePace(5)) && right;
if (parts.includes('tokens')) right = (await shareTokens(Number(values.seconds))) && right;
if (parts.includes('memory')) right = (await weighLongList()) && right;
if (parts.includes('accounts')) right = (await checkAccounts(Number(values.cases))) && right;
process.exitCode = right ? 0 : 1;
