import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FunctionDefinition } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import { startLambda, type Lambda, type LambdaOptions } from '../../../../infra/local/emulators/lambda/lambda.ts';
import { bundleFunctions } from './bundle-functions.ts';

const sources = {
  plain: `
    import { threadId } from 'node:worker_threads';
    let served = 0;
    export const handler = async (event, context) => {
      served += 1;
      console.log('said', event.say);
      if (event.fail) throw Object.assign(new Error('It failed.'), { name: 'OwnError' });
      if (event.exit !== undefined) process.exit(event.exit);
      if (event.sleepMs) await new Promise((resolve) => setTimeout(resolve, event.sleepMs));
      if (event.nothing) return undefined;
      if (event.context) return { ...context, remaining: context.getRemainingTimeInMillis() };
      if (event.environment) return process.env;
      return { served, thread: threadId };
    };`,
  broken: `throw new RangeError('No start.'); export const handler = 1;`,
};

let folder: string;
let functions: Record<string, FunctionDefinition>;
let part: Lambda;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-lambda-'));
  functions = await bundleFunctions(folder, sources, { environment: { OWN: 'value' } });
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => part.close());

async function start(options: Partial<LambdaOptions> = {}): Promise<void> {
  part = await startLambda({ functions, logDir: join(folder, 'logs'), environment: {}, ...options });
}

function withTimeout(timeoutSeconds: number): Record<string, FunctionDefinition> {
  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, { ...one, timeoutSeconds }]));
}

test('an idle thread serves the next invocation, and a busy one makes another start', async () => {
  await start();
  const first = await part.invoke('plain', {});
  expect(await part.invoke('plain', {})).toEqual({ payload: { ...Object(first).payload, served: 2 } });
  const both = await Promise.all([part.invoke('plain', { sleepMs: 500 }), part.invoke('plain', { sleepMs: 500 })]);
  expect(new Set(both.map((outcome) => Object(outcome.payload).thread)).size).toBe(2);
});

test('a function that is warm serves its first invocation in the thread that was started ahead', async () => {
  await start();
  void part.warm(['plain']);
  expect(await part.kill('plain')).toBe(1);
  await part.warm(['plain']);
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 1 } });
  expect(await part.kill('plain')).toBe(1);
});

test('a handler that gives nothing gives null', async () => {
  await start();
  expect(await part.invoke('plain', { nothing: true })).toEqual({ payload: null });
});

test('a handler that throws fails the invocation with its name and message, and its thread goes on', async () => {
  await start();
  expect(await part.invoke('plain', { fail: true })).toEqual({
    functionError: 'Unhandled',
    payload: { errorType: 'OwnError', errorMessage: 'It failed.', trace: expect.any(Array) },
  });
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 2 } });
});

test('a thread that ends during an invocation fails it, and the next one has a new thread', async () => {
  await start();
  expect(await part.invoke('plain', { exit: 3 })).toEqual({
    functionError: 'Unhandled',
    payload: {
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: exit status 3$/),
    },
  });
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 1 } });
});

test('an invocation beyond its timeout fails, and its thread is gone', async () => {
  await start({ functions: withTimeout(1) });
  expect(await part.invoke('plain', { sleepMs: 60_000 })).toEqual({
    functionError: 'Unhandled',
    payload: {
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Task timed out after 1\.00 seconds$/),
    },
  });
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 1 } });
});

test('a function that cannot be loaded fails its invocation with the reason', async () => {
  await start();
  expect(await part.invoke('broken', {})).toMatchObject({
    functionError: 'Unhandled',
    payload: { errorType: 'RangeError', errorMessage: expect.stringMatching(/No start\.$/) },
  });
});

test('killed threads fail their invocations', async () => {
  await start();
  const outcome = part.invoke('plain', { sleepMs: 60_000, say: 'kill' });
  await expect.poll(() => readFile(join(folder, 'logs', 'plain.log'), 'utf8')).toContain('said kill');
  expect(await part.kill('plain')).toBe(1);
  expect(await outcome).toMatchObject({ functionError: 'Unhandled', payload: { errorType: 'Runtime.ExitError' } });
});

test('a function has the environment that Lambda would give it, its own, and nothing of this process', async () => {
  process.env['AWS_PROFILE'] = 'operator';
  await start({ environment: { AWS_ENDPOINT_URL_SES: 'http://127.0.0.1:2' } });
  const { payload } = await part.invoke('plain', { environment: true });
  delete process.env['AWS_PROFILE'];
  expect(payload).toEqual({
    OWN: 'value',
    HOME: join(folder, 'plain'),
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'embedded',
    AWS_SECRET_ACCESS_KEY: 'embedded',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'plain',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_ENDPOINT_URL_LAMBDA: part.url,
    AWS_ENDPOINT_URL_SES: 'http://127.0.0.1:2',
  });
});

test('the context has the function, the request and the time that remains', async () => {
  await start();
  const { payload } = await part.invoke('plain', { context: true });
  expect(payload).toEqual({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:plain',
    functionName: 'plain',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    remaining: expect.any(Number),
  });
  expect(Object(payload).remaining).toBeGreaterThan(0);
  expect(Object(payload).remaining).toBeLessThanOrEqual(20_000);
});
