import type { Worker } from 'node:worker_threads';
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

/** What the functions' threads of this process have taken so far. */
export interface ThreadsUse {
  /** The most that their heaps, and what these hold outside of them, took together, in MiB. */
  peakMiB: number;
  /** Processor time in milliseconds. */
  cpuMs: number;
}

const sampleMs = 20;
const mebibyte = 1024 * 1024;

/** Watches the threads that this process starts from now on, and gives what they took. */
export function watchThreads(): () => ThreadsUse {
  const threads = new Map<Worker, { bytes: number; cpuMs: number }>();
  let peak = 0;
  process.on('worker', (thread) => {
    threads.set(thread, { bytes: 0, cpuMs: 0 });
    thread.once('exit', () => threads.set(thread, { bytes: 0, cpuMs: threads.get(thread)?.cpuMs ?? 0 }));
  });
  const look = async (): Promise<void> => {
    for (const [thread] of threads) {
      if (thread.threadId === -1) continue;
      const [heap, { user, system }] = await Promise.all([thread.getHeapStatistics(), thread.cpuUsage()]);
      threads.set(thread, {
        bytes: heap.total_physical_size + heap.external_memory,
        cpuMs: (user + system) / 1000,
      });
    }
    peak = Math.max(peak, sumOf([...threads.values()].map(({ bytes }) => bytes)));
  };
  // A thread may be gone by the time it is looked at.
  setInterval(() => void look().catch(() => undefined), sampleMs).unref();
  return () => ({ peakMiB: peak / mebibyte, cpuMs: sumOf([...threads.values()].map(({ cpuMs }) => cpuMs)) });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
