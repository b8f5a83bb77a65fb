import type { DurableContext } from '@aws/durable-execution-sdk-js';

/** A finished execution: its result, the names of its steps, and its waits with their minutes. */
export interface Replayed<T> {
  result: T;
  steps: string[];
  waits: Array<{ name: string; minutes: number }>;
}

type Operation = { step: string; result: string } | { wait: string; minutes: number };
interface Duration {
  minutes?: number;
  seconds?: number;
}

/**
 * Runs the body of a durable function as the engine does, for steps and waits alone: at every wait it is left, and begun
 * again over the history of what it did. A wait takes no time; `onWait` is called for it. Throws where a replay does anything
 * else than the time before.
 */
export async function replayExecution<T>(
  body: (context: DurableContext) => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<Replayed<T>> {
  const history: Operation[] = [];
  for (;;) {
    const outcome = await Promise.race(runOnce(body, history));
    if ('suspended' in outcome) {
      onWait();
      continue;
    }
    return {
      result: outcome.result,
      steps: history.flatMap((operation) => ('step' in operation ? [operation.step] : [])),
      waits: history.flatMap((operation) =>
        'wait' in operation ? [{ name: operation.wait, minutes: operation.minutes }] : [],
      ),
    };
  }
}

function runOnce<T>(
  body: (context: DurableContext) => Promise<T>,
  history: Operation[],
): Array<Promise<{ result: T } | { suspended: true }>> {
  const suspension = Promise.withResolvers<{ suspended: true }>();
  let position = 0;
  const next = (kind: 'step' | 'wait', name: string): Operation | undefined => {
    const past = history[position];
    position += 1;
    if (past !== undefined && (!(kind in past) || Object.values(past)[0] !== name)) {
      throw new Error(`The replay came to ${kind} "${name}", where there was ${JSON.stringify(past)}.`);
    }
    return past;
  };
  const part = {
    executionContext: { durableExecutionArn: 'arn:aws:lambda:execution-1' },
    step: async (name: string, step: () => Promise<unknown>): Promise<unknown> => {
      const past = next('step', name);
      const result = past !== undefined && 'step' in past ? past.result : JSON.stringify(await step());
      if (past === undefined) history.push({ step: name, result });
      return JSON.parse(result);
    },
    wait: async (name: string, { minutes = 0, seconds = 0 }: Duration): Promise<void> => {
      if (next('wait', name) !== undefined) return;
      history.push({ wait: name, minutes: minutes + seconds / 60 });
      suspension.resolve({ suspended: true });
      await new Promise(() => undefined);
    },
  };
  const finished = body(part as unknown as DurableContext).then((result) => ({ result }));
  return [finished, suspension.promise];
}
