import { setTimeout as delay } from 'node:timers/promises';
import {
  DurableExecutionInvocationInputWithClient,
  type DurableExecutionClient,
  type DurableExecutionInvocationInput,
  type DurableExecutionInvocationOutput,
} from '@aws/durable-execution-sdk-js';
import { LocalDurableTestRunner } from '@aws/durable-execution-sdk-js-testing';
import * as v from 'valibot';
import { executionOf, failedExecution, invocationOutput, type DurableExecution } from './durable-execution.ts';
import type { InvocationOutcome } from './lambda-function.ts';

/** Invocations of a durable function that may fail one after the other before its execution does. */
const maxInvocationAttempts = 5;

const functionErrorPayload = v.object({ errorType: v.string(), errorMessage: v.string() });

/** The functions that an execution can invoke, and how. */
interface Functions {
  /** The functions that a durable function may invoke. */
  names: readonly string[];
  /** Runs the durable function itself. */
  invoke(functionName: string, payload: unknown): Promise<InvocationOutcome>;
  /** Runs a function for the durable function `caller`. */
  invokeFor(caller: string, functionName: string, payload: unknown): Promise<InvocationOutcome>;
}

/** Options of one execution. */
export interface ExecutionOptions {
  /** Called with every invocation that the durable function makes, before it begins. */
  onInvoke?: (functionName: string, payload: unknown) => void;
}

/** The durable executions under way. */
export interface DurableEngine {
  execute(functionName: string, payload: unknown, options: ExecutionOptions): Promise<DurableExecution>;
  /** The state of an execution by its ARN; `undefined` where it is not under way. */
  clientOf(durableExecutionArn: string): DurableExecutionClient | undefined;
  close(): Promise<void>;
}

/** How many use the one worker thread that the SDK's testing package has in a process. */
let usersOfWorker = 0;

/**
 * Starts the worker thread that keeps the checkpoints of all engines in this process, for an engine that is opened later:
 * the thread loads meanwhile. Gives what ends this use of it.
 */
export async function startCheckpointWorker(): Promise<() => Promise<void>> {
  usersOfWorker += 1;
  if (usersOfWorker === 1) await LocalDurableTestRunner.setupTestEnvironment();
  return async () => {
    usersOfWorker -= 1;
    if (usersOfWorker === 0) await LocalDurableTestRunner.teardownTestEnvironment();
  };
}

/**
 * Opens the engine of durable executions: the local runner of the durable SDK's testing package, in real time, whose
 * handler is a proxy to the function's own process.
 */
export async function openDurableEngine(functions: Functions): Promise<DurableEngine> {
  const endWorker = await startCheckpointWorker();
  const clients = new Map<string, DurableExecutionClient>();
  const recording = new Set<Promise<unknown>>();
  return {
    execute: (functionName, payload, options) =>
      execute({ functionName, payload, options }, functions, { clients, recording }),
    clientOf: (durableExecutionArn) => clients.get(durableExecutionArn),
    async close() {
      await Promise.all(recording);
      await endWorker();
    },
  };
}

/** Runs an execution to its end, which is the function's last answer: the runner goes on for a moment, as `recording` says. */
function execute(
  { functionName, payload, options }: { functionName: string; payload: unknown; options: ExecutionOptions },
  functions: Functions,
  { clients, recording }: { clients: Map<string, DurableExecutionClient>; recording: Set<Promise<unknown>> },
): Promise<DurableExecution> {
  const { promise, resolve } = Promise.withResolvers<DurableExecution>();
  let durableExecutionArn = '';
  const runner = new LocalDurableTestRunner<unknown>({
    handlerFunction: async (event) => {
      const { input, client } = withoutClient(event);
      durableExecutionArn = input.DurableExecutionArn;
      clients.set(durableExecutionArn, client);
      const output = await invokeUntilAnswered(functionName, input, client, functions);
      const ended = executionOf(output, run);
      if (ended !== null) {
        recording.add(recorded);
        resolve(ended);
      }
      return output;
    },
  });
  for (const name of functions.names) {
    runner.registerFunction(name, async (input: unknown) => {
      options.onInvoke?.(name, input);
      return payloadOrThrow(await functions.invokeFor(functionName, name, input));
    });
  }
  const run = runner.run({ payload });
  const recorded = run
    .catch((error: unknown) => resolve(failedExecution(error, run)))
    .finally(() => {
      clients.delete(durableExecutionArn);
      recording.delete(recorded);
    });
  return promise;
}

/** A process cannot be handed a client: it gets the plain input, and its checkpoints come in over the Lambda API. */
function withoutClient(event: DurableExecutionInvocationInput): {
  input: DurableExecutionInvocationInput;
  client: DurableExecutionClient;
} {
  if (!DurableExecutionInvocationInputWithClient.isInstance(event)) {
    throw new TypeError('The durable runner handed its handler no client.');
  }
  const { DurableExecutionArn, CheckpointToken, InitialExecutionState, durableExecutionClient } = event;
  return { input: { DurableExecutionArn, CheckpointToken, InitialExecutionState }, client: durableExecutionClient };
}

/** Lambda repeats a failed invocation of a durable function, which goes on from its checkpoints. */
async function invokeUntilAnswered(
  functionName: string,
  firstInput: DurableExecutionInvocationInput,
  client: DurableExecutionClient,
  functions: Functions,
): Promise<DurableExecutionInvocationOutput> {
  let input = firstInput;
  for (let attempt = 1; ; attempt++) {
    const outcome = await functions.invoke(functionName, input);
    if (!('functionError' in outcome)) return v.parse(invocationOutput, outcome.payload);
    if (attempt === maxInvocationAttempts) return payloadOrThrow(outcome);
    await delay(50 * 2 ** attempt);
    const { DurableExecutionArn, CheckpointToken } = input;
    const { Operations = [] } = await client.getExecutionState({ DurableExecutionArn, CheckpointToken });
    input = { DurableExecutionArn, CheckpointToken, InitialExecutionState: { Operations, NextMarker: '' } };
  }
}

function payloadOrThrow(outcome: { functionError: string; payload: unknown }): never;
function payloadOrThrow(outcome: InvocationOutcome): unknown;
function payloadOrThrow(outcome: InvocationOutcome): unknown {
  if (!('functionError' in outcome)) return outcome.payload;
  const { errorType, errorMessage } = v.parse(functionErrorPayload, outcome.payload);
  throw Object.assign(new Error(errorMessage), { name: errorType });
}
