import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Asked, ServiceSettings } from './server.ts';

const started = v.object({ url: v.string() });
const counted = v.object({
  requests: v.number(),
  tokens: v.number(),
  refused: v.number(),
  needed: v.number(),
  meanLatencyMs: v.number(),
});

/** A service in a process of its own. */
export interface LaunchedService {
  url: string;
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
  const { url } = v.parse(started, await ask(settings));
  return {
    url,
    asked: async () => v.parse(counted, await ask('asked')),
    close: () => void child.kill(),
  };
}
