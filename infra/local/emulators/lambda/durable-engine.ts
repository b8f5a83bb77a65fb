import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorObject, OperationUpdate } from '@aws-sdk/client-lambda';
import {
  DurableExecutionInvocationInputWithClient,
  InvocationStatus,
  OperationAction,
  OperationStatus,
  type DurableExecutionClient,
  type DurableExecutionInvocationInput,
  type DurableExecutionInvocationOutput,
} from '@aws/durable-execution-sdk-js';
import { LocalDurableTestRunner, type TestResult } from '@aws/durable-execution-sdk-js-testing';
import * as v from 'valibot';
import { jsonAnswer, jsonError, parseJson } from '../aws-protocol.ts';
import { serveOnLoopback, type LoopbackRequest } from '../../loopback.ts';

/**
 * Invocations of a durable function that may fail one after the other, without an answer in between, before its execution does:
 * Lambda goes on until the execution's time is up, and nobody waits for that here.
 */
const maxInvocationAttempts = 5;

/** A durable execution that has ended. */
export interface DurableExecution {
  status: 'SUCCEEDED' | 'FAILED';
  /** What the function returned; `undefined` where it failed. */
  result?: unknown;
  error?: ErrorObject | undefined;
  /** What the engine recorded of it. */
  recorded: Promise<TestResult<unknown>>;
}

type Invoke = (functionName: string, payload: unknown) => Promise<unknown>;

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
 * Opens the engine of durable executions: the local runner of the durable SDK's testing package, in real time. Its handler
 * invokes the function's own thread, whose checkpoints come in over Lambda's API on loopback, at `url`.
 */
export async function openDurableEngine(names: readonly string[], invoke: Invoke) {
  await using started = new AsyncDisposableStack();
  started.defer(await startCheckpointWorker());
  /** The runner's client of each execution that is under way, by its ARN. */
  const clients = new Map<string, DurableExecutionClient>();
  const { url } = started.use(await serveOnLoopback((request) => answerLambdaApi(request, clients)));

  /** Runs an execution to its end, which is the function's last answer: the runner waits a tenth of a second longer. */
  async function execute(functionName: string, payload: unknown): Promise<DurableExecution> {
    const begun = new Set<string>();
    const ended = Promise.withResolvers<DurableExecutionInvocationOutput>();
    const runner = new LocalDurableTestRunner<unknown>({
      handlerFunction: async (event) => {
        if (!DurableExecutionInvocationInputWithClient.isInstance(event)) {
          throw new TypeError('The durable runner handed its handler no client.');
        }
        const client = followSteps(event.durableExecutionClient, begun);
        clients.set(event.DurableExecutionArn, client);
        const output = await invokeUntilAnswered((input) => invoke(functionName, input), event, client);
        if (output.Status !== InvocationStatus.PENDING) ended.resolve(output);
        return output;
      },
    });
    for (const name of names) runner.registerFunction(name, (input: unknown) => invoke(name, input));
    const recorded = runner.run({ payload });
    recorded.catch(ended.reject);
    const output = await ended.promise;
    if (output.Status === InvocationStatus.FAILED) return { status: 'FAILED', error: output.Error, recorded };
    return { status: 'SUCCEEDED', result: JSON.parse(Object(output).Result || 'null'), recorded };
  }
  const parts = started.move();
  return { url, execute, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** Lambda repeats a failed invocation of a durable function, which goes on from its checkpoints. */
async function invokeUntilAnswered(
  invoke: (input: DurableExecutionInvocationInput) => Promise<unknown>,
  { DurableExecutionArn, CheckpointToken, InitialExecutionState }: DurableExecutionInvocationInput,
  client: DurableExecutionClient,
): Promise<DurableExecutionInvocationOutput> {
  // Without the runner's client, which a thread cannot be handed.
  const execution = { DurableExecutionArn, CheckpointToken };
  let input: DurableExecutionInvocationInput = { ...execution, InitialExecutionState };
  for (let attempt = 1; ; attempt++) {
    try {
      return v.parse(invocationOutput, await invoke(input));
    } catch (error) {
      const { name: ErrorType, message: ErrorMessage } = Object(error);
      if (attempt === maxInvocationAttempts)
        return { Status: InvocationStatus.FAILED, Error: { ErrorType, ErrorMessage } };
    }
    await delay(50 * 2 ** attempt);
    const { Operations = [] } = await client.getExecutionState(execution);
    input = { ...execution, InitialExecutionState: { Operations, NextMarker: '' } };
  }
}

/** The runner's client, by which a step that began again after a pause is started, as with Lambda: the runner leaves it ready. */
function followSteps(client: DurableExecutionClient, begun: Set<string>): DurableExecutionClient {
  return {
    checkpoint: (request) => {
      for (const { Id = '', Action } of request.Updates ?? []) {
        if (Action === OperationAction.START) begun.add(Id);
        else begun.delete(Id);
      }
      return client.checkpoint(request);
    },
    getExecutionState: async (request) => {
      const { Operations = [], ...state } = await client.getExecutionState(request);
      for (const operation of Operations) {
        const isBegun = operation.Status === OperationStatus.READY && begun.has(operation.Id ?? '');
        if (isBegun) operation.Status = OperationStatus.STARTED;
      }
      return { ...state, Operations };
    },
  };
}

const withStatus = v.looseObject({ Status: v.enum(InvocationStatus) });
/** What an invocation of a durable function answers: the SDK's own output. */
const invocationOutput = v.custom<DurableExecutionInvocationOutput>((output) => v.is(withStatus, output));

const executionPath = /^\/2025-12-01\/durable-executions\/([^/]+)\/(checkpoint|state)$/;

/** Answers CheckpointDurableExecution and GetDurableExecutionState of Lambda's REST API. The rest is refused. */
async function answerLambdaApi(request: LoopbackRequest, clients: ReadonlyMap<string, DurableExecutionClient>) {
  const { pathname, searchParams } = new URL(request.url, 'http://loopback');
  const [, encodedArn = '', operation] = executionPath.exec(pathname) ?? [];
  const DurableExecutionArn = decodeURIComponent(encodedArn);
  const client = clients.get(DurableExecutionArn);
  if (client === undefined) return jsonError(404, 'ResourceNotFoundException', 'There is no such durable execution.');
  try {
    if (operation === 'checkpoint') {
      const checkpoint = v.parse(checkpointBody, parseJson(request.body));
      return jsonAnswer(200, await client.checkpoint({ DurableExecutionArn, ...checkpoint }));
    }
    const CheckpointToken = searchParams.get('CheckpointToken') ?? '';
    return jsonAnswer(200, await client.getExecutionState({ DurableExecutionArn, CheckpointToken }));
  } catch (error) {
    // The runner's own refusals come out of its worker thread as plain errors with AWS's message.
    return jsonError(400, 'InvalidParameterValueException', error instanceof Error ? error.message : '');
  }
}

const checkpointBody = v.object({
  CheckpointToken: v.string(),
  ClientToken: v.optional(v.string()),
  Updates: v.optional(v.array(v.custom<OperationUpdate>((update) => typeof update === 'object'))),
});
