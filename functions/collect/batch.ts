/**
 * Works through `items` from index `from` on, `width` at a time, and stops beginning new ones at `deadline` (epoch
 * milliseconds). Gives the results in the order of the items, and the index of the first item not begun, or `null` where
 * none is left: a worker has a time limit, and what it did not get to is asked in a new batch.
 */
export async function workThrough<Item, Result>(
  items: readonly Item[],
  options: { from: number; width: number; deadline: number },
  work: (item: Item) => Promise<Result>,
): Promise<{ results: Result[]; next: number | null }> {
  const results: Result[] = [];
  let next = options.from;
  const lane = async (): Promise<void> => {
    // The first one is always begun: a batch that gets nowhere would be asked again for ever.
    for (; next < items.length && (next === options.from || Date.now() < options.deadline);) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item !== undefined) results[index - options.from] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: options.width }, lane));
  return { results, next: next < items.length ? next : null };
}
