import { OutOfTimeError } from '../reporting-service/requests/http.ts';

/** What became of a batch so far. */
export interface Progress<Result> {
  /** In the order in which the items were begun. */
  results: Result[];
  /** The first item that was not begun; `null` where none is left. */
  next: number | null;
  /** Items that the time interrupted; there only where there are any. */
  again?: number[];
}

/**
 * Works through the items `again` and then those from index `from` on, `width` at a time, and stops beginning new ones
 * at `deadline` (milliseconds of `performance.now()`). A worker has a time limit: what it did not get to, or was interrupted at by an
 * `OutOfTimeError`, is asked in a new batch.
 */
export async function collectWithin<Item, Result>(
  items: readonly Item[],
  options: { from: number; again?: readonly number[]; width: number; deadline: number },
  work: (item: Item, isAgain: boolean) => Promise<Result>,
): Promise<Progress<Result>> {
  const { from, again = [], width, deadline } = options;
  const order = [...again, ...Array.from({ length: Math.max(0, items.length - from) }, (_, index) => from + index)];
  const results = new Map<number, Result>();
  const interrupted: number[] = [];
  let place = 0;
  // The first new one is always begun: a batch that gets nowhere would be asked again for ever.
  const mayBegin = (): boolean => place < order.length && (place <= again.length || performance.now() < deadline);
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const index = order[place] ?? 0;
      const isAgain = place < again.length;
      place += 1;
      const item = items[index];
      if (item === undefined) continue;
      try {
        results.set(index, await work(item, isAgain));
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        interrupted.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return {
    results: order.flatMap((index) => {
      const result = results.get(index);
      return result === undefined ? [] : [result];
    }),
    next: place < order.length ? (order[place] ?? null) : null,
    ...(interrupted.length === 0 ? {} : { again: interrupted }),
  };
}
