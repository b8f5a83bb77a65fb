import { OutOfTimeError } from '../reporting-service/requests/request.ts';

/**
 * Works through items, `width` at a time, and begins no further one after `deadline` (milliseconds of `performance.now()`). Gives how
 * many were done, and whether all were: a worker has a time limit, and what it did not begin, or an `OutOfTimeError` interrupted, is
 * left to another one. The first is always begun, since without any progress there would be workers without end.
 */
export async function workWithin<Item>(
  items: readonly Item[],
  { width, deadline }: { width: number; deadline: number },
  work: (item: Item) => Promise<void>,
): Promise<{ done: number; isDone: boolean }> {
  let [place, done] = [0, 0];
  const lane = async (): Promise<void> => {
    while (place === 0 || performance.now() < deadline) {
      const item = items[place];
      if (item === undefined) return;
      place += 1;
      try {
        await work(item);
        done += 1;
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return { done, isDone: done === items.length };
}
