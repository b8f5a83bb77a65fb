import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, expect, test } from 'vitest';
import type { Authorize, AwsCall } from '../../../../../infra/local/emulators/authorize.ts';
import {
  startSecretsManager,
  type SecretsManager,
} from '../../../../../infra/local/emulators/secrets-manager/secrets-manager.ts';

let part: SecretsManager;
let client: SecretsManagerClient;

async function start(authorize?: Authorize): Promise<void> {
  part = await startSecretsManager({
    secrets: { 'broadcast-digest/credentials': '{"clientId":"one"}' },
    ...(authorize === undefined ? {} : { authorize }),
  });
  const credentials = { accessKeyId: 'AKIACOLLECT', secretAccessKey: 'x' };
  client = new SecretsManagerClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 });
}

afterEach(async () => {
  client.destroy();
  await part.close();
});

test('a secret is read by its name and by its ARN', async () => {
  await start();
  const byName = await client.send(new GetSecretValueCommand({ SecretId: 'broadcast-digest/credentials' }));
  const byArn = await client.send(new GetSecretValueCommand({ SecretId: byName.ARN }));
  expect([byName.Name, byName.SecretString]).toEqual(['broadcast-digest/credentials', '{"clientId":"one"}']);
  expect([byArn.Name, byArn.SecretString, byArn.VersionId]).toEqual([
    byName.Name,
    byName.SecretString,
    byName.VersionId,
  ]);
});

test('a rotated secret has its new value and another version', async () => {
  await start();
  const before = await client.send(new GetSecretValueCommand({ SecretId: 'broadcast-digest/credentials' }));
  part.put('broadcast-digest/credentials', '{"clientId":"two"}');
  const after = await client.send(new GetSecretValueCommand({ SecretId: 'broadcast-digest/credentials' }));
  expect(after.SecretString).toBe('{"clientId":"two"}');
  expect(after.VersionId).not.toBe(before.VersionId);
});

test('a secret that does not exist is not found', async () => {
  await start();
  await expect(client.send(new GetSecretValueCommand({ SecretId: 'other' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('what is not emulated is refused', async () => {
  await start();
  await expect(client.send(new ListSecretsCommand({}))).rejects.toMatchObject({ name: 'UnknownOperationException' });
  await expect(
    client.send(new GetSecretValueCommand({ SecretId: 'broadcast-digest/credentials', VersionStage: 'AWSPREVIOUS' })),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' });
});

test('a denied call is answered as IAM denies it, and is judged by its key, action and parameters', async () => {
  const calls: AwsCall[] = [];
  await start((call) => {
    calls.push(call);
    return 'only collect may';
  });
  await expect(
    client.send(new GetSecretValueCommand({ SecretId: 'broadcast-digest/credentials' })),
  ).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'AKIACOLLECT is not authorized to perform: secretsmanager:GetSecretValue: only collect may',
  });
  expect(calls).toEqual([
    {
      accessKeyId: 'AKIACOLLECT',
      action: 'secretsmanager:GetSecretValue',
      parameters: { SecretId: 'broadcast-digest/credentials' },
    },
  ]);
});
