import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { startDynamoDb } from '../../../../infra/local/emulators/dynamodb.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const credentials = { accessKeyId: 'AKIARUN', secretAccessKey: 'x' };

const item = (sk: string) => ({ pk: { S: 'run' }, sk: { S: sk } });

test('a folder that cannot be used is refused with the system’s own reason, and is not held', async () => {
  const stateDir = temporaryFolder();
  const file = join(stateDir, 'file');
  await writeFile(file, '');
  await expect(startDynamoDb(file)).rejects.toThrow(`"${file}" cannot be used: EEXIST: file already exists`);

  await (await startDynamoDb(stateDir)).close();
  await writeFile(join(stateDir, 'dynamodb', 'CURRENT'), 'MANIFEST-777777\n');
  for (const _again of [1, 2]) {
    await expect(startDynamoDb(stateDir)).rejects.toThrow(/^"[^"]+" cannot be used: .*No such file or directory$/);
  }
});

test('closing waits for the answer to a request, also where its client is gone', async () => {
  const folder = temporaryFolder();
  for (let moment = 0; moment < 40; moment++) {
    const { client, url, close } = await startDynamoDb(folder, 'ledger');
    const writer = new DynamoDBClient({ endpoint: url, region: 'eu-west-1', credentials, maxAttempts: 1 });
    await client.send(new GetItemCommand({ TableName: 'ledger', Key: item('none') }));
    const put = new PutItemCommand({ TableName: 'ledger', Item: item(`at ${moment}`) });
    const write = Promise.allSettled([writer.send(put)]);
    for (let turn = 0; turn < moment; turn++) await new Promise((go) => setImmediate(go));
    await close();
    await write;
    writer.destroy();
  }
});
