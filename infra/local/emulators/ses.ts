import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import * as v from 'valibot';
import { storing } from '../local-error.ts';
import { notesOfAccepted } from '../state-folder.ts';
import { queryError, queryResult, region, xmlText } from './aws-protocol.ts';
import { serveOnLoopback, type LoopbackAnswer } from './loopback.ts';

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
  await storing(folder, () => mkdir(folder, { recursive: true }));
  const events = await openEventStore(resolve(stateDir, 'ses-events'));
  const admits = limitRate(sendRate);
  // What SES's accounts in production may usually send.
  const quota = { Max24HourSend: '50000', MaxSendRate: String(sendRate ?? 200) };
  const loopback = await serveOnLoopback(async ({ body }): Promise<LoopbackAnswer> => {
    const form = new URLSearchParams(body.toString());
    const action = form.get('Action') ?? '';
    if (action === 'GetSendQuota') {
      const since = idOf(Date.now() - 24 * 3_600_000);
      const sent = (await readdir(folder)).filter((name) => name.endsWith('.eml') && name > since);
      return queryResult(action, { ...quota, SentLast24Hours: String(sent.length) });
    }
    if (action === 'GetIdentityVerificationAttributes') return verificationResult(form, () => true);
    if (action !== 'SendRawEmail') return queryError(400, 'InvalidAction', `The embedded SES has no ${action}.`);
    const single = v.safeParse(call, Object.fromEntries([...form].filter(([name]) => !tagField.test(name))));
    if (!single.success) return queryError(400, 'InvalidParameterValue', v.summarize(single.issues));
    if (!admits()) return queryError(400, 'Throttling', 'Maximum sending rate exceeded.');
    return queryResult(action, { MessageId: await accept(messageOf(single.output, form), folder, stateDir, events) });
  });
  return {
    url: loopback.url,
    /**
     * Delivers the events of messages sent with a configuration set, those left by earlier runs included, each at least
     * once. An event whose listener rejects is delivered again, at the latest by the next start.
     */
    deliverEvents: (listener: EventListener) => events.deliverTo(listener),
    /** Resolves once no event is being delivered. */
    eventsSettled: () => events.settled(),
    async close(): Promise<void> {
      await loopback.close();
      await events.close();
    },
  };
}

