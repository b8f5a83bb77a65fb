import * as v from 'valibot';
import type { EventFact } from '../ledger/runs/messages.ts';

/** In UTC with milliseconds, whichever way SES wrote it: instants are compared as texts. */
const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((at) => new Date(at).toISOString()),
);

const mail = v.object({ messageId: v.string(), timestamp: instant, tags: v.record(v.string(), v.array(v.string())) });

const bouncedRecipients = v.optional(v.array(v.object({ status: v.nullish(v.string(), '') })), []);
const subType = v.nullish(v.string(), 'unstated');
const bounce = v.object({ bounceType: v.string(), bounceSubType: subType, bouncedRecipients, timestamp: instant });
const complaintFeedbackType = v.nullish(v.string());
const complaint = v.object({ timestamp: instant, complaintFeedbackType, complaintSubType: subType });

/** The subtypes of what SES did not even try to deliver, because its list of the account, or its own, has the address. */
const listsOfSes = new Set(['OnAccountSuppressionList', 'Suppressed']);

/**
 * SES's events as EventBridge delivers them, with the fields that are read.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const sesEventSchema = v.object({
  source: v.literal('aws.ses'),
  detail: v.variant('eventType', [
    v.object({ eventType: v.literal('Send'), mail }),
    v.object({ eventType: v.literal('Delivery'), mail, delivery: v.object({ timestamp: instant }) }),
    v.object({ eventType: v.literal('Bounce'), mail, bounce }),
    v.object({ eventType: v.literal('Complaint'), mail, complaint }),
    v.object({ eventType: v.picklist(['Reject', 'Rendering Failure']), mail }),
  ]),
});

/** An event about a message of a run: whose it is, and what it says. */
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
  const [run, id, claim] = ['run', 'message', 'claim'].map((name) => tags[name]?.[0]);
  if (run === undefined || id === undefined || claim === undefined) return null;
  return { origin: { run, id, claim, messageId }, fact: factOf(detail) };
}

function factOf(detail: v.InferOutput<typeof sesEventSchema>['detail']): EventFact {
  switch (detail.eventType) {
    case 'Send':
      return { kind: 'sent', at: detail.mail.timestamp };
    case 'Delivery':
      return { kind: 'delivered', at: detail.delivery.timestamp };
    case 'Bounce': {
      const { bounceType, bounceSubType, bouncedRecipients, timestamp } = detail.bounce;
      if (listsOfSes.has(bounceSubType)) return { kind: 'heldBack', at: timestamp };
      // That may pass, also where a status says otherwise: a domain need only be without an answer for an hour.
      if (bounceType !== 'Permanent') return { kind: 'softBounced', at: timestamp };
      const [status = bounceSubType] = /\d\.\d{1,3}\.\d{1,3}/.exec(bouncedRecipients[0]?.status ?? '') ?? [];
      return { kind: 'bounced', at: timestamp, status };
    }
    case 'Complaint': {
      const { complaintFeedbackType, complaintSubType, timestamp } = detail.complaint;
      if (listsOfSes.has(complaintSubType)) return { kind: 'heldBack', at: timestamp };
      // Of somebody who rescued the mail from the junk: it had arrived.
      return { kind: complaintFeedbackType === 'not-spam' ? 'delivered' : 'complained', at: timestamp };
    }
    case 'Reject':
    case 'Rendering Failure':
    default:
      return { kind: 'rejected', at: detail.mail.timestamp, refusal: detail.eventType };
  }
}
