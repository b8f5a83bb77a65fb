import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import PostalMime, { addressParser, type Email } from 'postal-mime';
import { region } from '../account.ts';
import { accessKeyIdOf, denialOf, type Authorize } from '../authorize.ts';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../loopback.ts';
import { queryError, queryResult } from './query-answer.ts';
import { openEventStore, type EventListener, type EventStore } from './ses-event-store.ts';
import { sesEventsOf } from './ses-events.ts';
import { maxDestinations, newMessageId, readRawMessage, SesRefusal, stampMessage } from './ses-message.ts';
import { limitSending, type SendLimits } from './ses-rate.ts';
import { parseSendRawEmail, type SendRawEmail } from './ses-request.ts';
import { storing } from '../storage-error.ts';

/** Folders and limits of the embedded SES. */
export interface SesOptions {
  /** Where each accepted message is kept. */
  outDir: string;
  /** Where undelivered events are kept, in `ses-events`. */
  stateDir: string;
  /** Messages a second; no limit by default. */
  sendRate?: number;
  /** Messages in 24 hours of this process; no limit by default. */
  dailyQuota?: number;
  /** The reason to reject a destination for, or `undefined` to take it. */
  refuse?: (destination: string) => string | undefined;
  authorize?: Authorize;
}

/** The embedded SES. */
export interface Ses extends Loopback {
  /**
   * Delivers the events of messages sent with a configuration set, those left by earlier runs included, each at least
   * once. An event whose listener rejects is delivered again, at the latest by the next start.
   */
  deliverEvents(listener: EventListener): void;
  /** Resolves once no event is being delivered. */
  eventsSettled(): Promise<void>;
}

interface Post {
  outDir: string;
  limits: SendLimits;
  events: EventStore;
  refuse: (destination: string) => string | undefined;
}

/**
 * Starts SES on loopback (Query protocol). It knows SendRawEmail and GetSendQuota and refuses the rest.
 *
 * An accepted message is in `outDir` before the answer: `<message id>.html` and `.txt` (its decoded parts), and last, in
 * one step, `<message id>.eml`. That step is the acceptance; the record of the message's events is written before it.
 *
 * @throws {StorageError} where a folder cannot be used, or a record of undelivered events is damaged
 */
export async function startSes(options: SesOptions): Promise<Ses> {
  const outDir = resolve(options.outDir);
  await storing(outDir, () => mkdir(outDir, { recursive: true }));
  const events = await openEventStore(resolve(options.stateDir, 'ses-events'));
  const post: Post = { outDir, limits: limitSending(options), events, refuse: options.refuse ?? (() => undefined) };
  const loopback = await serveOnLoopback((request) => answer(request, post, options.authorize));
  return {
    url: loopback.url,
    deliverEvents: (listener) => events.deliverTo(listener),
    eventsSettled: () => events.settled(),
    async close() {
      await loopback.close();
      await events.close();
    },
  };
}

async function answer(request: LoopbackRequest, post: Post, authorize: Authorize | undefined): Promise<LoopbackAnswer> {
  const form = new URLSearchParams(request.body.toString());
  const action = form.get('Action') ?? '';
  const accessKeyId = accessKeyIdOf(request.headers);
  try {
    const denial = denialOf(authorize, { accessKeyId, action: `ses:${action}`, parameters: Object.fromEntries(form) });
    if (denial !== undefined) return queryError(403, 'AccessDenied', denial);
    if (action === 'GetSendQuota') return queryResult(action, quotaOf(post.limits));
    if (action !== 'SendRawEmail') return queryError(400, 'InvalidAction', `The embedded SES has no ${action}.`);
    return queryResult(action, { MessageId: await send(parseSendRawEmail(form), post) });
  } catch (error) {
    if (error instanceof SesRefusal) return queryError(400, error.code, error.message);
    throw error;
  }
}

function quotaOf(limits: SendLimits): Record<string, string> {
  const { max24HourSend, maxSendRate, sentLast24Hours } = limits.quota();
  return {
    Max24HourSend: String(max24HourSend),
    MaxSendRate: String(maxSendRate),
    SentLast24Hours: String(sentLast24Hours),
  };
}

/** Gives the id of the accepted message. */
async function send(call: SendRawEmail, post: Post): Promise<string> {
  const message = readRawMessage(call.raw);
  const email = await PostalMime.parse(call.raw);
  const destinations = call.destinations.length > 0 ? call.destinations.map(addressOf) : headerAddresses(email);
  checkDestinations(destinations, post.refuse);
  post.limits.admit();
  const at = new Date();
  const messageId = newMessageId(at);
  const { configurationSet, tags } = call;
  const source = call.source ?? email.from?.address ?? '';
  const events =
    configurationSet === undefined ? [] : sesEventsOf({ messageId, source, destinations, configurationSet, tags, at });
  const path = (kind: string): string => join(post.outDir, `${messageId}.${kind}`);
  const parts = { html: email.html, txt: email.text };
  const temporary = join(post.outDir, `.${messageId}.eml.tmp`);
  await post.events.write(messageId, {
    files: { eml: path('eml'), others: [path('html'), path('txt'), temporary] },
    events,
  });
  await storing(post.outDir, async () => {
    for (const [kind, text] of Object.entries(parts)) {
      if (text !== undefined) await writeFile(path(kind), text, { flag: 'wx' });
    }
    await writeFile(temporary, stampMessage(message, { messageId, region, at }), { flag: 'wx' });
    await rename(temporary, path('eml'));
  });
  post.events.accepted(messageId);
  return messageId;
}

function checkDestinations(destinations: string[], refuse: Post['refuse']): void {
  if (destinations.length === 0) throw new SesRefusal('InvalidParameterValue', 'Missing required destination.');
  if (destinations.length > maxDestinations) {
    throw new SesRefusal('InvalidParameterValue', `Recipient count exceeds ${maxDestinations}.`);
  }
  for (const destination of destinations) {
    if (!/^[!-?A-~]+@[!-?A-~]+$/.test(destination)) {
      throw new SesRefusal('InvalidParameterValue', "Missing final '@domain'");
    }
    const reason = refuse(destination);
    if (reason !== undefined) throw new SesRefusal('MessageRejected', reason);
  }
}

function headerAddresses(email: Email): string[] {
  return [...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])]
    .flatMap((entry) => entry.group ?? [entry])
    .map((mailbox) => mailbox.address);
}

/** A destination may carry a display name. */
function addressOf(destination: string): string {
  return addressParser(destination, { flatten: true })[0]?.address ?? destination;
}
