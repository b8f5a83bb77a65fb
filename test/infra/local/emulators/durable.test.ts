import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CheckpointDurableExecutionCommand,
  InvokeCommand,
  LambdaClient,
  type OperationUpdate,
} from '@aws-sdk/client-lambda';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FunctionDefinition } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import { startLambda, type Lambda, type LambdaOptions } from '../../../../infra/local/emulators/lambda/lambda.ts';
import { bundleFunctions } from './bundle-functions.ts';

const sources = {
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

let folder: string;
let functions: Record<string, FunctionDefinition>;
let part: Lambda;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-durable-'));
  functions = await bundleFunctions(folder, sources);
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => part.close());

async function start(options: Partial<LambdaOptions> = {}): Promise<void> {
  part = await startLambda({ functions, logDir: join(folder, 'logs'), environment: {}, ...options });
}

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
