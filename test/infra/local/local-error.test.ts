import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const repository = resolve(import.meta.dirname, '../../..');

const folder = temporaryFolder();

/** Runs a program in whose process no file can grow beyond some ten kilobytes, as on a disk that is full. */
function runOnFullDisk(program: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const prelude = `
    import { endOnStorageFailure } from './infra/local/local-error.ts';
    endOnStorageFailure();`;
  const args = ['-c', 'ulimit -f 20; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', prelude + program];
  const child = spawn('sh', args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((settle, reject) => {
    child.once('error', reject).once('close', (code) => settle({ code, stdout, stderr }));
  });
}

const writeTables = (count: number): string => `
  import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
  import { openLedger } from './infra/local/emulators/dynamodb.ts';
  const { client, close } = await openLedger(${JSON.stringify(folder)}, 'ledger');
  const put = (i) => client.send(new PutItemCommand({
    TableName: 'ledger',
    Item: { pk: { S: 'run' }, sk: { S: String(i) }, text: { S: 'x'.repeat(300) } },
  }));
  for (let i = 0; i < ${count}; i += 5) await Promise.all([0, 1, 2, 3, 4].map((j) => put(i + j)));
  const { Count } = await client.send(new ScanCommand({ TableName: 'ledger', Select: 'COUNT' }));
  console.log(Count);
  await close();`;

test('a ledger whose disk is full ends the command in one sentence, and the next one finds what was written', async () => {
  const full = await runOnFullDisk(writeTables(500));
  expect(full).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The ledger cannot be used: IO error: [^:]+\/dynamodb\/\d+\.log: File too large\n$/),
  });
  const next = await runOnFullDisk(writeTables(0));
  expect(next).toMatchObject({ code: 0, stderr: '' });
  expect(Number(next.stdout)).toBeGreaterThan(5);
});

test('an outbox whose disk is full ends the command in one sentence, and no half a mail is accepted', async () => {
  const ended = await runOnFullDisk(`
    import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
    import { startSes } from './infra/local/emulators/ses.ts';
    const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
    const outDir = ${JSON.stringify(join(folder, 'out'))};
    const part = await startSes({ outDir, stateDir: ${JSON.stringify(folder)} });
    const client = new SESClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 });
    const mail = 'From: canary@example.com\\r\\nTo: canary@example.com\\r\\nSubject: x\\r\\n\\r\\n' + 'text\\r\\n'.repeat(9_000);
    await client.send(new SendRawEmailCommand({
      Source: 'canary@example.com',
      Destinations: ['canary@example.com'],
      ConfigurationSetName: 'digest',
      RawMessage: { Data: Buffer.from(mail) },
    }));`);
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: `"${join(folder, 'out')}" cannot be used: EFBIG: file too large, write\n`,
  });
  expect((await readdir(join(folder, 'out'))).filter((name) => name.endsWith('.eml'))).toEqual([]);
});
