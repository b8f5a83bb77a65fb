import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { ServiceReply, type ServiceAnswers } from '../support/service/answers.ts';
import { startService, type RequestLog } from '../support/service/service.ts';

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
  /** From a request's headers to its answer, on the mean. */
  meanLatencyMs: v.number(),
});
type Asked = v.InferOutput<typeof counted>;

/** A service in a process of its own. */
interface LaunchedService {
  url: string;
  credentials: { id: string; secret: string };
  asked(): Promise<Asked>;
  close(): void;
}

/** Starts a service in a process of its own; it ends with this one. */
export async function launchService(settings: ServiceSettings): Promise<LaunchedService> {
  const child = fork(fileURLToPath(import.meta.url));
  const ask = async (message: ServiceSettings | 'asked'): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(message);
    const [answer]: unknown[] = await answered;
    return answer;
  };
  const launched = v.parse(started, await ask(settings));
  return {
    ...launched,
    asked: async () => v.parse(counted, await ask('asked')),
    close: () => void child.kill(),
  };
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

/** The account's answers, and the number of requests that a digest needs. */
interface MeasuredAccount {
  answers: ServiceAnswers;
  /** Requests that a digest of the week needs, tokens aside. */
  needed: number;
}

const contentsOfBroadcast = 5;
const recipientsOfList = 20;
const deliveriesOfTwoBroadcasts = 5;
const rowsOfPage = 400;
const ratings = ['1', '2', '3', '4', '5'];

/** The account's new deliveries are of the week before this instant. */
export const scheduledTime = '2026-11-16T08:00:00Z';
const inWeek = Date.UTC(2026, 10, 10, 9, 30);
const weekBefore = Date.UTC(2026, 10, 3, 9, 30);

interface Delivery {
  id: string;
  broadcast: string;
  stage: 'new' | 'silent' | 'older' | 'scheduled';
}

/** Answers by path and query. Every body is ready before the first request. */
type Pages = Map<string, ServiceReply>;

/** Builds an account of a size; two in five as many broadcasts as deliveries. */
function createAccount({ deliveries: count, kind }: AccountSize): MeasuredAccount {
  const pages: Pages = new Map();
  const deliveries = Array.from({ length: count }, (_, index): Delivery => {
    const broadcast = String(100_000 + Math.floor((index * 2) / deliveriesOfTwoBroadcasts));
    return { id: uuidOf(index), broadcast, stage: kind === 'even' ? 'new' : stageOf(index) };
  });
  let needed = listPages(pages, deliveries, kind);
  const asked = new Set<string>();
  for (const delivery of deliveries.filter(({ stage }) => stage !== 'scheduled')) {
    const { id, broadcast, stage } = delivery;
    pages.set(`/v1/broadcasts/deliveries/${id}/recipients`, pageOf(writeRecipients(stage)));
    needed += 1;
    // The first run of a report asks for every broadcast: engagement long before its creation comes from a wrong clock.
    if (!asked.has(broadcast)) {
      asked.add(broadcast);
      pages.set(`/v1/broadcasts/${broadcast}`, pageOf(broadcastOf(broadcast, kind)));
      needed += 1;
    }
    if (stage === 'older') continue;
    needed += contentPages(pages, delivery, kind);
  }
  const at = ({ pathname, search }: URL): ServiceReply | undefined => pages.get(pathname + search);
  return {
    answers: {
      deliveries: at,
      broadcast: (_id, url) => at(url),
      recipients: (_id, url) => at(url),
      contentRecipients: (_id, _contentId, url) => at(url),
    },
    needed,
  };
}

function stageOf(index: number): Delivery['stage'] {
  return (['new', 'new', 'scheduled', 'older', 'silent', 'new', 'older'] as const)[index % 7] ?? 'new';
}

