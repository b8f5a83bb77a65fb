import { suppressAddress } from '../ledger/addresses/addresses.ts';
import { recordEvent } from '../ledger/runs/events.ts';
import { forgottenAddress } from '../ledger/runs/messages.ts';
import type { Table } from '../ledger/table.ts';
import type { SesEvent } from './event.ts';

/** What became of an event: its kind if it was new, `known` if it was not, `stranger` if it is of no message here. */
export type EventOutcome = SesEvent['fact']['kind'] | 'known' | 'stranger';

/**
 * Settles the row of an event's message. A hard bounce or a complaint suppresses the row's address. An event of a message
 * that was never sent changes nothing, and one of a message whose address was forgotten settles the row alone.
 */
export async function settleEvent(table: Table, { origin, fact }: SesEvent): Promise<EventOutcome> {
  const effect = await recordEvent(table, origin, fact);
  if (effect === null) return 'stranger';
  const { to } = effect.row;
  if (to === forgottenAddress) return effect.isNew ? fact.kind : 'known';
  // Done again for a known event: the attempt before may have ended in between.
  if (fact.kind === 'bounced') await suppressAddress(table, to, { reason: 'bounce', at: fact.at, run: origin.run });
  if (fact.kind === 'complained')
    await suppressAddress(table, to, { reason: 'complaint', at: fact.at, run: origin.run });
  return effect.isNew ? fact.kind : 'known';
}
