import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { storing } from '../../local-error.ts';
import { region } from '../aws-protocol.ts';
import { openDurableEngine } from './durable-engine.ts';

/** A function as the embedded Lambda runs it. */
export interface FunctionDefinition {
  /** The folder of the bundle, absolute: it holds `index.cjs`, which exports `handler`. */
  bundleDir: string;
  /** The folder of `configuration.json`, absolute, for which the bundle looks beside itself. */
  configurationDir: string;
  /** Its own variables, beside those that Lambda gives it; where they have the same name, these hold. */
  environment: Record<string, string>;
  /** It is told how much of this is left; nothing ends it then. */
  timeoutSeconds: number;
  memoryMb: number;
}

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
  const engine = started.use(await openDurableEngine(Object.keys(functions), invoke));
  const variables = { AWS_ENDPOINT_URL_LAMBDA: engine.url, ...environment };
  const hosts = new Map<string, { definition: FunctionDefinition; log: number; threads: Set<FunctionThread> }>();
  for (const [name, definition] of Object.entries(functions)) {
    const log = started.adopt(openSync(join(logDir, `${name}.log`), 'a'), closeSync);
    hosts.set(name, { definition, log, threads: new Set() });
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
  function start(functionName: string): FunctionThread {
    const { definition, log, threads } = hostOf(functionName);
    const onExit = (): void => void threads.delete(thread);
    const thread = startThread(functionName, definition, { environment: variables, log, onExit });
    threads.add(thread);
    return thread;
  }
  async function invoke(functionName: string, payload: unknown): Promise<unknown> {
    const idle = [...hostOf(functionName).threads].find((thread) => !thread.isBusy());
    return await (idle ?? start(functionName)).invoke(payload);
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
      for (const name of functionNames) if (!isClosed) await start(name).loaded;
    },
    /** Invokes a function. Rejects where it fails, with the name and message of its error. */
    invoke,
    /** Runs a durable execution of a function to its end, in real time. */
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

const program = new URL('function-thread.mjs', import.meta.url);

/** What the program of a thread says: that it has loaded the function, and how an invocation ended. The result is JSON. */
type ThreadMessage = 'loaded' | { result: string } | { error: Error };

type FunctionThread = ReturnType<typeof startThread>;

/**
 * Starts a worker thread with a function's bundle, which serves one invocation at a time. What the function prints is appended to
 * the open file `log`. Nothing of this process's own environment reaches it but what is
 * handed in: a laptop's AWS configuration must not.
 */
function startThread(
  functionName: string,
  { bundleDir, configurationDir, timeoutSeconds, memoryMb, ...definition }: FunctionDefinition,
  { environment, log, onExit }: { environment: Record<string, string>; log: number; onExit: () => void },
) {
  const worker = new Worker(program, {
    workerData: {
      bundle: pathToFileURL(`${bundleDir}/index.cjs`).href,
      configuration: join(configurationDir, 'configuration.json'),
      // Beside the bundles, so that it goes when they do.
      compiled: join(bundleDir, '../compiled'),
      log,
    },
    env: {
      // What Lambda itself puts there, as far as the AWS clients and the logger read it.
      HOME: bundleDir,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'embedded',
      AWS_SECRET_ACCESS_KEY: 'embedded',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: functionName,
      ...environment,
      ...definition.environment,
    },
    // Not those of this process: they are named by the function's NODE_OPTIONS.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const loaded = Promise.withResolvers<void>();
  let invocation: PromiseWithResolvers<unknown> | null = null;
  /** Why the thread ends, where more is known than that it does. */
  let failure = new Error('The runtime exited.');
  worker
    .on('message', (message: ThreadMessage) => {
      if (message === 'loaded') loaded.resolve();
      else if ('result' in message) invocation?.resolve(JSON.parse(message.result));
      else invocation?.reject(Object.assign(new Error(), message.error));
    })
    .on('error', (error: Error) => (failure = error))
    .once('exit', () => {
      onExit();
      loaded.resolve();
      invocation?.reject(failure);
    });
  return {
    /** Resolves when the function is loaded, or the thread is gone. */
    loaded: loaded.promise,
    isBusy: () => invocation !== null,
    /** Runs one invocation. Rejects where the function fails, with the name and message of its error, or its thread ends. */
    invoke(payload: unknown): Promise<unknown> {
      invocation = Promise.withResolvers();
      const deadlineMs = Date.now() + timeoutSeconds * 1000;
      worker.postMessage({ awsRequestId: randomUUID(), event: JSON.stringify(payload), deadlineMs });
      return invocation.promise.finally(() => (invocation = null));
    },
    /** Ends the thread in the middle of whatever it does; resolves when it is gone. */
    terminate: () => worker.terminate(),
  };
}
