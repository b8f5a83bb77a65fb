import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Loopback } from '../../../../infra/local/emulators/loopback.ts';
import { startSecretsManager } from '../../../../infra/local/emulators/secrets-manager.ts';

const secrets = { 'broadcast-digest/credentials': 'one' };
let part: Loopback;
let client: SecretsManagerClient;

beforeAll(async () => {
  part = await startSecretsManager(secrets);
  const credentials = { accessKeyId: 'AKIACOLLECT', secretAccessKey: 'x' };
  client = new SecretsManagerClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await part.close();
});

const read = (SecretId: string, VersionStage?: string) =>
  client.send(new GetSecretValueCommand({ SecretId, VersionStage }));

test('a secret is read by its name, and has another version once it is rotated', async () => {
  const before = await read('broadcast-digest/credentials');
  expect([before.Name, before.SecretString]).toEqual(['broadcast-digest/credentials', 'one']);
  secrets['broadcast-digest/credentials'] = 'two';
  const after = await read('broadcast-digest/credentials');
  expect(after.SecretString).toBe('two');
  expect(after.VersionId).not.toBe(before.VersionId);
});

test('what is not there or not emulated is refused by its name', async () => {
  await expect(read('other')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await expect(read('broadcast-digest/credentials', 'AWSPREVIOUS')).rejects.toMatchObject({
    name: 'InvalidParameterException',
  });
  await expect(client.send(new ListSecretsCommand({}))).rejects.toMatchObject({ name: 'UnknownOperationException' });
});
