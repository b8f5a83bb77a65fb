import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { storing } from '../local-error.ts';

const sesEvent = v.looseObject({ id: v.string(), 'detail-type': v.string(), source: v.literal('aws.ses') });

/** An event of SES as EventBridge hands it to a rule's target. */
export type PublishedEvent = v.InferOutput<typeof sesEvent>;

/** A message that SES accepted, with what its events contain. */
interface AcceptedMessage {
  messageId: string;
  to: string;
  configurationSet: string;
  tags: Readonly<Record<string, readonly string[]>>;
  at: Date;
}

/**
 * The events that SES publishes for an accepted message, in order, with the fields that say what became of it: Send, then
 * Bounce, or Delivery and maybe Complaint. Which one is decided by the addresses of SES's mailbox simulator, also with a
 * label, as in `bounce+label@simulator.amazonses.com`.
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */
export function sesEventsOf({ messageId, to, configurationSet, tags, at }: AcceptedMessage): PublishedEvent[] {
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
    return [sent, eventOf('Email Bounced', 'Bounce', { bounce: { timestamp, bounceType: 'Permanent' } })];
  }
  const delivered = eventOf('Email Delivered', 'Delivery', { delivery: { timestamp } });
  if (mailbox !== 'complaint') return [sent, delivered];
  return [sent, delivered, eventOf('Email Complaint Received', 'Complaint', { complaint: { timestamp } })];
}

/** The record of a message until its events are delivered: its files without their endings, and its events. */
const recordSchema = v.object({ path: v.string(), events: v.array(sesEvent) });
type EventRecord = v.InferOutput<typeof recordSchema>;

/** Takes an event, as a rule's target does; where it rejects, the event is delivered again. */
export type EventListener = (event: PublishedEvent) => Promise<void>;

export type EventStore = Awaited<ReturnType<typeof openEventStore>>;

/** Pauses before an event is delivered, in milliseconds; after the last one it waits for the next start. */
const attemptsAfterMs = [0, 100, 500, 2000];

/**
 * Opens the folder of undelivered events. A record whose `.eml` does not exist is of a message that was never accepted: it is
 * dropped.
 *
 * @throws {LocalError} where the folder cannot be used
 */
export async function openEventStore(folder: string) {
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
