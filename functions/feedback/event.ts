import * as v from 'valibot';
import { partsOfRunName, runNameBefore } from '../domain/period.ts';
import { readSuppressedAfter, recordSuppressed, refusalsAmong } from '../ledger/notices.ts';
import { suppress, takeBack } from '../ledger/persons/opt-outs.ts';
import { readMessage, recordEvent, type EventFact } from '../ledger/runs/messages.ts';
import { readRun } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

/** Compared as text, so written as all are: in UTC, with milliseconds. */
const instant = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
  v.date(),
  v.transform((date) => date.toISOString()),
);

const mail = v.object({ messageId: v.string(), timestamp: instant, tags: v.record(v.string(), v.array(v.string())) });

const bouncedRecipients = v.optional(v.array(v.object({ status: v.nullish(v.string(), '') })), []);
const subType = v.nullish(v.string(), '');
const bounce = v.object({ bounceType: v.string(), bounceSubType: subType, bouncedRecipients, timestamp: instant });
const complaint = v.object({
  timestamp: instant,
  complaintFeedbackType: v.nullish(v.string()),
  complaintSubType: subType,
});

/**
 * The status of an address or a domain that does not exist, or takes no mail any more (RFC 3463, RFC 7505). Other permanent ones are
 * about the sender, its policy, the message or a full mailbox.
 */
const deadAddress = /^5\.(?:1\.(?:[1236]|10)|2\.1|4\.4)$/;

/** SES had the address on a list of its own, and sent nothing. */
const heldBack = new Set(['OnAccountSuppressionList', 'Suppressed']);

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
      const { bounceType, bounceSubType, bouncedRecipients, timestamp: at } = detail.bounce;
      if (heldBack.has(bounceSubType)) return { kind: 'rejected', at, refusal: bounceSubType };
      // What may pass, such as a domain that does not resolve for an hour, is said of nobody.
      if (bounceType !== 'Permanent') return { kind: 'softBounced', at };
      const { status = '' } = bouncedRecipients.find((recipient) => recipient.status !== '') ?? {};
      // Without a status SES's subtype says it: `General` is a server's word on its own address, `NoEmail` of nobody that SES knows.
      const isOfAddress = status === '' ? bounceSubType === 'General' : deadAddress.test(status);
      return { kind: 'bounced', at, bounce: { status, isOfAddress } };
    }
    case 'Complaint': {
      const { complaintFeedbackType, complaintSubType, timestamp: at } = detail.complaint;
      if (heldBack.has(complaintSubType)) return { kind: 'rejected', at, refusal: complaintSubType };
      // Of somebody who rescued the mail from the junk: it had arrived.
      return { kind: complaintFeedbackType === 'not-spam' ? 'delivered' : 'complained', at };
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
 * Settles the row of an event's message. A complaint, or a hard bounce that says something of the address, suppresses the person, and
 * is recorded for the operators' notices `at` an instant until `expiresAt` (epoch seconds); other hard bounces and a third soft one in
 * a row are only recorded. An event of a message that was never sent changes nothing, one of an earlier claim only the person, and
 * one from before an operator lifted the person only the row.
 */
export async function settleEvent(
  table: Table,
  { origin, fact }: SesEvent,
  recorded: { at: string; expiresAt: number },
): Promise<EventOutcome> {
  const { run, message: hash, messageId: message } = origin;
  const isNew = await recordEvent(table, origin, fact);
  const reason = reasonOf(fact);
  // The first copy of a message that was sent again, because nobody knew of it, may bounce or be complained about all the same.
  const isOfPerson = isNew !== null || (reason !== null && (await readMessage(table, run, hash)) !== null);
  if (!isOfPerson) return 'stranger';
  // Done again for a known event: the attempt before may have ended in between.
  if (reason !== null && (reason === 'refusal' || (await suppress(table, hash, { reason, at: fact.at })))) {
    const { status = '' } = fact.bounce ?? {};
    await recordSuppressed(table, { run, message, reason, hash, status, eventAt: fact.at, ...recorded });
    if (reason === 'bounce') await takeBackRefusals(table, run);
  }
  if (fact.kind === 'softBounced' && (await keepsBouncing(table, run, hash)))
    await recordSuppressed(table, { run, message: `${message}-soft`, reason: 'soft-bounces', ...recorded });
  return isNew === true ? fact.kind : 'known';
}

function reasonOf({ kind, bounce }: EventFact): 'bounce' | 'complaint' | 'refusal' | null {
  if (kind === 'complained') return 'complaint';
  if (kind !== 'bounced') return null;
  return bounce?.isOfAddress === false ? 'refusal' : 'bounce';
}

/**
 * Takes back what the bounces after a run did, once they are too many of one status to say anything of the addresses. Each event
 * first suppresses, then records, then looks: so the last one to look knows of all.
 */
async function takeBackRefusals(table: Table, run: string): Promise<void> {
  const { report, period } = partsOfRunName(run) ?? {};
  const mails = report === undefined || period === undefined ? null : (await readRun(table, report, period))?.intended;
  const refusals = refusalsAmong(await readSuppressedAfter(table, run), mails ?? Infinity);
  for (const { reason, hash, eventAt: at } of refusals)
    if (reason === 'bounce' && hash !== undefined && at !== undefined) await takeBack(table, hash, { reason, at });
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
