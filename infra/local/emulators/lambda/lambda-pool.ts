import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { functionArn, type FunctionDefinition, type InvocationOutcome } from './lambda-function.ts';
import { FunctionProcess } from './lambda-process.ts';

/** The processes of one function. */
export interface FunctionPool {
  arn: string;
  /** The process that polls the Runtime API under this id. */
  process(id: string): FunctionProcess | undefined;
  /** Loads the function in a process ahead of its first invocation; resolves when it is loaded, or could not be. */
  warm(): Promise<void>;
  /** Runs an invocation in an idle process, else in a new one. Throws where the pool is closed. */
  invoke(payload: unknown): Promise<InvocationOutcome>;
  /** Kills all processes, busy or idle; gives how many there were. */
  kill(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the pool of a function; it has no process yet. Output goes to `<logDir>/<function>.log`.
 *
 * @param environmentOf the environment of a process that polls the Runtime API under the given id.
 */
export function openFunctionPool(
  functionName: string,
  definition: FunctionDefinition,
  options: {
    /** The program of each process. */
    runtime: string;
    logDir: string;
    environmentOf: (processId: string) => Record<string, string>;
  },
): FunctionPool {
  const log = openSync(join(options.logDir, `${functionName}.log`), 'a');
  const processes = new Map<string, FunctionProcess>();
  const idle: FunctionProcess[] = [];
  let closed = false;

  function takeProcess(): FunctionProcess {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) if (process.alive) return process;
    return startProcess();
  }
  function startProcess(): FunctionProcess {
    const id = randomUUID();
    const started = new FunctionProcess(definition, {
      runtime: options.runtime,
      environment: options.environmentOf(id),
      log,
    });
    processes.set(id, started);
    return started;
  }
  async function kill(): Promise<number> {
    const killed = [...processes.values()].filter((process) => process.alive);
    await Promise.all(Array.from(processes.values(), (process) => process.kill()));
    processes.clear();
    return killed.length;
  }
  return {
    arn: functionArn(functionName),
    process: (id) => processes.get(id),
    async warm() {
      if (closed) return;
      const process = startProcess();
      idle.push(process);
      await process.loaded;
    },
    async invoke(payload) {
      if (closed) throw new Error(`The embedded Lambda is closed; "${functionName}" was not invoked.`);
      const process = takeProcess();
      const outcome = await process.run(JSON.stringify(payload === undefined ? {} : payload));
      if (process.alive) idle.push(process);
      return outcome;
    },
    kill,
    async close() {
      closed = true;
      await kill();
      closeSync(log);
    },
  };
}
