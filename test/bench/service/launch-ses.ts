import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const started = v.object({ url: v.string() });
const counted = v.object({ accepted: v.number(), throttled: v.number(), bytes: v.number() });

/** An SES in a process of its own, which ends with this one. It sends no events. */
export interface LaunchedSes {
  url: string;
  taken(): Promise<v.InferOutput<typeof counted>>;
}

/** Starts an SES that takes `sendRate` messages a second. */
export async function launchSes(sendRate: number): Promise<LaunchedSes> {
  const child = fork(fileURLToPath(new URL('ses.ts', import.meta.url)));
  const ask = async (message: { sendRate: number } | 'taken'): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(message);
    const [answer]: unknown[] = await answered;
    return answer;
  };
  const { url } = v.parse(started, await ask({ sendRate }));
  return {
    url,
    taken: async () => v.parse(counted, await ask('taken')),
  };
}
