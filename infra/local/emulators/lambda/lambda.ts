import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { storing } from '../../local-error.ts';
import { openDurableEngine } from './durable-engine.ts';
import { FunctionThread, type FunctionDefinition, type InvocationOutcome } from './function-thread.ts';

/** The functions of the embedded Lambda, and where the other parts are. */
interface LambdaOptions {
  functions: Record<string, FunctionDefinition>;
  /** What a function prints is appended to `<function>.log` in this folder. */
  logDir: string;
  /** Variables of all functions, such as `AWS_ENDPOINT_URL_DYNAMODB`. */
  environment: Record<string, string>;
}

/** The embedded Lambda. All but `close` throw where there is no such function. */
export type Lambda = Awaited<ReturnType<typeof startLambda>>;

/**
 * Starts Lambda. Each function runs in worker threads with an environment of their own, one invocation at a time, and gets
 * another thread while all are busy. A durable function's checkpoints come in over Lambda's API at `url`.
 */
export async function startLambda({ functions, logDir, environment }: LambdaOptions) {
  await using started = new AsyncDisposableStack();
  await storing(logDir, () => mkdir(logDir, { recursive: true }));
  const engine = await openDurableEngine({ names: Object.keys(functions), invoke });
  started.defer(() => engine.close());
  const hosts = new Map<string, { threads: Set<FunctionThread>; start: () => FunctionThread }>();
  for (const [name, definition] of Object.entries(functions)) {
    const log = openSync(join(logDir, `${name}.log`), 'a');
    const threads = new Set<FunctionThread>();
    const start = (): FunctionThread => {
      const thread: FunctionThread = new FunctionThread(name, definition, {
        environment: { AWS_ENDPOINT_URL_LAMBDA: engine.url, ...environment },
        log,
        onExit: () => threads.delete(thread),
      });
      threads.add(thread);
      return thread;
    };
    hosts.set(name, { threads, start });
    started.defer(() => closeSync(log));
  }
  let isClosed = false;
  started.defer(async () => {
    isClosed = true;
    await Promise.all([...hosts.values()].map(({ threads }) => killAll(threads)));
  });

  function hostOf(functionName: string) {
    const host = hosts.get(functionName);
    if (host === undefined) throw new RangeError(`There is no function "${functionName}".`);
    if (isClosed) throw new Error(`The embedded Lambda is closed; "${functionName}" was not invoked.`);
    return host;
  }
  async function invoke(functionName: string, payload: unknown): Promise<InvocationOutcome> {
    const { threads, start } = hostOf(functionName);
    const idle = [...threads].find((thread) => !thread.isBusy);
    return await (idle ?? start()).invoke(payload);
  }
  const parts = started.move();
  return {
    /** Where executions checkpoint. */
    url: engine.url,
    /**
     * Loads functions ahead of their first invocations, in their order: one after the other, so that the first does not wait
     * for the processors. Resolves when they are loaded.
     */
    async warm(functionNames: readonly string[]): Promise<void> {
      for (const name of functionNames) if (!isClosed) await hostOf(name).start().loaded;
    },
    invoke,
    /** Runs a durable execution of a function to its end, in real time. `onInvoke` is given what it invokes others with. */
    executeDurable: engine.execute,
    /** Terminates the threads of a function, as a crash would; gives how many there were. */
    kill: async (functionName: string) => await killAll(hostOf(functionName).threads),
    close: () => parts.disposeAsync(),
  };
}

async function killAll(threads: Set<FunctionThread>): Promise<number> {
  const killed = [...threads];
  threads.clear();
  await Promise.all(killed.map((thread) => thread.terminate()));
  return killed.length;
}
