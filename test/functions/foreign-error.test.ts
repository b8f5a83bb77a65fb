import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeError, inOwnWords } from '../../functions/foreign-error.ts';
import { createDynamoDbClient, createTable } from '../../functions/ledger/table.ts';
import { CodedError } from '../../functions/domain/failures.ts';
import { errorFrom } from './reporting-service/connect.ts';
import { startHttpStub, type HttpStub } from '../support/http-stub.ts';

const address = 'ada@example.com';
const quoting = `Cannot take {"pk": "${address}"}\n    at ${address} (/var/task/index.mjs:1:2)`;
let stub: HttpStub;

beforeEach(async () => {
  stub = await startHttpStub();
  vi.stubEnv('AWS_ENDPOINT_URL', stub.url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await stub.close();
});

/** Lets AWS refuse every request with this error. */
function refuse(type: string): void {
  const body = JSON.stringify({ __type: `com.amazonaws#${type}`, message: quoting, Message: quoting });
  stub.answer('/', (response) => {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
}

test('an error of AWS is thrown without the address in its message, as what it is', async () => {
  const table = createTable(createDynamoDbClient(), 'ledger');
  refuse('ValidationException');
  const fault = await errorFrom(table.get({ pk: address, sk: 'a' }), Error);
  expect(fault).toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } });
  expect([fault.message, fault.stack, inspect(fault, { depth: null })].join()).not.toContain(address);
  refuse('ConditionalCheckFailedException');
  expect(await table.insert({ pk: 'a', sk: 'b' }, {})).toBe(false);
  refuse('ResourceNotFoundException');
  const secrets = inOwnWords(new SecretsManagerClient({}));
  const missing = secrets.send(new GetSecretValueCommand({ SecretId: 'x' }));
  expect(inspect(await errorFrom(missing, ResourceNotFoundException))).not.toContain(address);
});

test('what is logged of an error is the name, the code and the place of the one that caused it, and no text of others', () => {
  const cause = Object.assign(new SyntaxError(quoting), { code: 'E_FOREIGN' });
  const at = expect.stringMatching(/^foreign-error\.test\.ts:\d+:\d+$/);
  const described = { name: 'SyntaxError', code: 'E_FOREIGN', at };
  expect(describeError(new CodedError('ses-refused', 'Refused.', cause))).toEqual(described);
  expect(describeError(address)).toEqual({ name: 'string' });
  expect(describeError(Object.assign(new Error(quoting), { stack: undefined }))).toEqual({ name: 'Error' });
});
