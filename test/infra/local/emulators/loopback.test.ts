import { once } from 'node:events';
import { request } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../../../infra/local/emulators/dynamodb.ts';
import { startSecretsManager } from '../../../../infra/local/emulators/secrets-manager.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const secrets = await startSecretsManager({ name: 'canary' });
const ledger = await startDynamoDb(temporaryFolder());
afterAll(() => Promise.all([secrets.close(), ledger.close()]));

const target = { secrets: 'secretsmanager.GetSecretValue', ledger: 'DynamoDB_20120810.ListTables' };

async function ask(url: string | URL, service: keyof typeof target, host: string): Promise<number | undefined> {
  const headers = { host, 'x-amz-target': target[service], 'content-type': 'application/x-amz-json-1.0' };
  const sent = request(url, { method: 'POST', headers }).end('{"SecretId":"name"}');
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test.each([
  ['secrets', secrets],
  ['ledger', ledger],
] as const)(
  'the %s answer whoever was told their whole address, under a name of this machine',
  async (part, { url }) => {
    const { host, port } = new URL(url);
    expect(await ask(`${url}/`, part, host)).not.toBe(404);
    expect(await ask(`${url}/`, part, `localhost:${port}`)).not.toBe(404);
    expect(await ask(new URL('/', url), part, host)).toBe(404);
    expect(await ask(`${url}/`, part, `evil.example:${port}`)).toBe(404);
  },
);

test('a client of AWS takes that address as it is', async () => {
  const credentials = { accessKeyId: 'anybody', secretAccessKey: 'x' };
  const client = new SecretsManagerClient({ endpoint: secrets.url, region: 'eu-west-1', credentials });
  expect(await client.send(new GetSecretValueCommand({ SecretId: 'name' }))).toMatchObject({ SecretString: 'canary' });
  client.destroy();
});
