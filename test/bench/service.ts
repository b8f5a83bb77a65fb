import * as v from 'valibot';
import type { Account, AccountDelivery } from '../support/accounts/account.ts';
import { answersOf } from '../support/accounts/serve.ts';
import { simpleAccount } from '../support/accounts/simple-account.ts';
import { startService, type RequestLog } from '../support/service/service.ts';
import { launch } from './measurement.ts';

/** Size and latency of the service of a measurement. */
interface ServiceSettings {
  deliveries: number;
  /** Every answer takes this long, from the request's headers to the answer's. */
  latencyMs: number;
}

const started = v.object({ url: v.string(), credentials: v.object({ id: v.string(), secret: v.string() }) });

/** The service's own count of what it was asked. */
export const counted = v.object({
  /** Requests beside those for tokens. */
  requests: v.number(),
  tokens: v.number(),
  /** Those it could not answer with a 200. */
  refused: v.number(),
  /** What a digest needs, tokens aside. */
  needed: v.number(),
});
type Asked = v.InferOutput<typeof counted>;

/** Starts a service in a process of its own. */
export async function launchService(settings: ServiceSettings) {
  const { ask, close } = launch('service');
  return { ...(await ask(settings, started)), asked: () => ask('asked', counted), close };
}

/** The account's deliveries are new in the week before this instant. */
export const scheduledTime = '2026-11-16T08:00:00Z';
const inWeek = Date.UTC(2026, 10, 10, 9, 30);

const itemsOfBroadcast = 5;
const recipientsOfList = 20;

/** The place of a delivery's broadcast: five deliveries have two. */
const broadcastOf = (index: number): number => Math.floor((index * 2) / 5);

/** An account of so many deliveries, and the number of requests that a digest of its week needs, tokens aside. */
function createAccount(count: number): { account: Account; needed: number } {
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
  return {
    account: { ...simpleAccount({}), list: whole, ratingFilter: 'honest', deliveries, broadcasts },
    // The list; the recipients of each delivery, and of each of its items; each broadcast.
    needed: 1 + count * (1 + itemsOfBroadcast) + broadcasts.length,
  };
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
  const { account, needed } = createAccount(deliveries);
  const service = await startService({ answers: answersOf(() => account), latencyMs });
  process.on('message', () => process.send?.(countOf(service.log(), needed)));
  process.send?.({ url: service.url, credentials: service.credentials });
}

function countOf({ attempts, strange }: RequestLog, needed: number): Asked {
  const forTokens = attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh');
  const answered = attempts.filter(({ outcome }) => outcome === 'answered');
  return {
    requests: attempts.length - forTokens.length + strange.length,
    tokens: forTokens.length,
    refused: attempts.length - answered.length + strange.length,
    needed,
  };
}

// In a process of its own: what it costs is not to be counted as ours.
if (import.meta.main) {
  process.once('message', (settings: ServiceSettings) => void serve(settings));
  process.once('disconnect', () => process.exit(0));
}
