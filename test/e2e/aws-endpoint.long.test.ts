import { randomUUID } from 'node:crypto';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { startAwsStandIn } from '../support/aws/aws-stand-in.ts';
import { environmentOf, runStart } from '../support/commands.ts';
import { createFolders, namesIn, readMails, readDigestFile, readReceiptFile } from '../support/start-folders.ts';

const at = '2026-11-09T08:00:00Z';
const nextMonday = '2026-11-16T08:00:00Z';
const configured = ['ada@example.com', 'alan@example.com', 'grace@example.com'];

/** An emulator to run on for once, such as moto: `pip install 'moto[server]'`, then `moto_server -p 5000`. */
const given = process.env['DIGEST_AWS_ENDPOINT'];

// Another client each time: an emulator that goes on running has another ledger for it.
const credentials = { id: randomUUID(), secret: 'canary-secret' };
const folders = createFolders();
const account = await startSampleAccount({ asOf: nextMonday, credentials });
const emulator = await startAwsStandIn();
afterAll(() => Promise.all([account.close(), emulator.close()]));

function call(...flags: string[]) {
  // Where nobody answers.
  const strays = ['', '_DYNAMODB', '_SES', '_SESV2', '_SECRETS_MANAGER', '_LAMBDA', '_STS'];
  const environment = {
    ...environmentOf(account),
    ...Object.fromEntries(strays.map((service) => [`AWS_ENDPOINT_URL${service}`, 'http://127.0.0.1:1'])),
    AWS_ACCESS_KEY_ID: 'AKIAREALANDSECRET000',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_PROFILE: 'nobody',
    AWS_REGION: 'us-west-2',
  };
  return runStart([...flags, '--service-url', account.url, ...folders.flags], environment);
}

async function tablesAt(endpoint: string): Promise<string[]> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

test('--aws-endpoint runs the bundles on an emulator in which nothing is there yet, and goes on there', async () => {
  const url = given ?? emulator.url;
  const first = await call('--aws-endpoint', url, '--at', at);
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Running/) });
  expect(first.stdout).toContain(`The mails are in the AWS emulator at ${url}`);
  const sent = await readReceiptFile(folders);
  expect(sent.balance).toMatchObject({ intended: 3, sent: 3, sentNow: 3, balanced: true });
  expect(await namesIn(folders.out)).toEqual(['digest.json', 'receipt.json']);

  const rehearsed = await call('--aws-endpoint', url, '--at', nextMonday, '--dry-run');
  expect(rehearsed.code).toBe(0);
  expect((await readMails(`${folders.out}/planned`)).map(({ to }) => to)).toEqual(configured);
  // The copy has the ledger's past: the week before is compared with.
  expect((await readDigestFile(folders)).totals.previous?.asSaid).not.toBeNull();
  expect((await readReceiptFile(folders)).coverage.requests).not.toEqual({});
  expect(await tablesAt(url)).not.toContainEqual(expect.stringMatching(/dry-run$/));
  const { mailed, accessKeys, secrets } = emulator;
  expect([await mailed(), [...accessKeys], Object.values(secrets)]).toEqual(
    given === undefined ? [configured, ['test'], expect.arrayContaining([JSON.stringify(credentials)])] : [[], [], []],
  );
});

test('--aws-endpoint says where nobody answers', async () => {
  const { code, stderr } = await call('--aws-endpoint', 'http://127.0.0.1:1', '--at', at);
  expect(code).toBe(1);
  expect(stderr).toBe('The AWS emulator at http://127.0.0.1:1 did not accept the table (ECONNREFUSED).\n');
});
