import * as v from 'valibot';
import type { Account, AccountDelivery } from '../support/accounts/account.ts';
import { answersOf } from '../support/accounts/serve.ts';
import { simpleAccount } from '../support/accounts/simple-account.ts';
import { startService } from '../support/service/service.ts';
import { launch } from './measurement.ts';

/** Size and latency of the service of a measurement. */
interface ServiceSettings {
  deliveries: number;
  /** Every answer takes this long, from the request's headers to the answer's. */
  latencyMs: number;
}

const started = v.object({ url: v.string(), credentials: v.object({ id: v.string(), secret: v.string() }) });

/** Starts a service in a process of its own. */
export async function launchService(settings: ServiceSettings) {
  const { ask, close } = launch('service');
  /** `requests`: how many it had, those for tokens included. */
  return { ...(await ask(settings, started)), requests: () => ask('requests', v.number()), close };
}

/** The account's deliveries are new in the week before this instant. */
export const scheduledTime = '2026-11-16T08:00:00Z';
const inWeek = Date.UTC(2026, 10, 10, 9, 30);

const itemsOfBroadcast = 5;
const recipientsOfList = 20;

/** The place of a delivery's broadcast: five deliveries have two. */
const broadcastOf = (index: number): number => Math.floor((index * 2) / 5);

/** An account of so many deliveries. */
function createAccount(count: number): Account {
  const broadcasts = Array.from({ length: count === 0 ? 0 : broadcastOf(count - 1) + 1 }, (_, place) => {
    const id = String(100_000 + place);
    const name = `Broadcast ${id}`;
    const items = Array.from({ length: itemsOfBroadcast }, (_item, index) => ({
      id: { text: `${id}${index}` },
      type: 'text',
    }));
    const created = { by: { id: '2041', firstName: 'Ada', lastName: 'King' }, at: '2026-11-02T09:30:00+00:00' };
    return { id: { text: id }, name, items, answer: 'whole', header: { name, created }, headerId: 'right' } as const;
  });
  const whole = { wrapper: null, way: 'Link header', ending: 'plain', pageSize: Infinity, emptyPages: 0 };
  const recipients = { ...whole, rows: recipientRows() };
  const deliveries = Array.from({ length: count }, (_, index): AccountDelivery => {
    return {
      id: { text: `5f0c2d1e-0000-4000-8000-${index.toString(16).padStart(12, '0')}` },
      wrapped: true,
      status: 'delivered',
      of: broadcastOf(index),
      broadcast: 'whole',
      recipients,
      contents: Array.from({ length: itemsOfBroadcast }, () => recipients),
    };
  });
  return { ...simpleAccount({}), list: whole, ratingFilter: 'honest', deliveries, broadcasts };
}

const dateOf = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}+00:00`;

/** Recipients' rows as the interface documents them; every second one has responded. */
function recipientRows(): unknown[] {
  return Array.from({ length: recipientsOfList }, (_, index) => ({
    seenAt: dateOf(inWeek + index * 61_000),
    respondedAt: index % 2 === 0 ? dateOf(inWeek + index * 97_000 + 30_000) : null,
  }));
}

async function serve({ latencyMs, deliveries }: ServiceSettings): Promise<void> {
  const account = createAccount(deliveries);
  const service = await startService({ answers: answersOf(() => account), latencyMs });
  process.on('message', () => process.send?.(service.log().attempts.length));
  process.send?.({ url: service.url, credentials: service.credentials });
}

// In a process of its own: what it costs is not to be counted as ours.
if (import.meta.main) {
  process.once('message', (settings: ServiceSettings) => void serve(settings));
  process.once('disconnect', () => process.exit(0));
}
