import { runNameBefore } from '../domain/period.ts';
import { recordSuppressed, type Suppressed } from '../ledger/notices.ts';
import { suppress } from '../ledger/persons/opt-outs.ts';
import { readMessage, readMessageBefore, recordEvent, type EventFact } from '../ledger/runs/messages.ts';
import type { Table } from '../ledger/table.ts';
import type { SesEvent } from './parse-event.ts';

/**
 * What a permanent bounce states of an address, or a domain, that does not exist or takes no mail any more (RFC 3463, RFC 7505).
 * Any other status is about the sender, the content, a policy or a full mailbox. Where there is none, SES's subtype decides:
 * with `General` the address's own server refused it, and SES asks to remove it; with `NoEmail` SES could not tell whom it is about.
 */
const deadAddress = /^(?:5\.(?:1\.(?:[1236]|10)|2\.1|4\.4)|General)$/;

/**
 * Settles the row of an event's message, and records `at` an instant until `expiresAt` (epoch seconds) what it says of the person.
 * A complaint suppresses the person at once; about a permanent bounce the watch decides, once it is known how many of the run
 * bounced alike. An event of a message that was never sent changes nothing, and one of an earlier claim only the person.
 * Gives the event's kind if it was new, `known` if it was not, and `stranger` if it is of no message here.
 */
export async function settleEvent(table: Table, { origin, fact }: SesEvent, stamp: { at: string; expiresAt: number }) {
  const { run, id: hash, messageId: message } = origin;
  const isNew = await recordEvent(table, origin, fact);
  const isOfPerson = fact.kind === 'bounced' || fact.kind === 'complained';
  // The first copy of a message that was sent again, because nobody knew of it, may bounce or be complained about all the same.
  if (isNew === null && !(isOfPerson && (await readMessage(table, run, hash)) !== null)) return 'stranger';
  // Done again for a known event: the attempt before may have ended in between.
  const reason = await reasonOf(table, { run, hash }, fact);
  const bounce = fact.status === undefined ? {} : { bounce: { status: fact.status, at: fact.at } };
  const id = reason === 'soft-bounces' ? `${message}-soft` : message;
  if (reason !== null) await recordSuppressed(table, { run, message: id, reason, hash, ...bounce, ...stamp });
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
  // Operators hear once of mails that SES holds back one after the other.
  if (kind === 'heldBack') return (await readMessageBefore(table, run, hash))?.heldBackAt ? null : 'held-back';
  return kind === 'softBounced' && (await keepsBouncing(table, run, hash)) ? 'soft-bounces' : null;
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
