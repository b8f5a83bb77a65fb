import * as v from 'valibot';
import { runNameBefore } from '../domain/period.ts';
import { recordSuppressed, type Suppressed } from '../ledger/notices.ts';
import { suppress } from '../ledger/persons/opt-outs.ts';
import { readMessage, recordEvent, type EventFact } from '../ledger/runs/messages.ts';
import type { Table } from '../ledger/table.ts';

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
 * What a permanent bounce states of an address, or a domain, that does not exist or takes no mail any more (RFC 3463, RFC 7505).
 * Any other status is about the sender, the content, a policy or a full mailbox. Where there is none, SES's subtype decides:
 * with `General` the address's own server refused it, and SES asks to remove it; with `NoEmail` SES could not tell whom it is about.
 */
const deadAddress = /^(?:5\.(?:1\.(?:[1236]|10)|2\.1|4\.4)|General)$/;

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

type SesEvent = NonNullable<ReturnType<typeof parseSesEvent>>;

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

/**
 * Settles the row of an event's message, and records `at` an instant until `expiresAt` (epoch seconds) what it says of the person.
 * A complaint suppresses the person at once; about a permanent bounce the watch decides, once it is known how many of the run
 * bounced alike. An event of a message that was never sent changes nothing, and one of an earlier claim only the person.
 * Gives the event's kind if it was new, `known` if it was not, and `stranger` if it is of no message here.
 */
export async function settleEvent(
  table: Table,
  { origin, fact }: SesEvent,
  recorded: { at: string; expiresAt: number },
) {
  const { run, id: hash, messageId: message } = origin;
  const isNew = await recordEvent(table, origin, fact);
  const isOfPerson = fact.kind === 'bounced' || fact.kind === 'complained';
  // The first copy of a message that was sent again, because nobody knew of it, may bounce or be complained about all the same.
  if (isNew === null && !(isOfPerson && (await readMessage(table, run, hash)) !== null)) return 'stranger';
  // Done again for a known event: the attempt before may have ended in between.
  const reason = await reasonOf(table, { run, hash }, fact);
  const bounce = fact.status === undefined ? {} : { bounce: { status: fact.status, at: fact.at } };
  const id = reason === 'soft-bounces' ? `${message}-soft` : message;
  if (reason !== null) await recordSuppressed(table, { run, message: id, reason, hash, ...bounce, ...recorded });
  return isNew === true ? fact.kind : 'known';
}

/** What an event says of a person that operators, or the watch, should know; `null` where that is nothing new. */
async function reasonOf(
  table: Table,
  { run, hash }: { run: string; hash: string },
  { kind, at, status = '' }: EventFact,
): Promise<Suppressed['reason'] | null> {
  if (kind === 'bounced') return deadAddress.test(status) ? 'bounce' : 'refusal';
  if (kind === 'complained') return (await suppress(table, hash, { reason: 'complaint', at })) ? 'complaint' : null;
  if (kind === 'heldBack') return (await wasHeldBack(table, runNameBefore(run), hash)) ? null : 'held-back';
  return kind === 'softBounced' && (await keepsBouncing(table, run, hash)) ? 'soft-bounces' : null;
}

/** Whether SES held back a person's mail of a run. Operators hear once of mails that it holds back one after the other. */
async function wasHeldBack(table: Table, run: string | null, hash: string): Promise<boolean> {
  return run !== null && (await readMessage(table, run, hash))?.heldBackAt !== undefined;
}

/** Whether the mails of a report's last three runs bounced softly: exactly so many, as operators hear of a row once. */
async function keepsBouncing(table: Table, run: string, hash: string): Promise<boolean> {
  let bounces = 0;
  for (let name: string | null = run; name !== null && bounces <= softBouncesOfNotice; name = runNameBefore(name)) {
    const row = await readMessage(table, name, hash);
    // The bounce of a mail that was delivered is often an out-of-office reply.
    if (row?.softBouncedAt === undefined || row.deliveredAt !== undefined) break;
    bounces += 1;
  }
  return bounces === softBouncesOfNotice;
}

const softBouncesOfNotice = 3;
