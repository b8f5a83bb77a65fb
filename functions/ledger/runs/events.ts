import { messageKey, readMessage, type MessageRow } from './messages.ts';
import type { Table } from '../table.ts';

/** The message that an event of SES is about, by the tags it was sent with. */
export interface EventOrigin {
  run: string;
  /** The row's id. */
  message: string;
  claim: string;
  /** SES's own id of the message. */
  messageId: string;
}

/** The fact that an event reports, with its instant, ISO 8601. `sent` changes the state and nothing else. */
export interface EventFact {
  kind: 'sent' | 'delivered' | 'bounced' | 'softBounced' | 'complained' | 'rejected';
  at: string;
  /** SES's own name of why it did not send the message that it had accepted. */
  refusal?: string;
}

/** The row that an event is about, and whether the event was new. `null` where there is no such message. */
type EventEffect = { row: MessageRow; isNew: boolean } | null;

/**
 * Writes an event's fact into the row of its message, if the message was sent under the event's claim, and settles the
 * row's state: SES accepted every message that it has events about. The same event again changes nothing, and the order
 * of events does not matter: a message once rejected stays failed, and a fact once written stays.
 */
export async function recordEvent(table: Table, origin: EventOrigin, fact: EventFact): Promise<EventEffect> {
  const { run, message, claim, messageId } = origin;
  const row = await readMessage(table, run, message);
  if (row === null || row.claim !== claim) return null;
  const key = messageKey(run, message);
  if (fact.kind === 'rejected') {
    const isNew = await table.update(key, {
      set: { state: 'failed', rejectedAt: fact.at, messageId, refusal: fact.refusal ?? 'Rejected' },
      condition: '#claim = :claim AND attribute_not_exists(#rejectedAt)',
      values: { ':claim': claim },
    });
    return { row, isNew };
  }
  // A row that is settled stays so. A condition that is bound to fail would be a write all the same, and the rows of a run
  // share the writes of one partition.
  const isSettled = row.state === 'sent' || row.rejectedAt !== undefined;
  const settled =
    !isSettled &&
    (await table.update(key, {
      set: { state: 'sent', messageId },
      remove: ['refusal', 'failedBy'],
      condition: '#claim = :claim AND #state <> :sent AND attribute_not_exists(#rejectedAt)',
      values: { ':claim': claim, ':sent': 'sent' },
    }));
  if (fact.kind === 'sent') return { row, isNew: settled };
  const attribute = `${fact.kind}At`;
  const isNew = await table.update(key, {
    set: { [attribute]: fact.at },
    condition: `#claim = :claim AND attribute_not_exists(#${attribute})`,
    values: { ':claim': claim },
  });
  return { row, isNew };
}
