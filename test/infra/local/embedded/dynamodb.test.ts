import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AwsCall } from '../../../../infra/local/embedded/authorize.ts';
import { startDynamoDb, type DynamoDb } from '../../../../infra/local/embedded/dynamodb.ts';

const definition = { partitionKey: 'pk', sortKey: 'sk' };
const credentials = { accessKeyId: 'AKIARUN', secretAccessKey: 'x' };

let stateDir: string;
const open: DynamoDb[] = [];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'embedded-dynamodb-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((part) => part.close()));
  await rm(stateDir, { recursive: true });
});

async function start(options: Partial<Parameters<typeof startDynamoDb>[0]> = {}): Promise<[DynamoDb, DynamoDBClient]> {
  const part = await startDynamoDb({ stateDir, ...options });
  open.push(part);
  return [part, new DynamoDBClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 })];
}

const put = (sk: string): PutItemCommand =>
  new PutItemCommand({
    TableName: 'ledger',
    Item: { pk: { S: 'run' }, sk: { S: sk } },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
const get = (sk: string): GetItemCommand =>
  new GetItemCommand({ TableName: 'ledger', Key: { pk: { S: 'run' }, sk: { S: sk } } });

test('a table is created once and keeps its items from one start to the next', async () => {
  const [first, client] = await start();
  await first.ensureTable('ledger', definition);
  await client.send(put('a'));
  await open.splice(0)[0]?.close();
  const [second, again] = await start();
  await second.ensureTable('ledger', definition);
  expect((await again.send(get('a'))).Item).toEqual({ pk: { S: 'run' }, sk: { S: 'a' } });
  await expect(again.send(put('a'))).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
});

test('a state folder in use by another run is refused with one clear error', async () => {
  await start();
  await expect(startDynamoDb({ stateDir })).rejects.toMatchObject({
    name: 'StateInUseError',
    code: 'state-in-use',
    message: `The state folder "${stateDir}" is in use by another run.`,
  });
});

test('items written before the process is killed are there afterwards, and its lock does not hinder', async () => {
  const program = `
    import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
    import { startDynamoDb } from '${new URL('../../../../infra/local/embedded/dynamodb.ts', import.meta.url).href}';
    const part = await startDynamoDb({ stateDir: ${JSON.stringify(stateDir)} });
    await part.ensureTable('ledger', { partitionKey: 'pk', sortKey: 'sk' });
    const client = new DynamoDBClient({ endpoint: part.url, region: 'eu-west-1', credentials: ${JSON.stringify(credentials)} });
    for (let i = 0; i < 50; i++) {
      await client.send(new PutItemCommand({ TableName: 'ledger', Item: { pk: { S: 'run' }, sk: { S: String(i) } } }));
    }
    console.log('written');`;
  const cwd = fileURLToPath(new URL('../../../..', import.meta.url));
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(startDynamoDb({ stateDir })).rejects.toMatchObject({ code: 'state-in-use' });
  child.kill('SIGKILL');
  await once(child, 'close');
  const [, client] = await start();
  for (const sk of ['0', '49']) expect((await client.send(get(sk))).Item).toEqual({ pk: { S: 'run' }, sk: { S: sk } });
});

test('a denied call is answered as IAM denies it; an allowed one passes unchanged', async () => {
  const calls: AwsCall[] = [];
  const [part, client] = await start({
    authorize: (call) => {
      calls.push(call);
      return call.action === 'dynamodb:PutItem' ? true : 'no reading';
    },
  });
  await part.ensureTable('ledger', definition);
  await client.send(put('ü'.repeat(500)));
  await expect(client.send(get('a'))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'AKIARUN is not authorized to perform: dynamodb:GetItem: no reading',
  });
  expect(calls.map(({ accessKeyId, action }) => [accessKeyId, action])).toEqual([
    ['AKIARUN', 'dynamodb:PutItem'],
    ['AKIARUN', 'dynamodb:GetItem'],
  ]);
  expect(calls[1]?.parameters).toEqual({ TableName: 'ledger', Key: { pk: { S: 'run' }, sk: { S: 'a' } } });
});
