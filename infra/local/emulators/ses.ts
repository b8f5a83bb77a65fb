import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import PostalMime from 'postal-mime';
import * as v from 'valibot';
import { storing } from '../local-error.ts';
import { notesOfAccepted } from '../state-folder.ts';
import { queryError, queryResult, region, xmlText } from './aws-protocol.ts';
import { serveOnLoopback, type LoopbackAnswer } from './loopback.ts';
import { openEventStore, sesEventsOf, type EventListener, type EventStore } from './ses-events.ts';

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

async function accept(message: ReturnType<typeof messageOf>, folder: string, stateDir: string, store: EventStore) {
  const at = new Date();
  const messageId = `${idOf(at.getTime())}-${randomUUID()}-000000`;
  const path = join(folder, messageId);
  await store.write(messageId, { path, events: sesEventsOf({ ...message, messageId, at }) });
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
