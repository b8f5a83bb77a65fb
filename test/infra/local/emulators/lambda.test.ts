import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CheckpointDurableExecutionCommand,
  InvokeCommand,
  LambdaClient,
  type OperationUpdate,
} from '@aws-sdk/client-lambda';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FunctionDefinition } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import { startLambda, type Lambda } from '../../../../infra/local/emulators/lambda/lambda.ts';

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

let folder: string;
let part: Lambda;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-lambda-'));
  for (const [name, contents] of Object.entries(sources)) {
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: join(folder, name, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      banner: { js: banner },
      logLevel: 'error',
    });
  }
  const functionOf = (name: string, changes: Partial<FunctionDefinition> = {}): FunctionDefinition => {
    const bundleDir = join(folder, name);
    return { bundleDir, environment: { OWN: 'value' }, timeoutSeconds: 20, memoryMb: 256, ...changes };
  };
  part = await startLambda({
    functions: {
      plain: functionOf('plain'),
      hasty: functionOf('plain', { timeoutSeconds: 1 }),
      broken: functionOf('broken'),
      durable: functionOf('durable'),
      crashing: functionOf('durable', { environment: { CRASH_ALWAYS: '1' } }),
      worker: functionOf('worker'),
    },
    logDir: join(folder, 'logs'),
    environment: { AWS_ENDPOINT_URL_SES: 'http://127.0.0.1:2' },
  });
});
beforeEach(() => part.kill('plain'));
afterAll(async () => {
  await part.close();
  await rm(folder, { recursive: true });
});

test('an idle thread serves the next invocation, and a busy one makes another start', async () => {
  const first = await part.invoke('plain', {});
  expect(await part.invoke('plain', {})).toEqual({ payload: { ...Object(first).payload, served: 2 } });
  const both = await Promise.all([part.invoke('plain', { sleepMs: 300 }), part.invoke('plain', { sleepMs: 300 })]);
  expect(new Set(both.map((outcome) => Object(outcome.payload).thread)).size).toBe(2);
});

test('a function that is warm serves its first invocation in the thread that was started ahead', async () => {
  void part.warm(['plain']);
  expect(await part.kill('plain')).toBe(1);
  await part.warm(['plain']);
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 1 } });
  expect(await part.kill('plain')).toBe(1);
});

test('a handler that throws fails the invocation with its name and message, and its thread goes on', async () => {
  expect(await part.invoke('plain', { fail: true })).toEqual({
    functionError: 'Unhandled',
    payload: { errorType: 'OwnError', errorMessage: 'It failed.', trace: expect.any(Array) },
  });
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 2 } });
});

test.each([
  ['plain', { exit: 3 }, 'Runtime.ExitError', /^RequestId: \S+ Error: Runtime exited with error: exit status 3$/],
  ['hasty', { sleepMs: 60_000 }, 'Sandbox.Timedout', /^RequestId: \S+ Task timed out after 1\.00 seconds$/],
])(
  'a thread of %s that ends during %j fails it, and the next has a new thread',
  async (name, event, errorType, said) => {
    expect(await part.invoke(name, event)).toEqual({
      functionError: 'Unhandled',
      payload: { errorType, errorMessage: expect.stringMatching(said) },
    });
    expect(await part.invoke(name, {})).toMatchObject({ payload: { served: 1 } });
  },
);

test('a function that cannot be loaded fails its invocation with the reason', async () => {
  expect(await part.invoke('broken', {})).toMatchObject({
    functionError: 'Unhandled',
    payload: { errorType: 'RangeError', errorMessage: expect.stringMatching(/No start\.$/) },
  });
});

test('killed threads fail their invocations', async () => {
  const outcome = part.invoke('plain', { sleepMs: 60_000, say: 'kill' });
  await expect.poll(() => readFile(join(folder, 'logs', 'plain.log'), 'utf8')).toContain('said kill');
  expect(await part.kill('plain')).toBe(1);
  expect(await outcome).toMatchObject({ functionError: 'Unhandled', payload: { errorType: 'Runtime.ExitError' } });
});

test('a function has the environment and the context that Lambda would give it, and nothing of this process', async () => {
  process.env['AWS_PROFILE'] = 'operator';
  const { payload: environment } = await part.invoke('plain', { environment: true });
  delete process.env['AWS_PROFILE'];
  expect(environment).toEqual({
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
  const { payload: context } = await part.invoke('plain', { context: true });
  expect(context).toEqual({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:plain',
    functionName: 'plain',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    remaining: expect.any(Number),
  });
  expect(Object(context).remaining).toBeGreaterThan(0);
  expect(Object(context).remaining).toBeLessThanOrEqual(20_000);
});

test('an execution goes over steps, a wait and an invocation of another function', async () => {
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

test('several executions run at once, and a function that throws rejects its invocation in its own', async () => {
  const events = [
    { value: 1, fan: true },
    { value: 2, fan: true },
    { value: 3, invoke: 'fail' },
  ];
  const executions = await Promise.all(events.map((event) => part.executeDurable('durable', event)));
  const invoked = [{ worked: 1 }, { worked: 2 }, { worked: 3 }];
  expect(executions.map(({ result }) => result)).toEqual([
    { step: 2, invoked },
    { step: 4, invoked },
    { step: 6, invoked: { rejected: 'The worker failed.' } },
  ]);
});

test('a step that ends its thread once is run again, and what was checkpointed before it is not', async () => {
  const file = join(folder, 'fragile-once');
  const execution = await part.executeDurable('durable', { value: 2, file, invoke: 'well' });
  expect(execution).toMatchObject({ status: 'SUCCEEDED', result: { step: 4, invoked: { worked: 4 } } });
  expect((await execution.recorded).getOperations().length).toBe(3);
  expect(await readFile(file, 'utf8')).toBe('xx');
});

test('a durable function that is killed from outside goes on in a new thread', async () => {
  const hold = join(folder, 'hold');
  const execution = part.executeDurable('durable', { value: 3, hold });
  await expect.poll(() => readFile(hold, 'utf8').catch(() => ''), { timeout: 10_000 }).toBe('x');
  expect(await part.kill('durable')).toBeGreaterThan(0);
  expect(await execution).toMatchObject({ status: 'SUCCEEDED', result: { step: 6 } });
  expect(await readFile(hold, 'utf8')).toBe('xx');
});

test('a durable function that fails its invocation five times in a row fails its execution', async () => {
  const file = join(folder, 'fragile-always');
  expect(await part.executeDurable('crashing', { value: 2, file })).toMatchObject({
    status: 'FAILED',
    error: { errorType: 'Runtime.ExitError' },
  });
  expect(await readFile(file, 'utf8')).toBe('xxxxx');
});

test('the API takes no checkpoint of an execution that is not under way, and nothing that it does not emulate', async () => {
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
