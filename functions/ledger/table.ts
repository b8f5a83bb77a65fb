import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
  type AttributeValue,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../domain/failures.ts';
import { inOwnWords } from '../foreign-error.ts';

/** An item as it was read: plain values, not yet parsed. */
export type StoredItem = Readonly<Record<string, unknown>>;

export interface Key {
  pk: string;
  sk: string;
}

/** A write of some attributes of one item, under a condition. */
interface Update {
  /** Attributes to set; those that are undefined stay as they are. */
  set?: Readonly<Record<string, unknown>>;
  remove?: readonly string[];
  /** What attributes have to be: one of several values where a list is given, absent where it is `null` or `undefined`. */
  where?: Readonly<Record<string, unknown>>;
  /** What else has to be so: a DynamoDB condition expression over `#attribute` names and `:value` values. */
  condition?: string;
  values?: Readonly<Record<string, unknown>>;
}

/** The version of the items' shapes: counted up where a release writes or finds an item otherwise. No other one is read. */
const shapeVersion = 3;

/** What DynamoDB takes in one BatchWriteItem, and in one BatchGetItem. */
const writesOfBatch = 25;
const keysOfBatch = 100;
const marshalling = { removeUndefinedValues: true } as const;

/** What DynamoDB says where a partition or the table takes no more for now. It has done nothing then. */
const throttles = new Set(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException']);
/** How long a request that is throttled is tried again, in milliseconds. */
const waitedOutMs = 60_000;

/**
 * The ledger's client: the one place that makes it. All rows of a run are under one key, whose partition takes 1,000 writes a
 * second: what it throttles is waited out, for a minute or more. The client's own ten tries do not last so long, because all
 * its requests share one allowance of retries, which fifty messages on their way use up in seconds.
 */
export function createDynamoDbClient(): DynamoDBClient {
  const client = new DynamoDBClient({ maxAttempts: 10 });
  // It copies every answer without its sensitive parts, for a log that nobody keeps.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => async (args) => {
      const until = performance.now() + waitedOutMs;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await next(args);
        } catch (error) {
          if (performance.now() >= until || !(error instanceof Error) || !throttles.has(error.name)) throw error;
          await backOff(attempt);
        }
      }
    },
    { step: 'initialize', name: 'waitOutThrottling' },
  );
  return inOwnWords(client);
}

export type Table = ReturnType<typeof createTable>;

/**
 * The table `tableName`: the few operations that the ledger's rooms are made of, all on single items, every write at once seen
 * by consistent reads. Every item carries the version of its shape.
 */
