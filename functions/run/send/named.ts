import { messageIdOf } from '../../ledger/runs/messages.ts';
import { readTriggerSubscribers } from '../../ledger/runs/triggers.ts';
import type { Table } from '../../ledger/table.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * The ids of the messages to the addresses that a trigger named; `null` where it named none: then it sends to every
 * subscriber of the run. Throws a `NoAddressesError` where the ledger no longer has them.
 */
export async function readNamed(
  table: Table,
  { run, subscribers }: Pick<Plan, 'run' | 'subscribers'>,
): Promise<ReadonlySet<string> | null> {
  if (subscribers === undefined) return null;
  const addresses = await readTriggerSubscribers(table, subscribers);
  return new Set(addresses.map((address) => messageIdOf(run, address)));
}
