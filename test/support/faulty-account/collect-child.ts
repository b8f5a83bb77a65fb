// A worker in a process of its own: the collect bundle, asked pass by pass as a run would, under a time limit.
import { setTimeout as sleep } from 'node:timers/promises';

/** What the child is given, as JSON in its first argument. */
export interface ChildOrder {
  bundle: string;
  environment: Record<string, string>;
  /** The order of the list; those of the batches follow from it. */
  order: Record<string, unknown>;
  passes: string[];
  /** The time that each invocation believes it has left, in milliseconds. */
  remainingMs: number;
}

/** What the child prints as its last line: the answers, and the most memory it took, in bytes. */
export interface ChildReport {
  answers: Array<Record<string, unknown>>;
  peakRss: number;
  milliseconds: number;
}

async function main({ bundle, environment, order, passes, remainingMs }: ChildOrder): Promise<ChildReport> {
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
  const { batches = 0 } = await ask({ ...order, pass: 'list', batch: 0, from: 0 });
  for (const pass of passes) {
    for (let batch = 0; batch < batches; batch += 1) {
      for (let left: Left | null = { from: 0, again: [] }; left !== null;) {
        const { next = null, again = [], asked = 0 }: Answer = await ask({ ...order, pass, batch, ...left });
        if (next !== null) left = { from: next, again };
        else left = again.length === 0 ? null : { from: left.from + asked + again.length, again };
      }
    }
  }
  const milliseconds = performance.now() - begun;
  await sleep(10);
  clearInterval(sampling);
  return { answers, peakRss, milliseconds };
}

interface Left {
  from: number;
  again: number[];
}

interface Answer extends Record<string, unknown> {
  batches?: number;
  asked?: number;
  next?: number | null;
  again?: number[];
}

const report = await main(JSON.parse(process.argv[2] ?? '') as ChildOrder);
process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
