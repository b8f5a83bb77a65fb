import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { FunctionDefinition, InvocationOutcome } from './lambda-function.ts';

/** Lambda's limit for loading a function, in seconds. */
const initTimeoutSeconds = 10;

/** An invocation as the Runtime API hands it to a function's process. */
interface Invocation {
  requestId: string;
  /** JSON. */
  payload: string;
  /** Epoch milliseconds. */
  deadlineMs: number;
}

interface Pending {
  requestId: string;
  payload: string;
  settle(outcome: InvocationOutcome): void;
}

/** A process of a function, which serves one invocation at a time. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #timeoutSeconds: number;
  #timer: NodeJS.Timeout;
  #pending: Pending | undefined;
  readonly #loaded = Promise.withResolvers<void>();
  #poll: ((invocation: Invocation) => void) | undefined;
  /** The error of the invocation that the process does not survive, where more is known than its exit. */
  #failure: { errorType: string; errorMessage: string } | undefined;

  /**
   * Starts the program `runtime` in this process's group. Its output is appended to the open file `log`; its standard
   * input ends when this process is gone.
   */
  constructor(
    definition: FunctionDefinition,
    { runtime, environment, log }: { runtime: string; environment: Record<string, string>; log: number },
  ) {
    this.#timeoutSeconds = definition.timeoutSeconds;
    this.#child = spawn(process.execPath, [runtime], {
      cwd: definition.bundleDir,
      env: environment,
      stdio: ['pipe', log, log],
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once('close', () => resolve()).once('error', () => resolve());
    });
    this.#timer = this.#killAfter(initTimeoutSeconds);
    void this.#onExit();
  }

  /** Resolves when the function is loaded, or the process is gone. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Whether it can take another invocation. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#failure === undefined;
  }

  /** Runs one invocation; resolves when the function has answered or failed. */
  run(payload: string): Promise<InvocationOutcome> {
    return new Promise((settle) => {
      this.#pending = { requestId: randomUUID(), payload, settle };
      this.#handOver();
    });
  }

  /** The process asks for its next invocation. */
  next(): Promise<Invocation> {
    clearTimeout(this.#timer);
    this.#loaded.resolve();
    return new Promise((resolve) => {
      this.#poll = resolve;
      this.#handOver();
    });
  }

  /** The process reports the outcome of its invocation. */
  answer(requestId: string, outcome: InvocationOutcome): void {
    if (this.#pending?.requestId === requestId) this.#settle(outcome);
  }

  /** The process could not load the function; it ends by itself. */
  initFailed(errorType: string, errorMessage: string): void {
    this.#failure = { errorType, errorMessage };
  }

  /** Kills the process; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  #handOver(): void {
    if (this.#pending === undefined || this.#poll === undefined) return;
    const { requestId, payload } = this.#pending;
    this.#timer = this.#killAfter(this.#timeoutSeconds);
    this.#poll({ requestId, payload, deadlineMs: Date.now() + this.#timeoutSeconds * 1000 });
    this.#poll = undefined;
  }

  #killAfter(seconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const errorMessage = `Task timed out after ${seconds.toFixed(2)} seconds`;
      this.#failure = { errorType: 'Sandbox.Timedout', errorMessage };
      this.#child.kill('SIGKILL');
    }, seconds * 1000);
  }

  #settle(outcome: InvocationOutcome): void {
    clearTimeout(this.#timer);
    this.#pending?.settle(outcome);
    this.#pending = undefined;
  }

  async #onExit(): Promise<void> {
    await this.#gone;
    this.#loaded.resolve();
    const { exitCode, signalCode } = this.#child;
    const how = signalCode === null ? `exit status ${exitCode}` : `signal: ${signalCode}`;
    const { errorType, errorMessage } = this.#failure ?? {
      errorType: 'Runtime.ExitError',
      errorMessage: `Error: Runtime exited with error: ${how}`,
    };
    const requestId = this.#pending?.requestId ?? '';
    const payload = { errorType, errorMessage: `RequestId: ${requestId} ${errorMessage}` };
    this.#settle({ functionError: 'Unhandled', payload });
  }
}
