import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { AccountSize } from './account.ts';

/** Size and latency of the service of a measurement. */
export interface ServiceSettings extends AccountSize {
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
export type Asked = v.InferOutput<typeof counted>;

/** A service in a process of its own. */
export interface LaunchedService {
  url: string;
  credentials: { id: string; secret: string };
  asked(): Promise<Asked>;
  close(): void;
}

/** Starts a service in a process of its own; it ends with this one. */
export async function launchService(settings: ServiceSettings): Promise<LaunchedService> {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)));
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
