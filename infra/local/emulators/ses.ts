import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import PostalMime from 'postal-mime';
import * as v from 'valibot';
import { storing } from '../local-error.ts';
import { writeWhole } from '../state-folder.ts';
import { queryError, queryResult, region } from './aws-protocol.ts';
import { serveOnLoopback, type LoopbackAnswer } from '../loopback.ts';

interface SesOptions {
  /** Where each accepted message is kept. */
  outDir: string;
  /** Where undelivered events are kept, in `ses-events`. */
  stateDir: string;
  /** Messages a second; no limit by default. */
  sendRate?: number | undefined;
}

export type Ses = Awaited<ReturnType<typeof startSes>>;

/**
 * Starts SES on loopback (Query protocol). It knows SendRawEmail and what is asked before it, and refuses the rest. Every sender
 * is verified.
 *
 * An accepted message is in `outDir` before the answer: `<message id>.html` and `.txt` (its decoded parts), and last, in
 * one step, `<message id>.eml`. That step is the acceptance; the record of the message's events is written before it.
 *
 * @throws {LocalError} where a folder cannot be used
 */
export async function startSes({ outDir, stateDir, sendRate }: SesOptions) {
  const folder = resolve(outDir);
  const undelivered = resolve(stateDir, 'ses-events');
  for (const place of [folder, undelivered]) await storing(place, () => mkdir(place, { recursive: true }));
  const admits = limitRate(sendRate);
  // Of no account with a limit a day, and at the rate that SES's accounts in production usually have.
  const quota = { Max24HourSend: '-1', MaxSendRate: String(sendRate ?? 200) };
  let listener: EventListener | null = null;
  let delivering = Promise.resolve();
  const deliver = (): void => {
    delivering = delivering.then(() => (listener === null ? undefined : deliverEvents(undelivered, listener)));
  };
  const loopback = await serveOnLoopback(async ({ body }): Promise<LoopbackAnswer> => {
    const form = new URLSearchParams(body.toString());
    const action = form.get('Action') ?? '';
    if (action === 'GetSendQuota') return queryResult(action, quota);
    if (action === 'GetIdentityVerificationAttributes') return verificationResult(form, () => true);
    if (action !== 'SendRawEmail') return queryError(400, 'InvalidAction', `The embedded SES has no ${action}.`);
    const stranger = [...form.keys()].find((name) => !field.test(name));
    if (stranger !== undefined)
      return queryError(400, 'InvalidParameterValue', `The embedded SES does not emulate ${stranger}.`);
    if (!admits()) return queryError(400, 'Throttling', 'Maximum sending rate exceeded.');
    const MessageId = await accept(form, folder, undelivered);
    deliver();
    return queryResult(action, { MessageId });
  });
  return {
    url: loopback.url,
    /**
     * Delivers the events of messages, those left by earlier runs included, each at least once. What a listener rejects is
     * delivered again, at the latest by the next start.
     */
    deliverEvents(target: EventListener): void {
      listener = target;
      deliver();
    },
    /** Resolves once no event is being delivered. */
    eventsSettled: (): Promise<void> => delivering,
    close: (): Promise<void> => loopback.close().then(() => delivering),
  };
}

/** SES's answer to the form of a GetIdentityVerificationAttributes call. It leaves out what it does not know. */
export function verificationResult(form: URLSearchParams, isVerified: (identity: string) => boolean): LoopbackAnswer {
  const entries = [...form]
    .filter(([name, identity]) => name.startsWith('Identities.') && isVerified(identity))
    .map(([, key]) => ({ entry: { key, value: { VerificationStatus: 'Success' } } }));
  return queryResult(form.get('Action') ?? '', { VerificationAttributes: entries });
}

/** Gives whether another message is admitted: no second, wherever it begins, has more than `sendRate` of them. */
export function limitRate(sendRate = Infinity): () => boolean {
  // A rate below one a second is one in so many seconds.
  const windowMs = Math.max(1, 1 / sendRate) * 1000;
  let sent: number[] = [];
  return () => {
    const now = performance.now();
    sent = sent.filter((at) => at > now - windowMs);
    if (sent.length >= Math.max(1, Math.floor(sendRate))) return false;
    sent.push(now);
    return true;
  };
}

