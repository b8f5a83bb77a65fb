import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { startLambda } from '../../../../infra/local/emulators/lambda/lambda.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const sources = {
  plain: `
    import { threadId } from 'node:worker_threads';
    let served = 0;
    export const handler = async (event) => {
      served += 1;
      if (event.exit !== undefined) process.exit(event.exit);
      if (event.fail) throw new Error('It failed.');
      if (event.sleepMs) await new Promise((resolve) => setTimeout(resolve, event.sleepMs));
      return { served, thread: threadId };
    };`,
  durable: `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { withDurableExecution } from '@aws/durable-execution-sdk-js';
    export const handler = withDurableExecution(async (event, context) => {
      const message = await context.invoke('ask', 'plain', { fail: true }).catch((error) => error.message);
      await context.wait('wait', { seconds: 1 });
      await context.step('fragile', async () => {
        appendFileSync(event.file, 'x');
        if (event.always || readFileSync(event.file, 'utf8').length === 1) process.exit(1);
      });
      return message;
    });`,
};

const folder = temporaryFolder();
for (const [name, contents] of Object.entries(sources)) {
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: join(folder, name, 'index.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'error',
  });
}
const settings = { environment: {}, timeoutSeconds: 20, memoryMb: 256 };
const part = await startLambda({
  functions: {
    plain: { ...settings, bundleDir: join(folder, 'plain') },
    durable: { ...settings, bundleDir: join(folder, 'durable') },
  },
  logDir: join(folder, 'logs'),
  environment: {},
});
afterAll(() => part.close());

test('an idle thread serves the next invocation, a busy one makes another start, and one that ends fails its invocation', async () => {
  const first = await part.invoke('plain', {});
  expect(await part.invoke('plain', {})).toEqual({ payload: { ...Object(first).payload, served: 2 } });
  const both = await Promise.all([part.invoke('plain', { sleepMs: 300 }), part.invoke('plain', { sleepMs: 300 })]);
  expect(new Set(both.map((outcome) => Object(outcome.payload).thread)).size).toBe(2);
  await part.kill('plain');
  const errorMessage = expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: exit status 3$/);
  const failure = { functionError: 'Unhandled', payload: { errorType: 'Runtime.ExitError', errorMessage } };
  expect(await part.invoke('plain', { exit: 3 })).toEqual(failure);
  expect(await part.invoke('plain', {})).toMatchObject({ payload: { served: 1 } });
});

test('a step that ends its thread is run again in a new one, and what was checkpointed before it is not: five times in a row at most', async () => {
  const file = join(folder, 'fragile');
  const execution = await part.executeDurable('durable', { file });
  expect(execution).toMatchObject({ status: 'SUCCEEDED', result: 'It failed.' });
  const names = (await execution.recorded).getOperations().map((operation) => operation.getName());
  expect(names).toEqual(['ask', 'wait', 'fragile']);
  expect(await readFile(file, 'utf8')).toBe('xx');
  const failed = await part.executeDurable('durable', { file, always: true });
  expect(failed).toMatchObject({ status: 'FAILED', error: { errorType: 'Runtime.ExitError' } });
  expect(await readFile(file, 'utf8')).toBe('xxxxxxx');
});
