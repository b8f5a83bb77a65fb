import * as v from 'valibot';
import { jsonError, parseJson } from '../json-answer.ts';
import type { FunctionPool } from './lambda-pool.ts';
import type { FunctionProcess } from './lambda-process.ts';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../loopback.ts';

const errorBody = v.object({ errorType: v.string(), errorMessage: v.string() });

/** The Runtime API on loopback. A process finds its own under the address that `addressOf` gives, without a scheme. */
interface RuntimeApi extends Pick<Loopback, 'close'> {
  addressOf(functionName: string, processId: string): string;
}

/**
 * Serves the Runtime API to the processes of all functions.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function serveRuntimeApi(pools: ReadonlyMap<string, FunctionPool>): Promise<RuntimeApi> {
  const loopback = await serveOnLoopback((request) => {
    const [functionName = '', processId = '', ...path] = request.url.split('/').slice(1);
    const pool = pools.get(functionName);
    const process = pool?.process(processId);
    if (pool === undefined || process === undefined) return jsonError(404, 'NotFound', 'There is no such process.');
    return answer(path.join('/'), request, { process, arn: pool.arn });
  });
  return {
    addressOf: (functionName, processId) => `${loopback.url.slice('http://'.length)}/${functionName}/${processId}`,
    close: () => loopback.close(),
  };
}

async function answer(
  path: string,
  request: LoopbackRequest,
  { process, arn }: { process: FunctionProcess; arn: string },
): Promise<LoopbackAnswer> {
  if (path === '2018-06-01/runtime/invocation/next') return nextInvocation(process, arn);
  const payload = parseJson(request.body);
  if (path === '2018-06-01/runtime/init/error') {
    const { errorType, errorMessage } = v.parse(errorBody, payload);
    process.initFailed(errorType, errorMessage);
    return { status: 202, headers: {}, body: '' };
  }
  const [, requestId, kind] = /^2018-06-01\/runtime\/invocation\/([\w-]+)\/(response|error)$/.exec(path) ?? [];
  if (requestId === undefined) return jsonError(404, 'NotFound', 'The embedded Runtime API has no such path.');
  process.answer(requestId, kind === 'error' ? { functionError: 'Unhandled', payload } : { payload });
  return { status: 202, headers: {}, body: '' };
}

async function nextInvocation(process: FunctionProcess, arn: string): Promise<LoopbackAnswer> {
  const { requestId, payload, deadlineMs } = await process.next();
  const headers = {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': requestId,
    'lambda-runtime-deadline-ms': String(deadlineMs),
    'lambda-runtime-invoked-function-arn': arn,
  };
  return { status: 200, headers, body: payload };
}
