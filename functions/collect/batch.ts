import { OutOfTimeError } from '../reporting-service/requests/http.ts';

/** How far a worker got with a batch. */
interface BatchProgress<Result> {
  /** In the order in which the items were begun. */
  results: Result[];
  /** The first item that was not begun; `null` where all were. */
  next: number | null;
  /** Items that were begun and not finished when the time was up. */
  interrupted: number[];
}

/**
 * Works through the `interrupted` items of an earlier worker and then those from index `from` on, `width` at a time, and
 * begins no further one after `deadline` (milliseconds of `performance.now()`). A worker has a time limit: the items that
 * it did not begin, or that an `OutOfTimeError` interrupted, are left to another one.
 */
export async function collectWithin<Item, Result>(
  items: readonly Item[],
  options: { from: number; interrupted?: readonly number[]; width: number; deadline: number },
  work: (item: Item, wasInterrupted: boolean) => Promise<Result>,
): Promise<BatchProgress<Result>> {
  const { from, interrupted: before = [], width, deadline } = options;
  const fresh = Array.from({ length: Math.max(0, items.length - from) }, (_, index) => from + index);
  const queue = [...before, ...fresh];
  const results = new Map<number, Result>();
  const interrupted: number[] = [];
  let place = 0;
  // The first fresh one is always begun: a batch without any progress would be asked for without end.
  const mayBegin = (): boolean => place < queue.length && (place <= before.length || performance.now() < deadline);
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const index = queue[place] ?? 0;
      const wasInterrupted = place < before.length;
      place += 1;
      const item = items[index];
      if (item === undefined) continue;
      try {
        results.set(index, await work(item, wasInterrupted));
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        interrupted.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return {
    results: queue.flatMap((index) => {
      const result = results.get(index);
      return result === undefined ? [] : [result];
    }),
    next: place < queue.length ? (queue[place] ?? null) : null,
    interrupted,
  };
}
