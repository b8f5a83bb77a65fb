import type { StoredItem, Table } from '../../../functions/ledger/table.ts';

/** The ledger's table in memory, as far as collecting and composing use it: thousands of cases have one each. */
export function createMemoryTable(): Table {
  const partitions = new Map<string, Map<string, StoredItem>>();
  const find = ({ pk, sk }: { pk: string; sk: string }): StoredItem | null => partitions.get(pk)?.get(sk) ?? null;
  const readPartition = (pk: string): Promise<Array<[sk: string, item: StoredItem]>> =>
    Promise.resolve([...(partitions.get(pk) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    get: (key) => Promise.resolve(find(key)),
    getMany: (keys) => Promise.resolve(keys.map(find).filter((item) => item !== null)),
    query: async function* (pk, { prefix = '', from = prefix, to = `${prefix}~` } = {}) {
      for (const [sk, item] of await readPartition(pk)) if (sk >= from && sk <= to) yield item;
    },
    putMany: (items) => {
      for (const item of items) {
        const partition = partitions.get(item.pk) ?? new Map<string, StoredItem>();
        partitions.set(item.pk, partition.set(item.sk, item));
      }
      return Promise.resolve();
    },
    removeMany: refuse,
    insert: refuse,
    update: refuse,
    remove: refuse,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('Collecting and composing write no item under a condition.'));
}
