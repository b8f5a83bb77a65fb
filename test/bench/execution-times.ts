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
