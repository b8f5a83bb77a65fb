import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeError, inOwnWords } from '../../functions/foreign-error.ts';
import { createDynamoDbClient, createTable } from '../../functions/ledger/table.ts';
import type { Dependencies } from '../../functions/run/dependencies.ts';
import { RunError } from '../../functions/run/failure.ts';
import { errorFrom } from './reporting-service/connect.ts';
import { configured } from './run/configured.ts';
import { runReport } from '../../functions/run/handler.ts';
import { startHttpStub, type HttpStub } from '../support/http-stub.ts';
import { replayExecution } from '../support/replayed-execution.ts';

// What a deployed function makes once; nothing of it is reached here.
vi.mock('../../functions/run/dependencies.ts', () => ({}));

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
function refuse(code: number, type: string): void {
  const body = JSON.stringify({ __type: `com.amazonaws#${type}`, message: quoting, Message: quoting });
  stub.answer('/', (response) => {
    response.writeHead(code, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
}

const errorOf = (work: Promise<unknown>): Promise<Error> => errorFrom(work, Error);

test.each([
  { code: 500, type: 'InternalServerError', client: () => inOwnWords(new DynamoDBClient({ maxAttempts: 1 })) },
  { code: 400, type: 'ValidationException', client: createDynamoDbClient },
])("DynamoDB's $code is thrown without the address in its message", async ({ code, type, client }) => {
  refuse(code, type);
  const error = await errorOf(createTable(client(), 'ledger').get({ pk: address, sk: 'a' }));
  expect(error).toMatchObject({ name: type, $metadata: { httpStatusCode: code }, message: 'A request to AWS failed.' });
  expect([error.message, error.stack, inspect(error, { depth: null })].join('\n')).not.toContain(address);
});

test('a condition that does not hold is an answer as before, and a secret that is missing has its class', async () => {
  refuse(400, 'ConditionalCheckFailedException');
  expect(await createTable(createDynamoDbClient(), 'ledger').insert({ pk: 'a', sk: 'b' }, {})).toBe(false);
  refuse(400, 'ResourceNotFoundException');
  const secrets = inOwnWords(new SecretsManagerClient({}));
  const error = await errorOf(secrets.send(new GetSecretValueCommand({ SecretId: 'x' })));
  expect([error instanceof ResourceNotFoundException, inspect(error).includes(address)]).toEqual([true, false]);
});

test('a run that fails logs the name, the code and the place of the error, and no text of others', async () => {
  const failure = new Error('Step failed', { cause: Object.assign(new SyntaxError(quoting), { code: 'E_FOREIGN' }) });
  const trigger = { action: 'release', run: 'weekly_2026-11-09', operation: 'recorded' } as const;
  const { result: lines } = await replayExecution(async (context) => {
    const plan = { run: trigger.run, report: 'weekly' };
    vi.spyOn(context, 'step').mockResolvedValueOnce(plan).mockRejectedValueOnce(failure).mockResolvedValueOnce(null);
    const log = vi.spyOn(context.logger, 'error');
    await errorOf(runReport(trigger, context, { configuration: configured() } as Dependencies));
    return log.mock.calls;
  });
  expect(lines).toEqual([
    [
      'The run failed.',
      {
        run: 'weekly_2026-11-09',
        code: 'internal',
        error: {
          name: 'SyntaxError',
          code: 'E_FOREIGN',
          at: expect.stringMatching(/^foreign-error\.test\.ts:\d+:\d+$/),
        },
      },
    ],
  ]);
});

test('an error is described by the one that caused it, and what is no error by its type', () => {
  expect(describeError(new RunError('ses-refused', 'Refused.', new TypeError(quoting)))).toMatchObject({
    name: 'TypeError',
  });
  expect(describeError(address)).toEqual({ name: 'string' });
  expect(describeError(Object.assign(new Error(quoting), { stack: undefined }))).toEqual({ name: 'Error' });
});
