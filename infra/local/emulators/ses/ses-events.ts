import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { accountId, region } from '../account.ts';

const sesEvent = v.looseObject({ id: v.string(), 'detail-type': v.string(), source: v.literal('aws.ses') });

/** An event of SES as EventBridge hands it to a rule's target. */
export type PublishedEvent = v.InferOutput<typeof sesEvent>;

/** The schema of what is kept of an event between runs. */
export const sesEventSchema = sesEvent;

/** A message that SES accepted, with what its events contain. */
interface AcceptedMessage {
  messageId: string;
  source: string;
  destinations: string[];
  configurationSet: string;
  tags: { name: string; value: string }[];
  at: Date;
}

/**
 * The events that SES publishes for an accepted message, in order: Send, then for its destinations Delivery, Bounce or
 * Complaint. Who bounces or complains is decided by the addresses of SES's mailbox simulator.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */
export function sesEventsOf(message: AcceptedMessage): PublishedEvent[] {
  const bounced = message.destinations.filter((address) => isSimulator(address, 'bounce'));
  const complained = message.destinations.filter((address) => isSimulator(address, 'complaint'));
  const delivered = message.destinations.filter((address) => !bounced.includes(address));
  const events = [eventOf(message, 'Email Sent', 'Send', { send: {} })];
  if (delivered.length > 0) {
    events.push(eventOf(message, 'Email Delivered', 'Delivery', { delivery: delivery(message, delivered) }));
  }
  if (bounced.length > 0) {
    events.push(eventOf(message, 'Email Bounced', 'Bounce', { bounce: bounce(message, bounced) }));
  }
  if (complained.length > 0) {
    const detail = { complaint: complaint(message, complained) };
    events.push(eventOf(message, 'Email Complaint Received', 'Complaint', detail));
  }
  return events;
}

/** A label is allowed: `bounce+label@simulator.amazonses.com`. */
function isSimulator(address: string, mailbox: string): boolean {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  return domain === 'simulator.amazonses.com' && local.split('+')[0] === mailbox;
}

function eventOf(
  message: AcceptedMessage,
  detailType: string,
  eventType: string,
  detail: Record<string, unknown>,
): PublishedEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType,
    source: 'aws.ses',
    account: accountId,
    time: message.at.toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [`arn:aws:ses:${region}:${accountId}:configuration-set/${message.configurationSet}`],
    detail: { eventType, mail: mailOf(message), ...detail },
  };
}

function mailOf(message: AcceptedMessage): Record<string, unknown> {
  const tags: Record<string, string[]> = { 'ses:configuration-set': [message.configurationSet] };
  for (const { name, value } of message.tags) tags[name] = [...(tags[name] ?? []), value];
  return {
    timestamp: message.at.toISOString(),
    messageId: message.messageId,
    source: message.source,
    sendingAccountId: accountId,
    destination: message.destinations,
    tags,
  };
}

function delivery(message: AcceptedMessage, recipients: string[]): Record<string, unknown> {
  return {
    timestamp: message.at.toISOString(),
    processingTimeMillis: 1,
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: 'loopback',
  };
}

function bounce(message: AcceptedMessage, addresses: string[]): Record<string, unknown> {
  return {
    timestamp: message.at.toISOString(),
    feedbackId: `${message.messageId}-bounce`,
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: addresses.map((emailAddress) => ({
      emailAddress,
      action: 'failed',
      status: '5.1.1',
      diagnosticCode: 'smtp; 550 5.1.1 user unknown',
    })),
  };
}

function complaint(message: AcceptedMessage, addresses: string[]): Record<string, unknown> {
  return {
    timestamp: message.at.toISOString(),
    feedbackId: `${message.messageId}-complaint`,
    complaintFeedbackType: 'abuse',
    complainedRecipients: addresses.map((emailAddress) => ({ emailAddress })),
  };
}
