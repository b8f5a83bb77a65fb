import { inspect } from 'node:util';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { errorFrom } from '../connect.ts';
import { CredentialsError, readCredentials } from '../../../../functions/reporting-service/tokens/credentials.ts';

const secrets = mockClient(SecretsManagerClient);
const name = 'broadcast-digest/credentials';
const expected = 'Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service.';
const read = () => readCredentials(new SecretsManagerClient({}), name);

beforeEach(() => {
  secrets.reset();
});

const failure = (): Promise<CredentialsError> => errorFrom(read(), CredentialsError);

test('the credentials are read from the secret of this name', async () => {
  secrets.on(GetSecretValueCommand, { SecretId: name }).resolves({ SecretString: '{"id":"a","secret":"s","note":1}' });
  expect(await read()).toEqual({ id: 'a', secret: 's' });
});

test.each([
  { value: '{"id":"canary-id"}', fault: 'has no "secret".' },
  { value: '{"secret":"canary-secret"}', fault: 'has no "id".' },
  { value: '{"clientId":"canary-id","clientSecret":"canary-secret"}', fault: 'has no "id" and no "secret".' },
  { value: '{"id":7,"secret":"canary-secret"}', fault: 'has no "id".' },
  { value: '{"id":"","secret":""}', fault: 'has no "id" and no "secret".' },
  { value: '{"id":"…","secret":"..."}', fault: 'has no "id" and no "secret".' },
  { value: '{"id":"canary-id","secret":" "}', fault: 'has no "secret".' },
  { value: undefined, fault: 'is not a JSON object.' },
  { value: '["canary-id","canary-secret"]', fault: 'is not a JSON object.' },
  { value: '{"secret":"canary-secret"', fault: 'is not a JSON object.' },
])('a secret that $fault is one clear error without its value', async ({ value, fault }) => {
  secrets
    .on(GetSecretValueCommand)
    .resolves(value === undefined ? { SecretBinary: new Uint8Array([1]) } : { SecretString: value });
  const error = await failure();
  expect([error.name, error.message]).toEqual(['credentials-missing', `Secret "${name}" ${fault} ${expected}`]);
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
});

test('a secret that does not exist, or has no value yet, is named', async () => {
  secrets.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: 'none', $metadata: {} }));
  const error = await failure();
  expect([error.name, error.message]).toEqual([
    'credentials-missing',
    `Secret "${name}" does not exist or has no value.`,
  ]);
});

test('any other failure of Secrets Manager is handed on as it is', async () => {
  secrets.on(GetSecretValueCommand).rejects(new Error('Rate exceeded'));
  await expect(read()).rejects.toThrow('Rate exceeded');
});
