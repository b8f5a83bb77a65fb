import * as v from 'valibot';
import { recordSuppressed } from '../ledger/notices.ts';
import { suppress } from '../ledger/persons/opt-outs.ts';
import { readMessage, recordEvent, type EventFact } from '../ledger/runs/messages.ts';
import type { Table } from '../ledger/table.ts';

const instant = v.string();

const mail = v.object({ messageId: v.string(), timestamp: instant, tags: v.record(v.string(), v.array(v.string())) });

/**
 * SES's events as EventBridge delivers them, with the fields that are read. A bounce is hard if it is permanent.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const sesEventSchema = v.object({
  source: v.literal('aws.ses'),
  detail: v.variant('eventType', [
    v.object({ eventType: v.literal('Send'), mail }),
    v.object({ eventType: v.literal('Delivery'), mail, delivery: v.object({ timestamp: instant }) }),
    v.object({
      eventType: v.literal('Bounce'),
      mail,
      bounce: v.object({ bounceType: v.string(), timestamp: instant }),
    }),
    v.object({
      eventType: v.literal('Complaint'),
      mail,
      complaint: v.object({ timestamp: instant, complaintFeedbackType: v.nullish(v.string()) }),
    }),
    v.object({ eventType: v.picklist(['Reject', 'Rendering Failure']), mail }),
  ]),
});

export type SesEvent = NonNullable<ReturnType<typeof parseSesEvent>>;

/**
 * Reads an event of SES. `null` where its message lacks the tags that every message of a run has: somebody else sent it.
 * Throws a `TypeError` for anything that is not such an event.
 */
export function parseSesEvent(event: unknown) {
  const parsed = v.safeParse(sesEventSchema, event);
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the event');
    throw new TypeError(`Not a readable SES event: ${faults.join(', ')}.`);
  }
  const { detail } = parsed.output;
  const { messageId, tags } = detail.mail;
  const [run, message, claim] = ['run', 'message', 'claim'].map((name) => tags[name]?.[0]);
  if (run === undefined || message === undefined || claim === undefined) return null;
  return { origin: { run, message, claim, messageId }, fact: factOf(detail) };
}

function factOf(detail: v.InferOutput<typeof sesEventSchema>['detail']): EventFact {
  switch (detail.eventType) {
    case 'Send':
      return { kind: 'sent', at: detail.mail.timestamp };
    case 'Delivery':
      return { kind: 'delivered', at: detail.delivery.timestamp };
    case 'Bounce': {
      const { bounceType, timestamp } = detail.bounce;
      return { kind: bounceType === 'Permanent' ? 'bounced' : 'softBounced', at: timestamp };
    }
    case 'Complaint': {
      const { complaintFeedbackType, timestamp } = detail.complaint;
      // Of somebody who rescued the mail from the junk: it had arrived.
      return { kind: complaintFeedbackType === 'not-spam' ? 'delivered' : 'complained', at: timestamp };
    }
    case 'Reject':
    case 'Rendering Failure':
    default:
      return { kind: 'rejected', at: detail.mail.timestamp, refusal: detail.eventType };
  }
}

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

const reasons: Partial<Record<SesEvent['fact']['kind'], 'bounce' | 'complaint'>> = {
  bounced: 'bounce',
  complained: 'complaint',
};
