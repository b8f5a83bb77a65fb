import { InvokeError, type DurableContext } from '@aws/durable-execution-sdk-js';

/** The result of a step is JSON, and there is none where it returned nothing. */
type Operation = { step: string; result: string | undefined } | { wait: string; minutes: number };

/**
 * Runs the body of a durable function as the engine does, for steps, waits and invocations alone: at every wait it is left,
 * and begun again over the history of what it did. A wait takes no time; `onWait` is called for it. What it invokes is
 * `invoke`, which is handed the input and gives an `answer`, or the message with which it `failed`. Throws where a replay does anything else than the time before.
 *
 * The engine's own `LocalDurableTestRunner` does not serve here: it skips time with a fake clock for the whole process, which
 * moves the timers of the code under test too. Sending to a scripted SES then took 4 to 40 times as long, and waited
 * other times than it does. One test of dispatching goes through it all the same.
 *
 * Gives the result, and the waits in minutes.
 */
export async function replayExecution<T>(
  body: (context: DurableContext) => Promise<T>,
  onWait: () => void | Promise<void> = () => undefined,
  invoke: (input: unknown) => unknown = () => undefined,
) {
  const history: Operation[] = [];
  for (;;) {
    const outcome = await Promise.race(runOnce(body, history, invoke));
    if ('suspended' in outcome) {
      await onWait();
      continue;
    }
    return {
      result: outcome.result,
      waits: history.flatMap((operation) => ('wait' in operation ? [operation.minutes] : [])),
    };
  }
}

function runOnce<T>(
  body: (context: DurableContext) => Promise<T>,
  history: Operation[],
  invoke: (input: unknown) => unknown,
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
    logger: { info: () => undefined, error: () => undefined },
    step: async (name: string, step: () => Promise<unknown>): Promise<unknown> => {
      const past = next('step', name);
      const result = past !== undefined && 'step' in past ? past.result : JSON.stringify(await step());
      if (past === undefined) history.push({ step: name, result });
      return result === undefined ? undefined : JSON.parse(result);
    },
    invoke: async (name: string, _functionName: string, input: unknown): Promise<unknown> => {
      const { answer, failed } = await part.step(name, () => Promise.resolve(invoke(input))).then(Object);
      if (failed !== undefined) throw new InvokeError(failed);
      return answer;
    },
    wait: async (name: string, { minutes = 0, seconds = 0 }: { minutes?: number; seconds?: number }): Promise<void> => {
      if (next('wait', name) !== undefined) return;
      history.push({ wait: name, minutes: minutes + seconds / 60 });
      suspension.resolve({ suspended: true });
      await new Promise(() => undefined);
    },
  };
  // TypeScript cannot implement the overloads of `step` on an object that has only the operations used here.
  const finished = body(part as unknown as DurableContext).then((result) => ({ result }));
  return [finished, suspension.promise];
}