/** The list, in pages where the account is a mixed one. Gives how many. */
function listPages(pages: Pages, deliveries: readonly Delivery[], kind: AccountSize['kind']): number {
  const size = kind === 'even' ? Math.max(1, deliveries.length) : rowsOfPage;
  const count = Math.max(1, Math.ceil(deliveries.length / size));
  for (let page = 0; page < count; page += 1) {
    const rows = deliveries.slice(page * size, (page + 1) * size).map(({ id, broadcast, stage }) => ({
      delivery: {
        id,
        broadcast: { id: broadcast, name: `Broadcast ${broadcast}` },
        status: stage === 'scheduled' ? 'scheduled' : 'delivered',
      },
    }));
    pages.set(listPath(page), pageOf(rows, page + 1 < count ? listPath(page + 1) : undefined));
  }
  return count;
}

function listPath(page: number): string {
  return `/v1/broadcasts/deliveries${page === 0 ? '' : `?page=${page + 1}`}`;
}

/** The recipients of each content item of a delivery, and of each rating of the one that is rated. Gives how many pages. */
function contentPages(pages: Pages, { id, broadcast, stage }: Delivery, kind: AccountSize['kind']): number {
  let count = 0;
  for (let index = 0; index < contentsOfBroadcast; index += 1) {
    const path = `/v1/broadcasts/deliveries/${id}/contents/${broadcast}${index}/recipients`;
    const rows = writeRecipients(stage);
    pages.set(path, pageOf(rows));
    count += 1;
    if (typeOf(index, kind) !== 'rating' || stage === 'silent') continue;
    for (const [place, rating] of ratings.entries()) {
      pages.set(`${path}?rating=${rating}`, pageOf(rows.slice(place * 2, place * 2 + 2)));
      count += 1;
    }
  }
  return count;
}

function typeOf(index: number, kind: AccountSize['kind']): string {
  return kind === 'mixed' && index === 0 ? 'rating' : 'text';
}

function broadcastOf(id: string, kind: AccountSize['kind']): unknown {
  return {
    broadcast: {
      id,
      name: `Broadcast ${id}`,
      created: { by: { id: '2041', firstName: 'Ada', lastName: 'King' }, at: '2026-11-02T09:30:00+00:00' },
    },
    contents: Array.from({ length: contentsOfBroadcast }, (_, index) => ({
      id: `${id}${index}`,
      type: typeOf(index, kind),
    })),
  };
}

/** Recipients' rows as the interface documents them; every second one has responded. */
function writeRecipients(stage: Delivery['stage']): unknown[] {
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

function pageOf(value: unknown, next?: string): ServiceReply {
  const body = Buffer.from(JSON.stringify(value));
  return new ServiceReply(200, body, {
    'content-length': String(body.length),
    ...(next === undefined ? {} : { link: `<${next}>; rel="next"` }),
  });
}

function uuidOf(index: number): string {
  return `5f0c2d1e-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

async function serve({ latencyMs, ...size }: ServiceSettings): Promise<void> {
  const { answers, needed } = createAccount(size);
  const service = await startService({ answers, latencyMs });
  process.on('message', () => process.send?.(countOf(service.log(), needed)));
  process.send?.({ url: service.url, credentials: service.credentials });
}

function countOf({ attempts, strange }: RequestLog, needed: number): Asked {
  const forTokens = attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh');
  const answered = attempts.filter(({ outcome }) => outcome === 'answered');
  const waitedMs = attempts.reduce((sum, { begunAt, at }) => sum + at - begunAt, 0);
  return {
    requests: attempts.length - forTokens.length + strange.length,
    tokens: forTokens.length,
    refused: attempts.length - answered.length + strange.length,
    needed,
    meanLatencyMs: attempts.length === 0 ? 0 : waitedMs / attempts.length,
  };
}

// In a process of its own: what it costs is not to be counted as ours.
if (import.meta.main) {
  process.once('message', (settings: ServiceSettings) => void serve(settings));
  process.once('disconnect', () => process.exit(0));
}