/** The fields of a call: a message to one address, with as many tags as it wants, also under an identity of another account. */
const field =
  /^(?:Action|Version|Source|SourceArn|FromArn|ReturnPathArn|ConfigurationSetName|RawMessage\.Data|Destinations\.member\.1|Tags\.member\.\d+\.(?:Name|Value))$/;

/**
 * Keeps the message of a SendRawEmail call, and before it what SES publishes of it. Gives its id in SES's own shape: later ids
 * sort after earlier ones.
 */
async function accept(form: URLSearchParams, folder: string, undelivered: string): Promise<string> {
  const at = new Date();
  const messageId = `0102${at.getTime().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
  const path = join(folder, messageId);
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64');
  const { html, text } = await PostalMime.parse(raw);
  const record = JSON.stringify({ path, events: sesEventsOf(form, messageId, at) });
  await storing(undelivered, () => writeWhole(join(undelivered, `${messageId}.json`), record));
  await storing(folder, async () => {
    if (html !== undefined) await writeFile(`${path}.html`, html, { flag: 'wx' });
    if (text !== undefined) await writeFile(`${path}.txt`, text, { flag: 'wx' });
    await writeWhole(`${path}.eml`, stamped(raw, messageId, at));
  });
  return messageId;
}

/** The message as SES sends it: its own Message-ID and Date in place of any others, the rest byte for byte. */
function stamped(raw: Buffer, messageId: string, at: Date): Buffer {
  // Latin-1 keeps every byte as it is.
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/);
  const header = [
    ...fields.filter((field) => !/^(?:message-id|date):/i.test(field)),
    `Message-ID: <${messageId}@${region}.amazonses.com>`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
  ];
  return Buffer.from(header.join('\r\n') + text.slice(end), 'latin1');
}

/**
 * The events that SES publishes for the message of an accepted call, in order, with the fields that say what became of it:
 * Send, then Bounce, or Delivery and maybe Complaint. Which one is decided by the addresses of SES's mailbox simulator, also
 * with a label, as in `bounce+label@simulator.amazonses.com`.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */
function sesEventsOf(form: URLSearchParams, messageId: string, at: Date): object[] {
  const read = (name: string): string => form.get(name) ?? '';
  const to = read('Destinations.member.1');
  const tags: Record<string, string[]> = { 'ses:configuration-set': [read('ConfigurationSetName')] };
  const names = [...form].filter(([key]) => /^Tags\..*\.Name$/.test(key));
  for (const [key, name] of names) tags[name] = [read(key.replace(/Name$/, 'Value'))];
  const timestamp = at.toISOString();
  const mail = { timestamp, messageId, tags };
  const eventOf = (detailType: string, eventType: string, detail: object) => ({
    id: randomUUID(),
    'detail-type': detailType,
    source: 'aws.ses',
    detail: { eventType, mail, ...detail },
  });
  const sent = eventOf('Email Sent', 'Send', { send: {} });
  const [, mailbox] = /^(\w+)(?:\+.*)?@simulator\.amazonses\.com$/i.exec(to) ?? [];
  if (mailbox === 'bounce') {
    const bouncedRecipients = [{ emailAddress: to, action: 'failed', status: '5.1.1' }];
    const bounce = { timestamp, bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients };
    return [sent, eventOf('Email Bounced', 'Bounce', { bounce })];
  }
  const delivered = eventOf('Email Delivered', 'Delivery', { delivery: { timestamp } });
  if (mailbox !== 'complaint') return [sent, delivered];
  return [sent, delivered, eventOf('Email Complaint Received', 'Complaint', { complaint: { timestamp } })];
}

/** The record of a message until its events are delivered: its files without their endings, and its events. */
const recordSchema = v.pipe(v.string(), v.parseJson(), v.object({ path: v.string(), events: v.array(v.unknown()) }));

/** Takes an event as EventBridge hands it to a rule's target. */
type EventListener = (event: unknown) => Promise<unknown>;

/** Delivers the events of accepted messages, in order. A record without its `.eml` is of a message that is not accepted, or not yet. */
async function deliverEvents(folder: string, listener: EventListener): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    try {
      const { path, events } = v.parse(recordSchema, await readFile(file, 'utf8'));
      if (!existsSync(`${path}.eml`)) continue;
      for (const event of events) await listener(event);
      await rm(file);
    } catch {
      console.warn(`The events of message ${basename(name, '.json')} are not delivered; the next start tries again.`);
    }
  }
}
