import * as v from 'valibot';

/** Whether a request may go on: it writes nothing, or under no key that has had its writes of this second. */
export type AdmitWrites = (operation: string, parameters: unknown) => boolean;

/** The partition key of the ledger, the one table that is limited. */
const keySchema = v.object({ pk: v.object({ S: v.string() }) });

const ofItem = v.pipe(
  v.object({ Item: keySchema }),
  v.transform(({ Item }) => [Item.pk.S]),
);
const ofKey = v.pipe(
  v.object({ Key: keySchema }),
  v.transform(({ Key }) => [Key.pk.S]),
);
const ofBatch = v.pipe(
  v.object({
    RequestItems: v.record(v.string(), v.array(v.object({ PutRequest: v.object({ Item: keySchema }) }))),
  }),
  v.transform(({ RequestItems }) =>
    Object.values(RequestItems).flatMap((requests) => requests.map(({ PutRequest }) => PutRequest.Item.pk.S)),
  ),
);
const writes = { PutItem: ofItem, UpdateItem: ofKey, DeleteItem: ofKey, BatchWriteItem: ofBatch } as const;

/** The partition key of each item that a request writes, in the order of the items. Empty for what only reads. */
export function keysWritten(operation: string, parameters: unknown): string[] {
  return isWrite(operation) ? v.parse(writes[operation], parameters) : [];
}

function isWrite(operation: string): operation is keyof typeof writes {
  return Object.hasOwn(writes, operation);
}

/**
 * Takes `perSecond` writes under one partition key in any second, as a partition of DynamoDB takes 1,000. A condition that
 * fails is a write too, and a write counts once whatever its size. A batch is taken or refused whole.
 */
export function limitWrites(perSecond: number): AdmitWrites {
  const taken = new Map<string, number[]>();
  return (operation, parameters) => {
    const now = performance.now();
    const keys = keysWritten(operation, parameters);
    for (const key of new Set(keys)) {
      const lately = (taken.get(key) ?? []).filter((at) => at > now - 1_000);
      if (lately.length >= perSecond) return false;
      taken.set(key, lately);
    }
    for (const key of keys) taken.get(key)?.push(now);
    return true;
  };
}
