import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
  });
const get = (sk: string): GetItemCommand =>
  new GetItemCommand({ TableName: 'ledger', Key: { pk: { S: 'run' }, sk: { S: sk } } });

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
