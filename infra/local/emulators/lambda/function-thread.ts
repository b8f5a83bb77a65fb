import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { accountId, region } from '../aws-protocol.ts';

/** A function as the embedded Lambda runs it. */
export interface FunctionDefinition {
  /** The folder of the bundle, absolute: it holds `index.cjs`, which exports `handler`. */
  bundleDir: string;
  /** Its own variables, beside those that Lambda gives it; where they have the same name, these hold. */
  environment: Record<string, string>;
  /** It is told how much of this is left; nothing ends it then. */
  timeoutSeconds: number;
  memoryMb: number;
}

const outcomeSchema = v.object({
  functionError: v.exactOptional(v.string()),
  payload: v.pipe(v.string(), v.parseJson()),
});
const messageSchema = v.union([v.literal('loaded'), outcomeSchema]);

/** The result of an invocation. A function error's payload has `errorType`, `errorMessage` and maybe `trace`. */
export type InvocationOutcome = v.InferOutput<typeof outcomeSchema>;

const program = new URL('function-thread.mjs', import.meta.url);

/** The function's ARN in the embedded account. */
export function functionArn(functionName: string): string {
  return `arn:aws:lambda:${region}:${accountId}:function:${functionName}`;
}

/** A worker thread with a function's bundle, which serves one invocation at a time. */
export class FunctionThread {
  readonly #worker: Worker;
  readonly #timeoutSeconds: number;
  readonly #loaded = Promise.withResolvers<void>();
  /** Resolves when the function is loaded, or the thread is gone. */
  readonly loaded = this.#loaded.promise;
  #invocation: { requestId: string; settle: (outcome: InvocationOutcome) => void } | null = null;
  /** The error of the invocation that the thread does not survive, where more is known than its exit. */
  #failure: { errorType: string; message: string } | null = null;

  /**
   * Starts the thread. What the function prints is appended to the open file `log`.
   *
   * @param environment where the other parts are, and the way out of this network. Nothing else of this process's own
   *   environment reaches the function: a laptop's AWS configuration must not.
   * @param onExit called when the thread is gone, whatever ended it
   */
  constructor(
    functionName: string,
    definition: FunctionDefinition,
    { environment, log, onExit }: { environment: Record<string, string>; log: number; onExit: () => void },
  ) {
    const { bundleDir, timeoutSeconds, memoryMb } = definition;
    this.#timeoutSeconds = timeoutSeconds;
    const context = {
      invokedFunctionArn: functionArn(functionName),
      functionName,
      functionVersion: '$LATEST',
      memoryLimitInMB: String(memoryMb),
    };
    this.#worker = new Worker(program, {
      workerData: { bundle: pathToFileURL(`${bundleDir}/index.cjs`).href, log, context },
      env: {
        // What Lambda itself puts there, as far as the AWS clients and the logger read it.
        HOME: bundleDir,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: 'embedded',
        AWS_SECRET_ACCESS_KEY: 'embedded',
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_NAME: functionName,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
        ...environment,
        ...definition.environment,
      },
      // Not those of this process: they are named by the function's NODE_OPTIONS.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#worker
      .on('message', (value: unknown) => {
        const message = v.parse(messageSchema, value);
        if (message === 'loaded') this.#loaded.resolve();
        else this.#settle(message);
      })
      .on('error', ({ name, message }) => (this.#failure = { errorType: name, message }))
      .once('exit', (code) => {
        onExit();
        this.#loaded.resolve();
        const exited = `Error: Runtime exited with error: exit status ${code}`;
        const { errorType, message } = this.#failure ?? { errorType: 'Runtime.ExitError', message: exited };
        const errorMessage = `RequestId: ${this.#invocation?.requestId} ${message}`;
        this.#settle({ functionError: 'Unhandled', payload: { errorType, errorMessage } });
      });
  }

  get isBusy(): boolean {
    return this.#invocation !== null;
  }

  /** Runs one invocation; resolves when the function has answered or failed. */
  async invoke(payload: unknown): Promise<InvocationOutcome> {
    const { promise, resolve: settle } = Promise.withResolvers<InvocationOutcome>();
    const requestId = randomUUID();
    this.#invocation = { requestId, settle };
    const deadlineMs = Date.now() + this.#timeoutSeconds * 1000;
    this.#worker.postMessage({ requestId, event: JSON.stringify(payload), deadlineMs });
    return await promise;
  }

  /** Ends the thread in the middle of whatever it does; resolves when it is gone. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(outcome: InvocationOutcome): void {
    this.#invocation?.settle(outcome);
    this.#invocation = null;
  }
}
