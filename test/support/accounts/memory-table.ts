import type { Key, StoredItem, Table } from '../../../functions/ledger/table.ts';

/** The ledger's table in memory, as far as observing and composing use it: thousands of accounts have one each. */
export function createMemoryTable(): Table {
  const partitions = new Map<string, Map<string, StoredItem>>();
  const find = ({ pk, sk }: Key): StoredItem | null => partitions.get(pk)?.get(sk) ?? null;
  const put = ({ pk, sk }: Key, item: StoredItem): void => {
    const partition = partitions.get(pk) ?? new Map<string, StoredItem>();
    partitions.set(pk, partition.set(sk, { ...item, pk, sk }));
  };
  const remove = ({ pk, sk }: Key): boolean => partitions.get(pk)?.delete(sk) ?? false;
  return {
    get: async (key) => find(key),
    getMany: async (keys) => keys.map(find).filter((item) => item !== null),
    query: async function* (pk, { prefix = '', from = prefix, to = `${prefix}~` } = {}) {
      const sorted = [...(partitions.get(pk) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const [sk, item] of sorted) if (sk >= from && sk <= to) yield item;
    },
    insert: async (key, item) => {
      if (find(key) !== null) return false;
      put(key, item);
      return true;
    },
    putMany: async (items) => {
      for (const item of items) put(item, item);
    },
    removeMany: async (keys) => {
      for (const key of keys) remove(key);
    },
    update: async (key, { set = {}, remove: removed = [], condition, values = {} }) => {
      const item = find(key) ?? {};
      const isMet = (parts: string): boolean => parts.split(' AND ').every((part) => holds(part, item, values));
      if (condition?.split(' OR ').some(isMet) === false) return false;
      const changes = Object.entries(set).filter(([, value]) => value !== undefined);
      const kept = Object.entries(item).filter(([name]) => !removed.includes(name));
      put(key, Object.fromEntries([...kept, ...changes]));
      return true;
    },
    remove: async (key) => remove(key),
  };
}

/** Whether one part of a condition holds: that an attribute is absent, or has a value. */
function holds(part: string, item: StoredItem, values: Readonly<Record<string, unknown>>): boolean {
  const [, absent] = /^attribute_not_exists\(#(\w+)\)$/.exec(part) ?? [];
  if (absent !== undefined) return item[absent] === undefined;
  const [, name = '', value = ''] = /^#(\w+) = (:\w+)$/.exec(part) ?? [];
  if (!(value in values)) throw new Error(`The table in memory reads no condition such as "${part}".`);
  return item[name] === values[value];
}
