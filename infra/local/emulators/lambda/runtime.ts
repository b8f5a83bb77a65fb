// The program of a function's child process: the loop of the Lambda Runtime API.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Not imported: that would load Node's fetch too, which takes longer than the rest of a small process.
const { request } = process.getBuiltinModule('node:http');

type Handler = (event: unknown, context: Record<string, unknown>) => unknown;

const api = `http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime`;

// The other end of standard input is the embedded Lambda: when it is gone, however it ended, nobody waits for us.
process.stdin
  .once('close', () => process.exit(0))
  .once('error', () => process.exit(0))
  .resume();

const handler = await loadHandler().catch(async (error: unknown) => {
  await call('POST', '/init/error', describe(error));
  process.exit(1);
});
for (;;) await serveInvocation(handler);

async function serveInvocation(handler: Handler): Promise<void> {
  const { headers, body } = await call('GET', '/invocation/next');
  const path = `/invocation/${header(headers, 'lambda-runtime-aws-request-id')}`;
  try {
    // A handler that returns nothing returns null, as in Lambda.
    const result = (await handler(JSON.parse(body), contextOf(headers))) ?? null;
    await call('POST', `${path}/response`, result);
  } catch (error) {
    console.error(error);
    await call('POST', `${path}/error`, describe(error));
  }
}

async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = (process.env['_HANDLER'] ?? '').split('.');
  const bundle: Record<string, unknown> = await import(
    pathToFileURL(join(process.env['LAMBDA_TASK_ROOT'] ?? '', `${file}.mjs`)).href
  );
  const handler = bundle[name];
  if (typeof handler !== 'function') throw new TypeError(`The bundle exports no function "${name}".`);
  return (event, context) => Reflect.apply(handler, undefined, [event, context]);
}

function contextOf(headers: IncomingHttpHeaders): Record<string, unknown> {
  const deadlineMs = Number(header(headers, 'lambda-runtime-deadline-ms'));
  return {
    awsRequestId: header(headers, 'lambda-runtime-aws-request-id'),
    invokedFunctionArn: header(headers, 'lambda-runtime-invoked-function-arn'),
    functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: process.env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: process.env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'],
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function header(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '');
}

/** `node:http` and not `fetch`: an idle function waits for its next invocation without any time limit. */
function call(method: string, path: string, body?: unknown): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve) => {
    request(`${api}${path}`, { method }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve({ headers: response.headers, body: text }))
        .on('error', () => process.exit(1));
    })
      .on('error', () => process.exit(1))
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
