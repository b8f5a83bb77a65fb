import { OutOfTimeError } from '../reporting-service/requests/request.ts';
import type { BatchResponse } from './protocol.ts';

/**
 * Works through the `interrupted` items of an earlier worker and then those from index `from` on, `width` at a time, and
 * begins no further one after `deadline` (milliseconds of `performance.now()`). A worker has a time limit: the items that
 * it did not begin, or that an `OutOfTimeError` interrupted, are left to another one.
 */
export async function workWithin<Item>(
  items: readonly Item[],
  options: { from: number; interrupted?: readonly number[]; width: number; deadline: number },
  work: (item: Item, wasInterrupted: boolean) => Promise<void>,
): Promise<BatchResponse> {
  const { from, interrupted: before = [], width, deadline } = options;
  const fresh = Array.from({ length: Math.max(0, items.length - from) }, (_, index) => from + index);
  const queue = [...before, ...fresh];
  const interrupted: number[] = [];
  let asked = 0;
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
        await work(item, wasInterrupted);
        asked += 1;
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        interrupted.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const next = queue[place] ?? items.length;
  return { asked, left: next === items.length && interrupted.length === 0 ? null : { from: next, interrupted } };
}
