import { readdir, readFile } from 'node:fs/promises';
import type { Event } from '@aws-sdk/client-lambda';

/** When an operation of a durable execution began and ended, in epoch milliseconds. */
export interface OperationTimes {
  startedAt: number;
  endedAt: number;
}

/** The operations of an execution by their names, in the order they began. */
export function operationTimes(history: readonly Event[]): Map<string, OperationTimes> {
  const times = new Map<string, OperationTimes>();
  for (const { Name: name, EventType: type = '', EventTimestamp: at } of history) {
    if (name === undefined || at === undefined) continue;
    const instant = new Date(at).getTime();
    const known = times.get(name);
    if (known === undefined) times.set(name, { startedAt: instant, endedAt: instant });
    else if (!type.endsWith('Started')) known.endedAt = Math.max(known.endedAt, instant);
  }
  return times;
}

/** Memory and processor time of a function's process so far. */
export interface FunctionProcessUse {
  /** Peak resident memory in MiB. */
  peakMiB: number;
  /** Processor time in milliseconds. */
  cpuMs: number;
}

/** Linux counts processor time in hundredths of a second. */
const msOfTick = 10;

/** The processes of a function that this process has started, by Linux's proc(5); none where there is no /proc. */
export async function functionProcesses(functionName: string): Promise<FunctionProcessUse[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found: FunctionProcessUse[] = [];
  for (const id of ids) {
    const status = await readOrNothing(`/proc/${id}/status`);
    if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== process.pid) continue;
    const environment = await readOrNothing(`/proc/${id}/environ`);
    if (!environment.split('\0').includes(`AWS_LAMBDA_FUNCTION_NAME=${functionName}`)) continue;
    const kibibytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    // After the name, which is in parentheses and may hold anything, the 12th and 13th fields are the two times.
    const fields = (await readOrNothing(`/proc/${id}/stat`)).replace(/^.*\) /s, '').split(' ');
    found.push({ peakMiB: kibibytes / 1024, cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * msOfTick });
  }
  return found;
}

/** The largest peak of several processes, and their processor time in all. */
export function sumOf(processes: readonly FunctionProcessUse[]): FunctionProcessUse {
  return {
    peakMiB: Math.max(0, ...processes.map(({ peakMiB }) => peakMiB)),
    cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

/** A process may be gone by the time it is looked at. */
async function readOrNothing(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
