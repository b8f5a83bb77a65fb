import * as v from 'valibot';
import { runNameBefore } from '../../domain/period.ts';
import type { Key, Table } from '../table.ts';

/** Why a message is not sent: its person gets no mail, or is no subscriber any more, or its channel is off or gone. */
export const withheldStates = ['suppressed', 'unsubscribed', 'removed'] as const;
export type WithheldState = (typeof withheldStates)[number];

const messageSchema = v.object({
  /** The person's hash, or that of a card: see `cardId`. */
  id: v.string(),
  state: v.picklist(['planned', 'claimed', 'sent', 'failed', ...withheldStates]),
  /** An operator named the person, who need not be a subscriber. */
  named: v.exactOptional(v.literal(true)),
  /** Where a card goes, kind and name: `teams:managers`. It has no person. */
  channel: v.exactOptional(v.string()),
  claim: v.optional(v.string()),
  claimedAt: v.optional(v.number()),
  messageId: v.optional(v.string()),
  /** The execution that last tried and failed: only another one tries again. */
  failedBy: v.optional(v.string()),
  /** The execution that planned it again although it may have been sent. */
  resentBy: v.optional(v.string()),
  /** When SES was handed the mail before that, ISO 8601. */
  sentBeforeAt: v.optional(v.string()),
  refusal: v.optional(v.string()),
  // The instants of SES's events, ISO 8601.
  deliveredAt: v.optional(v.string()),
  bouncedAt: v.optional(v.string()),
  /** What that bounce states: "5.1.1", or SES's subtype where it states nothing. */
  bounceStatus: v.optional(v.string()),
  softBouncedAt: v.optional(v.string()),
  complainedAt: v.optional(v.string()),
  rejectedAt: v.optional(v.string()),
  heldBackAt: v.optional(v.string()),
});

/** The row of one message: a subscriber or a channel of a run, and what became of the mail or the card. */
export type MessageRow = v.InferOutput<typeof messageSchema>;

/** The key of a message's row. Its id, the person's hash, is an SES tag, too, and reveals no address. */
export function messageKey(run: string, id: string): Key {
  return { pk: `RUN#${run}`, sk: `MESSAGE#${id}` };
}

/** The id of a run's card to a channel. No person has it: a hash is hexadecimal. */
export const cardId = (channel: string): string => `channel-${channel}`;

/** Whether a message is a card to a channel: SES knows nothing of it, and no event comes about it. */
export function isCard({ id }: Pick<MessageRow, 'id'>): boolean {
  return id.startsWith(cardId(''));
}

/**
 * Plans a message. Changes nothing where the run has it, but for one that was not sent because its person or channel was
 * removed; where an operator names the person, also because they got no mail then: they may have come back.
 */
export async function planMessage(
  table: Table,
  run: string,
  { id, ...attributes }: { id: string; named?: true | undefined; channel?: string; expiresAt: number },
): Promise<void> {
  const key = messageKey(run, id);
  const planned = { state: 'planned', ...attributes };
  if (await table.insert(key, { id, ...planned })) return;
  const state = attributes.named === true ? withheldStates : 'removed';
  await table.update(key, { set: planned, remove: ['heldBackAt'], where: { state } });
}

/** The row of one message; `null` where there is none. */
export async function readMessage(table: Table, run: string, id: string): Promise<MessageRow | null> {
  return v.parse(v.nullable(messageSchema), await table.get(messageKey(run, id)));
}

/** The row of the same person or channel in the run of the period before; `null` where there is none. */
export async function readMessageBefore(table: Table, run: string, id: string): Promise<MessageRow | null> {
  const before = runNameBefore(run);
  return before === null ? null : await readMessage(table, before, id);
}

/** One of the parts of a run's messages, of about equal size: ids are hashes, so equal ranges hold about as many. */
export interface Share {
  part: number;
  parts: number;
}

export async function readCards(table: Table, run: string): Promise<MessageRow[]> {
  const { pk, sk: prefix } = messageKey(run, cardId(''));
  return await Array.fromAsync(table.query(pk, { prefix }), (item) => v.parse(messageSchema, item));
}

/** The rows of a run, or of a share of them, in the order of their ids. */
export async function* messagesOf(table: Table, run: string, { part, parts }: Share = { part: 0, parts: 1 }) {
  const edge = (before: number): string =>
    Math.floor((before * 0x1_0000_0000) / parts)
      .toString(16)
      .padStart(8, '0');
  const from = `MESSAGE#${edge(part)}`;
  // A range of sort keys includes both ends, and every id is longer than an edge, so shares neither overlap nor leave a gap.
  const to = part + 1 === parts ? 'MESSAGE#~' : `MESSAGE#${edge(part + 1)}`;
  for await (const item of table.query(`RUN#${run}`, { from, to })) yield v.parse(messageSchema, item);
}

/** The same at once. */
export const readMessages = (table: Table, run: string, share?: Share) =>
  Array.fromAsync(messagesOf(table, run, share));

/** How many messages of a run were sent, or may have been. */
export async function countSent(table: Table, run: string): Promise<number> {
  return (await readMessages(table, run)).filter(({ state }) => state === 'claimed' || state === 'sent').length;
}

/** Marks a message that is not sent. */
export async function markWithheld(table: Table, run: string, id: string, state: WithheldState): Promise<void> {
  await table.update(messageKey(run, id), { set: { state }, where: { state: ['planned', 'failed'] } });
}

/** A message under one of its claims. An event of SES names it by the tags that it was sent with. */
export interface ClaimedMessage {
  run: string;
  id: string;
  claim: string;
}

/** The fact that an event reports, with its instant, ISO 8601 in UTC with milliseconds. `sent` changes the state and nothing else. */
export interface EventFact {
  kind: 'sent' | 'delivered' | 'bounced' | 'softBounced' | 'complained' | 'rejected' | 'heldBack';
  at: string;
  /** Of a bounce: what it states, as in the row. */
  status?: string;
  /** SES's own name of why it did not send the message that it had accepted. */
  refusal?: string;
}

/**
 * Writes an event's fact into the row of its message, if the message was sent under the event's claim, and settles the
 * row's state: SES accepted every message that it has events about. The same event again changes nothing, and the order
 * of events does not matter: a message that SES rejected stays failed, one that a list of SES held back stays suppressed, and
 * a fact once written stays. Returns whether the event was new; `null` where there is no such message.
 */
export async function recordEvent(
  table: Table,
  { run, id, claim, messageId }: ClaimedMessage & { messageId: string },
  { kind, at, refusal, status }: EventFact,
): Promise<boolean | null> {
  const row = await readMessage(table, run, id);
  if (row === null || row.claim !== claim) return null;
  // That says nothing new, and would be a write all the same: the rows of a run share the writes of one partition.
  if (kind === 'sent' && row.state === 'sent') return false;
  const state = kind === 'rejected' ? 'failed' : kind === 'heldBack' ? 'suppressed' : 'sent';
  return await table.update(messageKey(run, id), {
    set: { state, refusal, messageId, bounceStatus: status, ...(kind === 'sent' ? {} : { [`${kind}At`]: at }) },
    remove: kind === 'rejected' ? [] : ['refusal', 'failedBy'],
    where: { claim, rejectedAt: null, heldBackAt: null, ...(kind === 'sent' ? {} : { [`${kind}At`]: null }) },
  });
}
