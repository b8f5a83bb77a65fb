import type { Table } from '../../functions/ledger/table.ts';

/** A table that fails at its write of this number, from 1, and at all later ones, as if the command that writes were killed. */
export function interruptedAt(table: Table, write: number): Table {
  let writes = 0;
  return new Proxy(table, {
    get: (of, name: keyof Table) => {
      if (['insert', 'update', 'remove', 'putMany'].includes(name)) writes += 1;
      if (writes >= write) throw new Error('interrupted');
      return of[name];
    },
  });
}
