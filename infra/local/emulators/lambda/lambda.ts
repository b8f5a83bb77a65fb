import { mkdir } from 'node:fs/promises';
import { denialOf, type Authorize } from '../authorize.ts';
import { openDurableEngine, type DurableEngine, type ExecutionOptions } from './durable-engine.ts';
import type { DurableExecution } from './durable-execution.ts';
import { answerLambdaApi } from './lambda-api.ts';
import {
  accessKeyIdOfFunction,
  functionEnvironment,
  type Endpoints,
  type FunctionDefinition,
  type InvocationOutcome,
} from './lambda-function.ts';
import { buildRuntime } from './build-runtime.ts';
import { openFunctionPool, type FunctionPool } from './lambda-pool.ts';
import { serveOnLoopback, type Loopback } from '../loopback.ts';
import { serveRuntimeApi } from './runtime-api.ts';
import { storing } from '../storage-error.ts';

/** The functions of the embedded Lambda, and where the other parts are. */
export interface LambdaOptions {
  functions: Record<string, FunctionDefinition>;
  /** Each function's output is appended to `<function>.log` in this folder. */
  logDir: string;
  endpoints: Endpoints;
  /** The key that all functions sign with; by default each has one of its own. */
  accessKeyId?: string | undefined;
  authorize?: Authorize;
}

/** The embedded Lambda. */
export interface Lambda extends Loopback {
  /**
   * Loads functions ahead of their first invocations, in their order: one after the other, so that the first does not wait
   * for the processors. Resolves when they are loaded. Throws where there is no such function.
   */
  warm(functionNames: readonly string[]): Promise<void>;
  /** Invokes a function and waits for its result. Throws where there is no such function. */
  invoke(functionName: string, payload: unknown): Promise<InvocationOutcome>;
  /** Runs a durable execution of a function to its end, in real time. Throws where there is no such function. */
  executeDurable(functionName: string, payload: unknown, options?: ExecutionOptions): Promise<DurableExecution>;
  /** Kills the processes of a function, as a crash would; gives how many there were. */
  kill(functionName: string): Promise<number>;
}

/**
 * Starts Lambda on loopback. Each function runs in processes of its own, one invocation at a time, and starts another
 * process while all are busy. A durable function's checkpoints come in over the API at `url`.
 *
 * The processes end with this process, however it ends; `close` ends them at once.
 */
export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  await using started = new AsyncDisposableStack();
  await storing(options.logDir, () => mkdir(options.logDir, { recursive: true }));
  const runtime = await buildRuntime();
  const pools = new Map<string, FunctionPool>();
  const runtimeApi = await serveRuntimeApi(pools);
  started.defer(() => runtimeApi.close());
  const engine = await openEngine(options, pools);
  started.defer(() => engine.close());
  const api = await serveOnLoopback((request) =>
    answerLambdaApi(request, {
      engine,
      authorize: options.authorize,
      invoke: (functionName, payload) => pools.get(functionName)?.invoke(payload),
    }),
  );
  started.defer(() => api.close());
  for (const [name, definition] of Object.entries(options.functions)) {
    const environmentOf = (processId: string): Record<string, string> => {
      const addresses = { runtimeApi: runtimeApi.addressOf(name, processId), lambda: api.url };
      const { endpoints, accessKeyId } = options;
      return functionEnvironment(name, definition, { ...addresses, endpoints, accessKeyId });
    };
    const pool = openFunctionPool(name, definition, { runtime, logDir: options.logDir, environmentOf });
    pools.set(name, pool);
    started.defer(() => pool.close());
  }
  const parts = started.move();
  return {
    url: api.url,
    async warm(functionNames) {
      for (const name of functionNames) await poolOf(pools, name).warm();
    },
    invoke: async (functionName, payload) => poolOf(pools, functionName).invoke(payload),
    async executeDurable(functionName, payload, executionOptions = {}) {
      poolOf(pools, functionName);
      return engine.execute(functionName, payload, executionOptions);
    },
    kill: async (functionName) => poolOf(pools, functionName).kill(),
    close: () => parts.disposeAsync(),
  };
}

function openEngine(options: LambdaOptions, pools: ReadonlyMap<string, FunctionPool>): Promise<DurableEngine> {
  return openDurableEngine({
    names: Object.keys(options.functions),
    invoke: (functionName, payload) => poolOf(pools, functionName).invoke(payload),
    async invokeFor(caller, functionName, payload) {
      const parameters = { FunctionName: functionName, Payload: payload };
      const call = { accessKeyId: accessKeyIdOfFunction(caller), action: 'lambda:InvokeFunction', parameters };
      const denial = denialOf(options.authorize, call);
      if (denial !== undefined) {
        return { functionError: 'Unhandled', payload: { errorType: 'AccessDeniedException', errorMessage: denial } };
      }
      return poolOf(pools, functionName).invoke(payload);
    },
  });
}

function poolOf(pools: ReadonlyMap<string, FunctionPool>, functionName: string): FunctionPool {
  const pool = pools.get(functionName);
  if (pool === undefined) throw new RangeError(`There is no function "${functionName}".`);
  return pool;
}
