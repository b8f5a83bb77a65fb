import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateInUseError } from '../../../../infra/local/state-folder.ts';
import { openLedger, type LocalLedger } from '../../../../infra/local/emulators/dynamodb.ts';

const credentials = { accessKeyId: 'AKIARUN', secretAccessKey: 'x' };

let stateDir: string;
const open: LocalLedger[] = [];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'embedded-dynamodb-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((part) => part.close()));
  await rm(stateDir, { recursive: true });
});

async function start(): Promise<LocalLedger> {
  const ledger = await openLedger(stateDir, 'ledger');
  open.push(ledger);
  return ledger;
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
  const { client } = await start();
  await client.send(put('a'));
  await open.splice(0)[0]?.close();
  const again = await start();
  expect((await again.client.send(get('a'))).Item).toEqual({ pk: { S: 'run' }, sk: { S: 'a' } });
  await expect(again.client.send(put('a'))).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
});

test('a state folder in use by another run is refused with one clear error', async () => {
  await start();
  await expect(openLedger(stateDir)).rejects.toEqual(
    new StateInUseError(`The state folder "${stateDir}" is in use by another run.`),
  );
});

test('a folder that cannot be used is refused with the system’s own reason, and is not held', async () => {
  const file = join(stateDir, 'file');
  await writeFile(file, '');
  await expect(openLedger(file)).rejects.toThrow(`"${file}" cannot be used: EEXIST: file already exists`);

  await start();
  await open.splice(0)[0]?.close();
  await writeFile(join(stateDir, 'dynamodb', 'CURRENT'), 'MANIFEST-777777\n');
  for (const _again of [1, 2]) {
    await expect(openLedger(stateDir)).rejects.toThrow(/^"[^"]+" cannot be used: .*No such file or directory$/);
  }
});

test('items written before the process is killed are there afterwards, and its lock does not hinder', async () => {
  const program = `
    import { PutItemCommand } from '@aws-sdk/client-dynamodb';
    import { openLedger } from './infra/local/emulators/dynamodb.ts';
    const { client } = await openLedger(${JSON.stringify(stateDir)}, 'ledger');
    for (let i = 0; i < 50; i++) {
      await client.send(new PutItemCommand({ TableName: 'ledger', Item: { pk: { S: 'run' }, sk: { S: String(i) } } }));
    }
    console.log('written');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: resolve(import.meta.dirname, '../../../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(openLedger(stateDir)).rejects.toBeInstanceOf(StateInUseError);
  child.kill('SIGKILL');
  await once(child, 'close');
  const { client } = await start();
  for (const sk of ['0', '49']) expect((await client.send(get(sk))).Item).toEqual({ pk: { S: 'run' }, sk: { S: sk } });
});

test('closing waits for the answer to a request, also where its client is gone', async () => {
  for (let moment = 0; moment < 40; moment++) {
    const { client, url } = await start();
    const own = new DynamoDBClient({ endpoint: url, region: 'eu-west-1', credentials, maxAttempts: 1 });
    await client.send(get('none'));
    const write = Promise.allSettled([own.send(put(`at ${moment}`))]);
    for (let turn = 0; turn < moment; turn++) await new Promise((go) => setImmediate(go));
    await open.splice(0)[0]?.close();
    await write;
    own.destroy();
  }
});
