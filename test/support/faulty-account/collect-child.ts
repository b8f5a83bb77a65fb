// A worker in a process of its own: the collect bundle, asked phase by phase as a run would, under a time limit.
import { setTimeout as sleep } from 'node:timers/promises';

/** What the child is given, as JSON in its first argument. */
export interface ChildTask {
  bundle: string;
  environment: Record<string, string>;
  /** What all requests have in common. */
  request: Record<string, unknown>;
  /** A batch each. */
  phases: string[];
  /** What each invocation believes to have left, in milliseconds. */
  remainingMs: number;
}

/** What the child reports, in its last line: the answers, and the most memory it took, in bytes. */
export interface ChildReport {
  answers: Array<Record<string, unknown>>;
  peakRss: number;
  milliseconds: number;
}

async function main({ bundle, environment, request, phases, remainingMs }: ChildTask): Promise<ChildReport> {
  Object.assign(process.env, environment);
  const { handler } = (await import(bundle)) as { handler: (event: unknown, context: unknown) => Promise<Answer> };
  let peakRss = process.memoryUsage.rss();
  const sampling = setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  }, 2);
  const begun = performance.now();
  const answers: Answer[] = [];
  const ask = async (event: Record<string, unknown>): Promise<Answer> => {
    const until = Date.now() + remainingMs;
    const answer = await handler(event, { getRemainingTimeInMillis: () => until - Date.now() });
    answers.push(answer);
    return answer;
  };
  await ask({ ...request, phase: 'list', batch: 0, from: 0 });
  for (const phase of phases) {
    for (let left: Left | null = { from: 0, interrupted: [] }; left !== null;) {
      const { next = null, interrupted = [], asked = 0 }: Answer = await ask({ ...request, phase, batch: 0, ...left });
      if (next !== null) left = { from: next, interrupted };
      else left = interrupted.length === 0 ? null : { from: left.from + asked + interrupted.length, interrupted };
    }
  }
  const milliseconds = performance.now() - begun;
  await sleep(10);
  clearInterval(sampling);
  return { answers, peakRss, milliseconds };
}

interface Left {
  from: number;
  interrupted: number[];
}

interface Answer extends Record<string, unknown> {
  asked?: number;
  next?: number | null;
  interrupted?: number[];
}

const report = await main(JSON.parse(process.argv[2] ?? '') as ChildTask);
process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
