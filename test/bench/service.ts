import * as v from 'valibot';
import { onePage, type Account, type AccountDelivery, type RecipientRow } from '../support/accounts/account.ts';
import { answersOf } from '../support/accounts/serve.ts';
import { simpleAccount } from '../support/accounts/simple-account.ts';
import { startService, type RequestLog } from '../support/service/service.ts';
import { launch } from './measurement.ts';

/** Size and latency of the service of a measurement. */
interface ServiceSettings extends AccountSize {
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

/** An account of the reporting service whose size alone matters. */
interface AccountSize {
  deliveries: number;
  /**
   * `even`: every delivery is new in the week and its lists are all of the same length. `mixed`: some are of another
   * status, some were delivered long ago, some nobody saw, and each broadcast has something to rate.
   */
  kind: 'even' | 'mixed';
}

/** The account's new deliveries are of the week before this instant. */
export const scheduledTime = '2026-11-16T08:00:00Z';
const inWeek = Date.UTC(2026, 10, 10, 9, 30);
const weekBefore = Date.UTC(2026, 10, 3, 9, 30);

const itemsOfBroadcast = 5;
const recipientsOfList = 20;
const deliveriesOfTwoBroadcasts = 5;
const ratings = 5;

type Stage = 'new' | 'silent' | 'older' | 'scheduled';
const mixedStages: readonly Stage[] = ['new', 'new', 'scheduled', 'older', 'silent', 'new', 'older'];

/** An account of a size, with two in five as many broadcasts as deliveries, and the number of requests that a digest of its week needs, tokens aside. */
function createAccount({ deliveries: count, kind }: AccountSize): { account: Account; needed: number } {
  const isEven = kind === 'even';
  const stages = Array.from({ length: count }, (_, index) => (isEven ? 'new' : mixedStages[index % 7]) ?? 'new');
  const broadcasts = Array.from({ length: count === 0 ? 0 : broadcastOf(count - 1) + 1 }, (_, place) => {
    const id = String(100_000 + place);
    const name = `Broadcast ${id}`;
    const items = Array.from({ length: itemsOfBroadcast }, (_each, index) => ({
      id: `${id}${index}`,
      type: isEven || index > 0 ? 'text' : 'rating',
    }));
    const created = { by: { id: '2041', firstName: 'Ada', lastName: 'King' }, at: '2026-11-02T09:30:00+00:00' };
    return { id, name, items, header: { name, created } };
  });
  const deliveries = stages.map((stage, index): AccountDelivery => {
    const recipients = { ...onePage, rows: rowsOf(stage) };
    return {
      id: `5f0c2d1e-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      status: stage === 'scheduled' ? 'scheduled' : 'delivered',
      broadcast: broadcastOf(index),
      recipients,
      contents: Array.from({ length: itemsOfBroadcast }, () => recipients),
    };
  });
  const pageSize = isEven ? Infinity : 400;
  const wanted = stages
    .map((stage, index) => ({ stage, of: broadcastOf(index) }))
    .filter((each) => each.stage !== 'scheduled');
  const included = wanted.filter(({ stage }) => stage !== 'older');
  const rated = isEven ? [] : included.filter(({ stage }) => stage !== 'silent');
  return {
    account: { ...simpleAccount({}), list: { ...onePage, pageSize }, ratingFilter: 'honest', deliveries, broadcasts },
    needed:
      Math.max(1, Math.ceil(count / pageSize)) +
      wanted.length +
      // The first run of a report asks for every broadcast: engagement long before its creation comes from a wrong clock.
      new Set(wanted.map(({ of }) => of)).size +
      included.length * itemsOfBroadcast +
      rated.length * ratings,
  };
}

/** The place of a delivery's broadcast. */
function broadcastOf(index: number): number {
  return Math.floor((index * 2) / deliveriesOfTwoBroadcasts);
}

/** Recipients' rows as the interface documents them; every second one has responded. */
function rowsOf(stage: Stage): RecipientRow[] {
  if (stage === 'silent') return [];
  const from = stage === 'older' ? weekBefore : inWeek;
  return Array.from({ length: recipientsOfList }, (_, index) => ({
    seenAt: dateOf(from + index * 61_000),
    respondedAt: index % 2 === 0 ? dateOf(from + index * 97_000 + 30_000) : null,
  }));
}

function dateOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

async function serve({ latencyMs, ...size }: ServiceSettings): Promise<void> {
  const { account, needed } = createAccount(size);
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
