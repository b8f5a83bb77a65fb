import { suppress } from '../ledger/persons/opt-outs.ts';
import { readMessage, recordEvent } from '../ledger/runs/messages.ts';
import { recordSuppressed } from '../ledger/notices.ts';
import type { Table } from '../ledger/table.ts';
import type { SesEvent } from './event.ts';

/** What became of an event: its kind if it was new, `known` if it was not, `stranger` if it is of no message here. */
type EventOutcome = SesEvent['fact']['kind'] | 'known' | 'stranger';

/**
 * Settles the row of an event's message. A hard bounce or a complaint suppresses the person, and is recorded for the
 * operators' notices `at` an instant until `expiresAt` (epoch seconds). An event of a message that was never sent changes nothing, and one of an earlier claim only the person.
 */
export async function settleEvent(
  table: Table,
  { origin, fact }: SesEvent,
  recorded: { at: string; expiresAt: number },
): Promise<EventOutcome> {
  const { run, message: hash, messageId: message } = origin;
  const isNew = await recordEvent(table, origin, fact);
  const reason = reasons[fact.kind];
  // The first copy of a message that was sent again, because nobody knew of it, may bounce or be complained about all the same.
  const isOfPerson = isNew !== null || (reason !== undefined && (await readMessage(table, run, hash)) !== null);
  if (!isOfPerson) return 'stranger';
  if (reason !== undefined) {
    // Done again for a known event: the attempt before may have ended in between.
    await recordSuppressed(table, { run, message, reason, ...recorded });
    await suppress(table, hash, { reason, at: fact.at });
  }
  return isNew === true ? fact.kind : 'known';
}

/** Why an address is suppressed by an event. */
const reasons: Partial<Record<SesEvent['fact']['kind'], 'bounce' | 'complaint'>> = {
  bounced: 'bounce',
  complained: 'complaint',
};
