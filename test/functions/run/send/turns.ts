import type { Table } from '../../../../functions/ledger/table.ts';

/** Two views of one table for two writers that take turns. */
export interface Turns {
  first: Table;
  second: Table;
  /** Ends one of them: the other does not wait for it any more. */
  ended: (who: 'first' | 'second') => void;
}

/** Has two writers take turns at a table, an operation each, in this sequence. After its end nobody waits. */
export function takeTurns(table: Table, sequence: ReadonlyArray<'first' | 'second'>): Turns {
  const left = [...sequence];
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
