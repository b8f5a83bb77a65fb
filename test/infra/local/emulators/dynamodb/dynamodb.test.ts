import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AwsCall } from '../../../../../infra/local/emulators/authorize.ts';
import { startDynamoDb, type DynamoDb } from '../../../../../infra/local/emulators/dynamodb/dynamodb.ts';

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

test.each([
  { what: 'a log overwritten in its middle', file: /\.log$/, damage: (bytes: Buffer) => bytes.fill('x', 200, 240) },
  { what: 'a log overwritten at its head', file: /\.log$/, damage: (bytes: Buffer) => bytes.fill('x', 0, 40) },
  { what: 'an empty CURRENT', file: /^CURRENT$/, damage: () => Buffer.alloc(0) },
  { what: 'a CURRENT that names no file', file: /^CURRENT$/, damage: () => Buffer.from('MANIFEST-777777\n') },
  { what: 'an overwritten MANIFEST', file: /^MANIFEST/, damage: (bytes: Buffer) => bytes.fill('x', 8, 30) },
  { what: 'an empty MANIFEST', file: /^MANIFEST/, damage: () => Buffer.alloc(0) },
  { what: 'no CURRENT', file: /^CURRENT$/, damage: null },
])('$what: the ledger is refused, nothing is written, and the folder is not held', async ({ file, damage }) => {
  const [first, client] = await start();
  await first.ensureTable('ledger', definition);
  await Promise.all(Array.from({ length: 300 }, (_, index) => client.send(put(String(index)))));
  await open.splice(0)[0]?.close();
  const folder = join(stateDir, 'dynamodb');
  const names = await readdir(folder);
  for (const name of names.filter((each) => file.test(each))) {
    const path = join(folder, name);
    if (damage === null) await rm(path);
    else await writeFile(path, damage(await readFile(path)));
  }
  const before = await contentsOf(folder);
  const failure = {
    code: 'storage',
    message:
      `The ledger's files in "${stateDir}" are damaged or missing. Move the folder away or delete it; ` +
      'without it there is no record of what was mailed, so a run may be mailed again.',
  };
  for (const _again of [1, 2]) await expect(startDynamoDb({ stateDir })).rejects.toMatchObject(failure);
  expect(await contentsOf(folder)).toEqual(before);
});

/** The files that hold what was written. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('LO')).toSorted();
  const read = async (name: string): Promise<[string, string]> => [name, await readFile(join(folder, name), 'hex')];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

test('a log that ends in the middle of a record is what a killed process leaves: the ledger opens without that record', async () => {
  const [first, client] = await start();
  await first.ensureTable('ledger', definition);
  for (const sk of ['a', 'b']) await client.send(put(sk));
  await open.splice(0)[0]?.close();
  const name = (await readdir(join(stateDir, 'dynamodb'))).find((each) => each.endsWith('.log')) ?? '';
  const log = join(stateDir, 'dynamodb', name);
  await writeFile(log, (await readFile(log)).subarray(0, -3));
  const [, again] = await start();
  expect((await again.send(get('a'))).Item).toBeDefined();
  expect((await again.send(get('b'))).Item).toBeUndefined();
});

test('a folder that is a file is refused with what to do', async () => {
  const file = join(stateDir, 'file');
  await writeFile(file, '');
  await expect(startDynamoDb({ stateDir: file })).rejects.toMatchObject({
    message: `"${file}" cannot be used as a folder: a file is in the way. Move the file away, or name another folder.`,
  });
});

test('items written before the process is killed are there afterwards, and its lock does not hinder', async () => {
  const program = `
    import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
    import { startDynamoDb } from '${new URL('../../../../../infra/local/emulators/dynamodb/dynamodb.ts', import.meta.url).href}';
    const part = await startDynamoDb({ stateDir: ${JSON.stringify(stateDir)} });
    await part.ensureTable('ledger', { partitionKey: 'pk', sortKey: 'sk' });
    const client = new DynamoDBClient({ endpoint: part.url, region: 'eu-west-1', credentials: ${JSON.stringify(credentials)} });
    for (let i = 0; i < 50; i++) {
      await client.send(new PutItemCommand({ TableName: 'ledger', Item: { pk: { S: 'run' }, sk: { S: String(i) } } }));
    }
    console.log('written');`;
  const cwd = fileURLToPath(new URL('../../../../..', import.meta.url));
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

test('closing waits for the answer to a request, also where its client is gone', async () => {
  for (let moment = 0; moment < 40; moment++) {
    const [part, client] = await start();
    await part.ensureTable('ledger', definition);
    await client.send(get('none'));
    const write = Promise.allSettled([client.send(put(`at ${moment}`))]);
    for (let turn = 0; turn < moment; turn++) await new Promise((resolve) => setImmediate(resolve));
    await open.splice(0)[0]?.close();
    await write;
  }
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

test('writes above the limit of a partition key are throttled in DynamoDB’s words, those under other keys and reads are not', async () => {
  const [part, client] = await start({ writesPerKey: 3 });
  await part.ensureTable('ledger', definition);
  await client.send(put('a'));
  await client.send(new BatchWriteItemCommand({ RequestItems: { ledger: [putRequest('b')] } }));
  // A condition that fails is a write too.
  await expect(client.send(put('a'))).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  await throttled(client.send(put('c')));
  await throttled(client.send(new DeleteItemCommand({ TableName: 'ledger', Key: keyOf('run', 'a') })));
  await throttled(client.send(new BatchWriteItemCommand({ RequestItems: { ledger: [putRequest('c')] } })));
  expect((await client.send(get('c'))).Item).toBeUndefined();
  await client.send(new PutItemCommand({ TableName: 'ledger', Item: keyOf('other', 'a') }));
  await sleep(1_050);
  await client.send(put('c'));
  expect((await client.send(get('c'))).Item).toBeDefined();
});

function throttled(write: Promise<unknown>): Promise<void> {
  return expect(write).rejects.toBeInstanceOf(ThrottlingException);
}

function keyOf(pk: string, sk: string) {
  return { pk: { S: pk }, sk: { S: sk } };
}

function putRequest(sk: string) {
  return { PutRequest: { Item: keyOf('run', sk) } };
}
