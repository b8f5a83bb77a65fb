import { randomUUID } from 'node:crypto';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveOnLoopback, type Loopback } from '../../infra/local/emulators/loopback.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { startAwsStandIn, type AwsStandIn } from '../support/aws-stand-in.ts';
import { environmentOf, runStart } from '../support/commands.ts';
import {
  createFolders,
  namesIn,
  readMails,
  readDigestFile,
  readReceiptFile,
  type Folders,
} from '../support/start-folders.ts';

const at = '2026-11-09T08:00:00Z';
const nextMonday = '2026-11-16T08:00:00Z';
const configured = ['ada@example.com', 'alan@example.com', 'grace@example.com'];

let folders: Folders;
let account: SampleAccount;
let emulator: AwsStandIn;
let trap: Loopback;
let trapped: string[];

beforeEach(async () => {
  folders = createFolders();
  // Another client each time: an emulator that goes on running has another ledger for it.
  const credentials = { id: randomUUID(), secret: 'canary-secret' };
  account = await startSampleAccount({ asOf: nextMonday, credentials });
  emulator = await startAwsStandIn();
  trapped = [];
  trap = await serveOnLoopback(({ method, url }) => {
    trapped.push(`${method} ${url}`);
    return { status: 500, headers: {}, body: '' };
  });
});
afterEach(async () => {
  await Promise.all([account.close(), emulator.close(), trap.close()]);
});

function call(...flags: string[]) {
  const strays = ['', '_DYNAMODB', '_SES', '_SESV2', '_SECRETS_MANAGER', '_LAMBDA', '_STS'];
  const environment = {
    ...environmentOf(account),
    ...Object.fromEntries(strays.map((service) => [`AWS_ENDPOINT_URL${service}`, trap.url])),
    AWS_ACCESS_KEY_ID: 'AKIAREALANDSECRET000',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_PROFILE: 'nobody',
    AWS_REGION: 'us-west-2',
  };
  return runStart([...flags, '--service-url', account.url, ...folders.flags], { environment });
}

/** Runs twice, then without sending, for the same week and the next. */
async function runOn(url: string): Promise<void> {
  const first = await call('--aws-endpoint', url, '--at', at);
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Running/) });
  expect(first.stdout).toContain(`The mails are in the AWS emulator at ${url}`);
  const sent = await readReceiptFile(folders);
  expect(sent.balance).toMatchObject({ intended: 3, sent: 3, sentNow: 3, balanced: true });
  expect(await namesIn(folders.out)).toEqual(['digest.json', 'receipt.json']);

  const asked = account.requests.length;
  const second = await call('--aws-endpoint', url, '--at', at);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('Nothing is left to send.');
  expect((await readReceiptFile(folders)).messages).toEqual(sent.messages);
  expect(account.requests.length).toBe(asked);

  const rehearsed = await call('--aws-endpoint', url, '--at', nextMonday, '--dry-run');
  expect(rehearsed.code).toBe(0);
  expect((await readMails(`${folders.out}/planned`)).map(({ to }) => to)).toEqual(configured);
  // The copy has the ledger's past: the week before is compared with.
  expect((await readDigestFile(folders)).totals.comparison).toEqual({ basis: 'kept' });
  expect((await readReceiptFile(folders)).coverage.requests).not.toEqual({});
  expect(await tablesAt(url)).not.toContainEqual(expect.stringMatching(/dry-run$/));
  expect(trapped).toEqual([]);
}

async function tablesAt(endpoint: string): Promise<string[]> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

describe('--aws-endpoint', () => {
  test('runs the bundles on an emulator in which nothing is there yet, and goes on there', async () => {
    await runOn(emulator.url);
    expect(emulator.mailed.toSorted()).toEqual(configured);
    expect([...emulator.accessKeys]).toEqual(['test']);
    expect([...emulator.secrets.values()]).toContain(JSON.stringify(account.credentials));
  });

  test('alone decides: without it no variable leads away from the embedded parts', async () => {
    expect((await call('--at', at)).code).toBe(0);
    expect((await readMails(folders.out)).map(({ to }) => to)).toEqual(configured);
    expect(trapped).toEqual([]);
  });

  test('says where nobody answers', async () => {
    const { code, stderr } = await call('--aws-endpoint', 'http://127.0.0.1:1', '--at', at);
    expect(code).toBe(1);
    expect(stderr).toBe('The AWS emulator at http://127.0.0.1:1 did not accept the table (ECONNREFUSED).\n');
  });
});
