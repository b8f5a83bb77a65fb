import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';

/** What an operator can do with a run that `run` has triggered: see and send one that is held. `flags` lead to its ledger. */
export function describeNextSteps(
  { run }: Pick<Run, 'run'>,
  { state }: Pick<Receipt, 'state'>,
  flags: readonly string[],
): string[] {
  if (state !== 'held') return [];
  const command = (name: string): string => ['npm run ops --', name, run, ...flags].join(' ');
  return [`To see it: ${command('show')}`, `To send it: ${command('release')}`];
}
