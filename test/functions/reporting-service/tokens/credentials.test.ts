import { inspect } from 'node:util';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { CodedError } from '../../../../functions/domain/failures.ts';
import { errorFrom } from '../connect.ts';
import * as credentials from '../../../../functions/reporting-service/tokens/credentials.ts';

const secrets = mockClient(SecretsManagerClient);
const name = 'broadcast-digest/credentials';
const read = () => credentials.readCredentials(new SecretsManagerClient({}), name);

beforeEach(() => {
  secrets.reset();
});

test('the credentials are read from the secret of this name', async () => {
  secrets.on(GetSecretValueCommand, { SecretId: name }).resolves({ SecretString: '{"id":"a","secret":"s","note":1}' });
  expect(await read()).toEqual({ id: 'a', secret: 's' });
});

test.each([
  { value: '{"id":"canary-id","secret":" "}', fault: 'has no "secret".' },
  { value: '{"id":"…","secret":"..."}', fault: 'has no "id" and no "secret".' },
  { value: '{"secret":"canary-secret"', fault: 'is not a JSON object.' },
  { value: undefined, fault: 'is not a JSON object.' },
])('a secret that $fault is one clear error without its value', async ({ value, fault }) => {
  secrets
    .on(GetSecretValueCommand)
    .resolves(value === undefined ? { SecretBinary: new Uint8Array([1]) } : { SecretString: value });
  const error = await errorFrom(read(), CodedError);
  expect([error.name, error.message]).toEqual([
    'credentials-missing',
    `Secret "${name}" ${fault} Expected {"id": "...", "secret": "..."}, the client id and secret of the reporting service. ${credentials.wayToStore}`,
  ]);
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
});

test('a secret that does not exist, or has no value yet, is named; any other failure is handed on', async () => {
  secrets
    .on(GetSecretValueCommand)
    .rejectsOnce(new ResourceNotFoundException({ message: 'none', $metadata: {} }))
    .rejects(new Error('Rate exceeded'));
  const message = `Secret "${name}" does not exist or has no value. ${credentials.wayToStore}`;
  expect(await errorFrom(read(), CodedError)).toMatchObject({ name: 'credentials-missing', message });
  await expect(read()).rejects.toThrow('Rate exceeded');
});
