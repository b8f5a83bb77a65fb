import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';

/**
 * What an operator can do with a run that `run` has triggered: see and send one that is held. Where it was to be held but was
 * done before, that. `flags` lead to its ledger.
 */
export function describeNextSteps(
  { run }: Pick<Run, 'run'>,
  { state, balance }: { state: Receipt['state']; balance: Pick<Receipt['balance'], 'sent'> },
  { hold, flags }: { hold: boolean; flags: readonly string[] },
): string[] {
  const command = (name: string): string => ['npm run ops --', name, run, ...flags].join(' ');
  if (state === 'held') return [`To see it: ${command('show')}`, `To send it: ${command('release')}`];
  if (!hold || state !== 'done') return [];
  return [`Nothing was held: the run was ${balance.sent > 0 ? 'sent' : 'done'} before.`];
}
