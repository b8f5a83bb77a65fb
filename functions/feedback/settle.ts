import { suppress } from '../ledger/persons/opt-outs.ts';
import { recordEvent } from '../ledger/runs/messages.ts';
import { recordSuppressed } from '../ledger/notices.ts';
import type { Table } from '../ledger/table.ts';
import type { SesEvent } from './event.ts';

/** What became of an event: its kind if it was new, `known` if it was not, `stranger` if it is of no message here. */
type EventOutcome = SesEvent['fact']['kind'] | 'known' | 'stranger';

/**
 * Settles the row of an event's message. A hard bounce or a complaint suppresses the person, and is recorded for the
 * operators' notices `at` an instant until `expiresAt` (epoch seconds). An event of a message that was never sent changes nothing.
 */
export async function settleEvent(
  table: Table,
  { origin, fact }: SesEvent,
  recorded: { at: string; expiresAt: number },
): Promise<EventOutcome> {
  const isNew = await recordEvent(table, origin, fact);
  if (isNew === null) return 'stranger';
  const reason = reasons[fact.kind];
  if (reason !== undefined) {
    // Done again for a known event: the attempt before may have ended in between.
    const { run, message: hash, messageId: message } = origin;
    await recordSuppressed(table, { run, message, reason, ...recorded });
    await suppress(table, hash, { reason, at: fact.at });
  }
  return isNew ? fact.kind : 'known';
}

/** Why an address is suppressed by an event. */
const reasons: Partial<Record<SesEvent['fact']['kind'], 'bounce' | 'complaint'>> = {
  bounced: 'bounce',
  complained: 'complaint',
};