/** SES's answer to the form of a GetIdentityVerificationAttributes call. It leaves out what it does not know. */
export function verificationResult(form: URLSearchParams, isVerified: (identity: string) => boolean): LoopbackAnswer {
  const identities = [...form].flatMap(([name, value]) => (name.startsWith('Identities.') ? [value] : []));
  const status = '<value><VerificationStatus>Success</VerificationStatus></value>';
  const entries = identities
    .filter(isVerified)
    .map((identity) => `<entry><key>${xmlText(identity)}</key>${status}</entry>`);
  return queryResult(form.get('Action') ?? '', `<VerificationAttributes>${entries.join('')}</VerificationAttributes>`);
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

/** The fields of a call beside its one message and one address: a message has as many tags as it wants. */
const tagField = /^Tags\.member\.\d+\.(?:Name|Value)$/;
const call = v.strictObject({
  Action: v.string(),
  Version: v.string(),
  Source: v.string(),
  ConfigurationSetName: v.string(),
  'RawMessage.Data': v.string(),
  'Destinations.member.1': v.string(),
  // An identity of another account, whose policy is not known here.
  SourceArn: v.optional(v.string()),
  FromArn: v.optional(v.string()),
  ReturnPathArn: v.optional(v.string()),
});

type Message = ReturnType<typeof messageOf>;

/** The message of a SendRawEmail call. */
function messageOf(single: v.InferOutput<typeof call>, form: URLSearchParams) {
  const { 'Destinations.member.1': to, ConfigurationSetName, 'RawMessage.Data': data } = single;
  const tags = [...form]
    .filter(([name]) => name.startsWith('Tags.') && name.endsWith('.Name'))
    .map(([key, name]) => [name, [form.get(key.replace(/Name$/, 'Value')) ?? '']] as const);
  const raw = Buffer.from(data, 'base64');
  return { to, configurationSet: ConfigurationSetName, tags: Object.fromEntries(tags), raw };
}

/** How the id of a message begins that was accepted at an instant, in SES's own shape: later ids sort after earlier ones. */
function idOf(instant: number): string {
  return `0102${instant.toString(16).padStart(12, '0')}`;
}

async function accept(message: Message, folder: string, stateDir: string, store: EventStore) {
  const at = new Date();
  const messageId = `${idOf(at.getTime())}-${randomUUID()}-000000`;
  const path = join(folder, messageId);
  await store.write(messageId, { path, events: sesEventsOf(message, messageId, at) });
  const { run, message: id } = message.tags;
  // A test's mail is of no row.
  if (run && id) await storing(stateDir, () => appendFile(notesOfAccepted(stateDir), `\n${run[0]} ${id[0]};`));
  const { html, text } = await PostalMime.parse(message.raw);
  await storing(folder, async () => {
    if (html !== undefined) await writeFile(`${path}.html`, html, { flag: 'wx' });
    if (text !== undefined) await writeFile(`${path}.txt`, text, { flag: 'wx' });
    await writeFile(`${path}.eml.tmp`, stamped(message.raw, messageId, at), { flag: 'wx' });
    await rename(`${path}.eml.tmp`, `${path}.eml`);
  });
  store.accepted(messageId);
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

const sesEvent = v.looseObject({ id: v.string(), 'detail-type': v.string(), source: v.literal('aws.ses') });

/** An event of SES as EventBridge hands it to a rule's target. */
export type PublishedEvent = v.InferOutput<typeof sesEvent>;

/**
 * The events that SES publishes for an accepted message, in order, with the fields that say what became of it: Send, then
 * Bounce, or Delivery and maybe Complaint. Which one is decided by the addresses of SES's mailbox simulator, also with a
 * label, as in `bounce+label@simulator.amazonses.com`.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */
function sesEventsOf({ to, configurationSet, tags }: Message, messageId: string, at: Date): PublishedEvent[] {
  const timestamp = at.toISOString();
  const mail = { timestamp, messageId, tags: { 'ses:configuration-set': [configurationSet], ...tags } };
  const eventOf = (detailType: string, eventType: string, detail: object): PublishedEvent => ({
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
const recordSchema = v.object({ path: v.string(), events: v.array(sesEvent) });
type EventRecord = v.InferOutput<typeof recordSchema>;

/** Takes an event, as a rule's target does; where it rejects, the event is delivered again. */
type EventListener = (event: PublishedEvent) => Promise<void>;

type EventStore = Awaited<ReturnType<typeof openEventStore>>;

/** Pauses before an event is delivered, in milliseconds; after the last one it waits for the next start. */
const attemptsAfterMs = [0, 100, 500, 2000];

/**
 * Opens the folder of undelivered events. A record whose `.eml` does not exist is of a message that was never accepted: it is
 * dropped.
 *
 * @throws {LocalError} where the folder cannot be used
 */
async function openEventStore(folder: string) {
  const fileOf = (messageId: string): string => join(folder, `${messageId}.json`);
  const due = await storing(folder, async () => {
    await mkdir(folder, { recursive: true });
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    return names.toSorted().map((name) => basename(name, '.json'));
  });
  let listener: EventListener | null = null;
  let delivering = Promise.resolve();
  const deliverAll = async (): Promise<void> => {
    for (const messageId of listener === null ? [] : due.splice(0)) {
      if (listener !== null) await deliver(fileOf(messageId), listener);
    }
  };
  const deliverDue = (): void => {
    delivering = delivering.then(deliverAll);
  };
  return {
    /** Writes the record of a message that is about to be accepted. */
    write: (messageId: string, record: EventRecord): Promise<void> =>
      storing(folder, async () => {
        await writeFile(`${fileOf(messageId)}.tmp`, JSON.stringify(record));
        await rename(`${fileOf(messageId)}.tmp`, fileOf(messageId));
      }),
    /** Says that the message is accepted: its events are due. */
    accepted(messageId: string): void {
      due.push(messageId);
      deliverDue();
    },
    /** Delivers all undelivered events, and those to come, to the listener, one after the other: each at least once. */
    deliverTo(target: EventListener): void {
      listener = target;
      deliverDue();
    },
    /** Resolves once nothing is being delivered. */
    settled: (): Promise<void> => delivering,
    /** Ends the delivery that has begun and begins no more. */
    async close(): Promise<void> {
      listener = null;
      await delivering;
    },
  };
}

async function deliver(file: string, listener: EventListener): Promise<void> {
  const record = v.safeParse(v.pipe(v.string(), v.parseJson(), recordSchema), await readFile(file, 'utf8'));
  if (!record.success) return console.warn(`"${file}" is damaged. Delete it: its message's outcome may stay unknown.`);
  const { path, events } = record.output;
  for (const event of existsSync(`${path}.eml`) ? events : []) {
    if (await isTaken(event, listener)) continue;
    console.warn(`The events of message ${basename(path)} are not delivered; the next start tries again.`);
    return;
  }
  await storing(file, () => rm(file));
}

async function isTaken(event: PublishedEvent, listener: EventListener): Promise<boolean> {
  for (const pauseMs of attemptsAfterMs) {
    await delay(pauseMs);
    const taken = listener(event).then(() => true);
    if (await taken.catch(() => false)) return true;
  }
  return false;
}