export function createTable(client: DynamoDBClient, tableName: string) {
  const writeMany = async (writes: readonly WriteRequest[]): Promise<void> => {
    for (const batch of partsOf(writes, writesOfBatch)) {
      await sendAll(batch, async (open) => {
        const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: open } }));
        return answer.UnprocessedItems?.[tableName];
      });
    }
  };
  return {
    get: async (key: Key): Promise<StoredItem | null> => {
      const request = { TableName: tableName, Key: marshall(key), ConsistentRead: true };
      const { Item } = await client.send(new GetItemCommand(request));
      return Item === undefined ? null : readItem(Item);
    },

    /** Many items at once, in no order; those that do not exist are left out. */
    getMany: async (keys: readonly Key[]): Promise<StoredItem[]> => {
      const items: StoredItem[] = [];
      const marshalled = keys.map((key) => marshall(key));
      await forEachAtOnce(partsOf(marshalled, keysOfBatch), (batch) =>
        sendAll(batch, async (open) => {
          const RequestItems = { [tableName]: { Keys: open, ConsistentRead: true } };
          const answer = await client.send(new BatchGetItemCommand({ RequestItems }));
          for (const item of answer.Responses?.[tableName] ?? []) items.push(readItem(item));
          return answer.UnprocessedKeys?.[tableName]?.Keys;
        }),
      );
      return items;
    },

    /** The items of a partition, in the order of their sort keys: all, those that begin with `prefix`, or those from one key to another. */
    query: async function* (pk: string, range?: { prefix?: string; from?: string; to?: string }) {
      // Sort keys are ASCII without spaces and `~`, and no range begins with an empty one.
      const { prefix = '', from = prefix || ' ', to = `${prefix}~` } = range ?? {};
      const request = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: marshall({ ':pk': pk, ':from': from, ':to': to }),
      };
      for await (const { Items = [] } of paginateQuery({ client }, request)) yield* Items.map(readItem);
    },

    /** Writes an item if there is none under its key; whether it did. */
    insert: (key: Key, attributes: StoredItem): Promise<boolean> => {
      const request = { TableName: tableName, Item: itemOf({ ...attributes, ...key }) };
      const ConditionExpression = 'attribute_not_exists(pk)';
      return succeeded(client.send(new PutItemCommand({ ...request, ConditionExpression })));
    },

    /** Writes items, whatever was there. */
    putMany: (items: ReadonlyArray<Key & StoredItem>): Promise<void> =>
      writeMany(items.map((item) => ({ PutRequest: { Item: itemOf(item) } }))),

    /** Removes items, whether they are there or not. */
    removeMany: (keys: readonly Key[]): Promise<void> =>
      writeMany(keys.map((key) => ({ DeleteRequest: { Key: marshall(key) } }))),

    /** Changes an item; whether it was as it had to be. */
    update: (key: Key, { set = {}, remove = [], where = {}, condition, values = {} }: Update): Promise<boolean> => {
      const assigned = Object.entries({ ...set, v: shapeVersion }).filter(([, value]) => value !== undefined);
      const sets = assigned.map(([name]) => `#${name} = :set_${name}`);
      const removes = remove.map((name) => `#${name}`);
      const wanted = Object.entries(where).map(([name, value]) => ({ name, any: [value ?? []].flat() }));
      const conditions = wanted.map(({ name, any }) =>
        any.length === 0
          ? `attribute_not_exists(#${name})`
          : `#${name} IN (${any.map((_, at) => `:is${at}_${name}`).join()})`,
      );
      if (condition !== undefined) conditions.push(`(${condition})`);
      const named: Record<string, unknown> = Object.fromEntries([
        ...assigned.map(([name, value]) => [`:set_${name}`, value]),
        ...wanted.flatMap(({ name, any }) => any.map((value, at) => [`:is${at}_${name}`, value])),
        ...Object.entries(values),
      ]);
      const names = [...sets, ...removes, ...conditions].flatMap((expression) => expression.match(/#\w+/g) ?? []);
      const request = {
        TableName: tableName,
        Key: marshall(key),
        UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
        ConditionExpression: conditions.join(' AND ') || undefined,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
        ExpressionAttributeValues: marshall(named, marshalling),
      };
      return succeeded(client.send(new UpdateItemCommand(request)));
    },

    /** Removes an item; whether there was one. */
    remove: (key: Key): Promise<boolean> => {
      const request = { TableName: tableName, Key: marshall(key) };
      return succeeded(client.send(new DeleteItemCommand({ ...request, ConditionExpression: 'attribute_exists(pk)' })));
    },
  };
}

/** An item as plain values. Throws a `CodedError` for one that another release wrote, in a shape that this one does not read. */
export function readItem(item: Record<string, AttributeValue>): StoredItem {
  const values = unmarshall(item);
  if (values['v'] === shapeVersion) return values;
  const message =
    `The ledger was written by another release: its items are of version ${String(values['v'])}, and this one reads version ` +
    `${shapeVersion}. Use the release that wrote it, or an empty ledger.`;
  throw new CodedError('ledger-shape', message);
}

function itemOf(item: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  return marshall({ ...item, v: shapeVersion }, marshalling);
}

/** Whether a conditional write was done; a condition that did not hold is an answer, not an error. */
async function succeeded(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Sends a batch, and again what DynamoDB did not process of it, until nothing is left. */
async function sendAll<T>(batch: T[], send: (open: T[]) => Promise<T[] | undefined>): Promise<void> {
  for (let open = batch, attempt = 1; open.length > 0; attempt += 1) {
    open = (await send(open)) ?? [];
    if (open.length > 0) await backOff(attempt);
  }
}

async function backOff(attempt: number): Promise<void> {
  await sleep(Math.random() * Math.min(5_000, 50 * 2 ** attempt));
}

const itemsAtOnce = 25;

/** Does what is to be done for each of many items, some at once. */
export async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const part of partsOf(items, itemsAtOnce)) await Promise.all(part.map(work));
}

/** A list in parts of so many items. */
export function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
