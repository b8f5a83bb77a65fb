import * as v from 'valibot';
import type { ServiceAnswers } from '../support/service/answers.ts';
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

const dateOf = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}+00:00`;

/** The place of a delivery's broadcast: five deliveries have two. */
const broadcastOf = (index: number): string => String(100_000 + Math.floor((index * 2) / 5));

/** An account of so many deliveries, of broadcasts with five content items and lists of twenty, half of whom responded. */
function accountOf(count: number): ServiceAnswers {
  const created = { by: { id: '2041', firstName: 'Ada', lastName: 'King' }, at: '2026-11-02T09:30:00+00:00' };
  const deliveries = Array.from({ length: count }, (_, index) => {
    const broadcast = { id: broadcastOf(index), name: `Broadcast ${broadcastOf(index)}` };
    return { delivery: { id: String(index), broadcast, status: 'delivered' } };
  });
  const recipients = Array.from({ length: 20 }, (_, index) => ({
    seenAt: dateOf(inWeek + index * 61_000),
    respondedAt: index % 2 === 0 ? dateOf(inWeek + index * 97_000 + 30_000) : null,
  }));
  return {
    deliveries: () => deliveries,
    broadcast: (id) => ({
      broadcast: { id, name: `Broadcast ${id}`, created },
      contents: [0, 1, 2, 3, 4].map((index) => ({ id: `${id}${index}`, type: 'text' })),
    }),
    recipients: () => recipients,
    contentRecipients: () => recipients,
  };
}

async function serve({ latencyMs, deliveries }: ServiceSettings): Promise<void> {
  const service = await startService({ answers: accountOf(deliveries), latencyMs });
  process.on('message', () => process.send?.(service.log().attempts.length));
  process.send?.({ url: service.url, credentials: service.credentials });
}

// In a process of its own: what it costs is not to be counted as ours.
if (import.meta.main) {
  process.once('message', (settings: ServiceSettings) => void serve(settings));
  process.once('disconnect', () => process.exit(0));
}
