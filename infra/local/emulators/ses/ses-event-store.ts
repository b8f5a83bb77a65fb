import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { sesEventSchema, type PublishedEvent } from './ses-events.ts';
import { StorageError, storing } from '../storage-error.ts';

const recordSchema = v.object({
  files: v.object({ eml: v.string(), others: v.array(v.string()) }),
  events: v.array(sesEventSchema),
});

/** The record of a message until its events are delivered: its files and its events. */
type EventRecord = v.InferOutput<typeof recordSchema>;

/** Takes an event, as a rule's target does; where it rejects, the event is delivered again. */
export type EventListener = (event: PublishedEvent) => Promise<void>;

/** The undelivered events of accepted messages, kept on disk. */
export interface EventStore {
  /** Writes the record of a message that is about to be accepted. */
  write(messageId: string, record: EventRecord): Promise<void>;
  /** Says that the message is accepted: its events are due. */
  accepted(messageId: string): void;
  /** Delivers all undelivered events, and those to come, to the listener: each at least once, a message's in order. */
  deliverTo(listener: EventListener): void;
  /** Resolves once nothing is being delivered. */
  settled(): Promise<void>;
  /** Ends the deliveries that have begun and begins no more. */
  close(): Promise<void>;
}

/**
 * The messages whose events are delivered at the same time, by how many wait: each may take a process of the function that
 * gets them, and starting a second one takes longer than a few messages wait for the first.
 */
const deliveriesAtOnce = (waiting: number): number => (waiting > 20 ? 2 : 1);

/** Pauses before an event is delivered again, in milliseconds; after the last one it waits for the next start. */
const retryAfterMs = [100, 500, 2000];

/**
 * Opens the folder of undelivered events. A record whose `.eml` does not exist is of a message that was never
 * accepted: it is dropped, with the files that were written for it.
 *
 * @throws {StorageError} where a record is damaged, or the folder cannot be used
 */
export async function openEventStore(folder: string): Promise<EventStore> {
  const due = await storing(folder, async () => {
    await mkdir(folder, { recursive: true });
    return await findDue(folder);
  });
  const active = new Set<Promise<void>>();
  const target: { listener?: EventListener } = {};
  const pump = (): void => {
    const { listener } = target;
    if (listener === undefined) return;
    while (active.size < deliveriesAtOnce(due.length)) {
      const messageId = due.shift();
      if (messageId === undefined) return;
      const delivery = deliver(join(folder, `${messageId}.json`), messageId, listener).finally(() => {
        active.delete(delivery);
        pump();
      });
      active.add(delivery);
    }
  };
  const settled = async (): Promise<void> => {
    while (active.size > 0) await Promise.all(active);
  };
  return {
    write: (messageId, record) => storing(folder, () => writeRecord(folder, messageId, record)),
    accepted(messageId) {
      due.push(messageId);
      pump();
    },
    deliverTo(listener) {
      target.listener = listener;
      pump();
    },
    settled,
    close() {
      delete target.listener;
      return settled();
    },
  };
}

async function writeRecord(folder: string, messageId: string, record: EventRecord): Promise<void> {
  const file = join(folder, `${messageId}.json`);
  await writeFile(`${file}.tmp`, JSON.stringify(record));
  await rename(`${file}.tmp`, file);
}

async function readRecord(file: string): Promise<EventRecord> {
  const text = await readFile(file, 'utf8');
  try {
    return v.parse(recordSchema, JSON.parse(text));
  } catch {
    throw new StorageError(
      `The file "${file}" is damaged: it held SES's events of a message that was sent. Move it away or delete it; ` +
        'the outcome of that message may then stay unknown.',
    );
  }
}

async function findDue(folder: string): Promise<string[]> {
  const due: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const file = join(folder, name);
    if (!name.endsWith('.json')) {
      await rm(file, { force: true });
      continue;
    }
    const { files } = await readRecord(file);
    if (existsSync(files.eml)) due.push(name.slice(0, -'.json'.length));
    else for (const unsent of [...files.others, file]) await rm(unsent, { force: true });
  }
  return due;
}

async function deliver(file: string, messageId: string, listener: EventListener): Promise<void> {
  try {
    const { events } = await readRecord(file);
    for (const event of events) await deliverEvent(event, listener);
    await rm(file);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    console.warn(`The events of message ${messageId} are not delivered (${reason}); the next start tries again.`);
  }
}

async function deliverEvent(event: PublishedEvent, listener: EventListener): Promise<void> {
  for (const pauseMs of retryAfterMs) {
    try {
      await listener(event);
      return;
    } catch {
      await delay(pauseMs);
    }
  }
  await listener(event);
}
