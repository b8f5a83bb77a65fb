import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CheckpointDurableExecutionCommand,
  InvokeCommand,
  LambdaClient,
  type OperationUpdate,
} from '@aws-sdk/client-lambda';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FunctionDefinition } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import { startLambda, type Lambda, type LambdaOptions } from '../../../../infra/local/emulators/lambda/lambda.ts';

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
  durable: `
    import { appendFileSync } from 'node:fs';
    import { withDurableExecution } from '@aws/durable-execution-sdk-js';
    const count = (file) => appendFileSync(file, 'x');
    export const handler = withDurableExecution(async (event, context) => {
      const step = await context.step('double', async () => event.value * 2);
      if (event.wait) await context.wait('wait', { seconds: 1 });
      if (event.file) {
        await context.step('fragile', async () => {
          count(event.file);
          if (process.env.CRASH_ALWAYS || (await import('node:fs')).readFileSync(event.file, 'utf8').length === 1) {
            process.exit(1);
          }
        });
      }
      if (event.hold) {
        await context.step('hold', async () => {
          count(event.hold);
          await new Promise((resolve) => setTimeout(resolve, 1500));
        });
      }
      let invoked;
      if (event.invoke) {
        try {
          invoked = await context.invoke('ask', 'worker', { value: step, fail: event.invoke === 'fail' });
        } catch (error) {
          invoked = { rejected: error.message };
        }
      }
      if (event.fan) {
        const results = await context.map('fan', [1, 2, 3], (ctx, item) => ctx.invoke('each', 'worker', { value: item }), { maxConcurrency: 2 });
        invoked = results.getResults();
      }
      return { step, invoked };
    });`,
  worker: `
    export const handler = async (event) => {
      if (event.fail) throw new Error('The worker failed.');
      return { worked: event.value };
    };`,
};

const banner = `import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);`;

/** Bundles handlers' sources, each by its function's name, as they would be deployed. */
async function bundleFunctions(
  folder: string,
  sources: Record<string, string>,
): Promise<Record<string, FunctionDefinition>> {
  const functions: Record<string, FunctionDefinition> = {};
  for (const [name, contents] of Object.entries(sources)) {
    const bundleDir = join(folder, name);
    await mkdir(bundleDir, { recursive: true });
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: join(bundleDir, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      banner: { js: banner },
      logLevel: 'error',
    });
    functions[name] = {
      bundleDir,
      environment: { OWN: 'value' },
      timeoutSeconds: 20,
      memoryMb: 256,
    };
  }
  return functions;
}

let folder: string;
let functions: Record<string, FunctionDefinition>;
let part: Lambda;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-lambda-'));
  functions = await bundleFunctions(folder, sources);
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

test('an execution goes over steps, a wait and an invocation of another function', async () => {
  await start();
  const invoked: unknown[] = [];
  const execution = await part.executeDurable(
    'durable',
    { value: 21, wait: true, invoke: 'well' },
    { onInvoke: (name, payload) => invoked.push([name, payload]) },
  );
  expect(execution).toMatchObject({
    status: 'SUCCEEDED',
    result: { step: 42, invoked: { worked: 42 } },
    error: undefined,
  });
  const recorded = await execution.recorded;
  expect(recorded.getOperations().map((operation) => operation.getName())).toEqual(['double', 'wait', 'ask']);
  expect(invoked).toEqual([['worker', { value: 42, fail: false }]]);
  expect(recorded.getHistoryEvents().map((event) => event.EventType)).toContain('WaitSucceeded');
});

test('a function that throws rejects the invocation in the durable function', async () => {
  await start();
  expect(await part.executeDurable('durable', { value: 1, invoke: 'fail' })).toMatchObject({
    status: 'SUCCEEDED',
    result: { invoked: { rejected: 'The worker failed.' } },
  });
});

test('several executions run at once, each with its own workers', async () => {
  await start();
  const executions = await Promise.all([1, 2, 3].map((value) => part.executeDurable('durable', { value, fan: true })));
  expect(executions.map(({ result }) => result)).toEqual(
    [1, 2, 3].map((value) => ({ step: value * 2, invoked: [{ worked: 1 }, { worked: 2 }, { worked: 3 }] })),
  );
});

test('a step that ends its thread once is run again, and what was checkpointed before it is not', async () => {
  await start();
  const file = join(folder, 'fragile-once');
  const execution = await part.executeDurable('durable', { value: 2, file, invoke: 'well' });
  expect(execution).toMatchObject({ status: 'SUCCEEDED', result: { step: 4, invoked: { worked: 4 } } });
  expect((await execution.recorded).getOperations().length).toBe(3);
  expect(await readFile(file, 'utf8')).toBe('xx');
});

test('a durable function that is killed from outside goes on in a new thread', async () => {
  await start();
  const hold = join(folder, 'hold');
  const execution = part.executeDurable('durable', { value: 3, hold });
  await expect.poll(() => readFile(hold, 'utf8').catch(() => ''), { timeout: 10_000 }).toBe('x');
  expect(await part.kill('durable')).toBe(1);
  expect(await execution).toMatchObject({ status: 'SUCCEEDED', result: { step: 6 } });
  expect(await readFile(hold, 'utf8')).toBe('xx');
});

test('a durable function that fails its invocation five times in a row fails its execution', async () => {
  const crashing = Object.entries(functions).map(([name, one]) => [
    name,
    { ...one, environment: { CRASH_ALWAYS: '1' } },
  ]);
  await start({ functions: Object.fromEntries(crashing) });
  const file = join(folder, 'fragile-always');
  expect(await part.executeDurable('durable', { value: 2, file })).toMatchObject({
    status: 'FAILED',
    error: { errorType: 'Runtime.ExitError' },
  });
  expect(await readFile(file, 'utf8')).toBe('xxxxx');
});

test('the API takes no checkpoint of an execution that is not under way, and nothing that it does not emulate', async () => {
  await start();
  const credentials = { accessKeyId: 'AKIARUN', secretAccessKey: 'x' };
  const client = new LambdaClient({ endpoint: part.url, region: 'eu-west-1', credentials, maxAttempts: 1 });
  const execution = { DurableExecutionArn: 'arn:aws:lambda:x', CheckpointToken: 'token' };
  const Updates: OperationUpdate[] = [{ Id: '1', Type: 'STEP', Action: 'START' }];
  await expect(client.send(new CheckpointDurableExecutionCommand({ ...execution, Updates }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  await expect(client.send(new InvokeCommand({ FunctionName: 'worker' }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});
