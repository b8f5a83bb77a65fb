import { BatchGetItemCommand, DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { createTable } from '../../../functions/ledger/table.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();

const sks = async (pk: string, range?: Parameters<typeof ledger.table.query>[1]) =>
  (await Array.fromAsync(ledger.table.query(pk, range))).map(({ sk }) => sk);

test('an item carries the version of its shape, and nothing that is undefined; an insert leaves what is there', async () => {
  const key = { pk: 'SHAPE', sk: 'a' };
  expect(await ledger.table.insert(key, { some: 'text', none: undefined, list: [1, null] })).toBe(true);
  expect(await ledger.table.insert(key, { some: 'other text' })).toBe(false);
  expect(await ledger.table.get(key)).toEqual({ ...key, some: 'text', list: [1, null], v: 3 });
  expect(await ledger.table.get({ pk: 'SHAPE', sk: 'b' })).toBeNull();
});

test('an item that another release wrote is refused in one sentence, however it is read', async () => {
  const key = { pk: 'OTHER', sk: 'a' };
  await ledger.client.send(new PutItemCommand({ TableName: 'ledger', Item: marshall({ ...key, v: 1 }) }));
  const reads = [() => ledger.table.get(key), () => ledger.table.getMany([key]), () => sks('OTHER', { prefix: 'a' })];
  for (const read of reads) {
    await expect(read()).rejects.toThrow(
      'The ledger was written by another release: its items are of version 1, and this one reads version 3. ' +
        'Use the release that wrote it, or an empty ledger.',
    );
  }
});

test.each([
  [{ where: { state: 'planned' } }, { where: { state: 'done' } }],
  [{ where: { state: ['failed', 'planned'] } }, { where: { state: [] } }],
  [{ where: { state: 'planned', year: null } }, { where: { state: 'planned', name: undefined } }],
  [
    { where: { name: 'old' }, condition: '#state = :a OR #error = :a', values: { ':a': 'planned' } },
    { where: { name: 'new' }, condition: '#state = :a OR #error = :a', values: { ':a': 'planned' } },
  ],
])('an update sets and removes attributes where the item is %j, not %j, whatever their names', async (so, other) => {
  const key = { pk: 'UPDATE', sk: 'a' };
  await ledger.table.putMany([{ ...key, state: 'planned', error: 'x', name: 'old' }]);
  const change = { set: { state: 'done', name: 'new' }, remove: ['error'] };
  expect(await ledger.table.update(key, { ...change, ...other })).toBe(false);
  expect(await ledger.table.update(key, { ...change, ...so })).toBe(true);
  expect(await ledger.table.get(key)).toEqual({ ...key, state: 'done', name: 'new', v: 3 });
});

test('a query reads its partition in the order of the keys, all of it, by prefix or between two, both included', async () => {
  await ledger.table.putMany(['A#1', 'A#2', 'B#1', 'B#2', 'C'].map((sk) => ({ pk: 'QUERY', sk })));
  await ledger.table.putMany([{ pk: 'QUERY2', sk: 'A#3' }]);
  expect(await sks('QUERY', { prefix: 'A#' })).toEqual(['A#1', 'A#2']);
  expect(await sks('QUERY', { from: 'A#2', to: 'B#2' })).toEqual(['A#2', 'B#1', 'B#2']);
  expect(await sks('QUERY', { prefix: 'B#', from: 'B#1~' })).toEqual(['B#2']);
  expect(await sks('QUERY', { prefix: 'D' })).toEqual([]);
  expect(await sks('QUERY')).toEqual(['A#1', 'A#2', 'B#1', 'B#2', 'C']);
});

test('a query of more than one answer holds reads on to the end', async () => {
  const body = 'x'.repeat(300_000);
  for (let n = 0; n < 8; n += 1) await ledger.table.putMany([{ pk: 'LONG', sk: String(n), body }]);
  expect(await sks('LONG', { from: '0', to: '9' })).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
});

const item = (n: number) => marshall({ pk: 'P', sk: String(n), v: 3 });

describe('a table that DynamoDB throttles', () => {
  const throttled = new DynamoDBClient({ region: 'eu-west-1' });
  const client = mockClient(throttled);
  const table = createTable(throttled, 'ledger');

  test('is asked again for the keys that it left open', async () => {
    client
      .on(BatchGetItemCommand)
      .resolvesOnce({ Responses: { ledger: [item(1)] }, UnprocessedKeys: { ledger: { Keys: [item(2)] } } })
      .resolves({ Responses: { ledger: [item(2)] } });
    const keys = [1, 2].map((n) => ({ pk: 'P', sk: String(n) }));
    expect(await table.getMany(keys)).toEqual([item(1), item(2)].map((stored) => unmarshall(stored)));
    expect(client.commandCalls(BatchGetItemCommand)[1]?.args[0].input.RequestItems).toEqual({
      ledger: { Keys: [item(2)], ConsistentRead: true },
    });
  });

  test('fails where it fails: only a condition that does not hold is an answer', async () => {
    client.on(UpdateItemCommand).rejects(new Error('Requests to the table are throttled'));
    await expect(table.update({ pk: 'P', sk: '1' }, { set: { n: 1 } })).rejects.toThrow('throttled');
  });
});
