import type { Table } from '../../../../functions/ledger/table.ts';

/** Two that work on one table at once, and whose turn it is at each of their operations. */
export interface Turns {
  first: Table;
  second: Table;
  /** Says that one of them has come to its end: the other does not wait for it any more. */
  ended: (who: 'first' | 'second') => void;
}

/** Has two take turns at a table in this order, an operation each. When the order is used up, nobody waits. */
export function takeTurns(table: Table, order: ReadonlyArray<'first' | 'second'>): Turns {
  const left = [...order];
  const over = new Set<string>();
  let changed = Promise.withResolvers<void>();
  const next = (): void => {
    while (left[0] !== undefined && over.has(left[0])) left.shift();
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const turnOf = async (who: 'first' | 'second'): Promise<void> => {
    while (left[0] !== undefined && left[0] !== who) await changed.promise;
  };
  const view = (who: 'first' | 'second'): Table => {
    const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
      await turnOf(who);
      try {
        return await work();
      } finally {
        left.shift();
        next();
      }
    };
    return {
      get: (key) => inTurn(() => table.get(key)),
      getMany: (keys) => inTurn(() => table.getMany(keys)),
      insert: (key, attributes) => inTurn(() => table.insert(key, attributes)),
      putMany: (items) => inTurn(() => table.putMany(items)),
      update: (key, update) => inTurn(() => table.update(key, update)),
      remove: (key) => inTurn(() => table.remove(key)),
      query: async function* (pk, range) {
        yield* await inTurn(async () => {
          const items = [];
          for await (const item of table.query(pk, range)) items.push(item);
          return items;
        });
      },
    };
  };
  return {
    first: view('first'),
    second: view('second'),
    ended: (who) => {
      over.add(who);
      next();
    },
  };
}
