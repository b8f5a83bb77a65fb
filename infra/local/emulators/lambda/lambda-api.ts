import * as v from 'valibot';
import { accessKeyIdOf, denialOf, type Authorize } from '../authorize.ts';
import type { DurableEngine } from './durable-engine.ts';
import { parseCheckpoint, parseStateQuery } from './durable-requests.ts';
import { jsonAnswer, jsonError, parseJson } from '../json-answer.ts';
import type { InvocationOutcome } from './lambda-function.ts';
import type { LoopbackAnswer, LoopbackRequest } from '../loopback.ts';

/** The functions and executions that the Lambda API serves, and who may call them. */
interface LambdaApiBackend {
  engine: DurableEngine;
  /** `undefined` where there is no such function. */
  invoke(functionName: string, payload: unknown): Promise<InvocationOutcome> | undefined;
  authorize: Authorize | undefined;
}

const executionPath = /^\/2025-12-01\/durable-executions\/([^/]+)\/(checkpoint|state)$/;
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * Answers Lambda's REST API: Invoke (of a function, waiting for its result), CheckpointDurableExecution and
 * GetDurableExecutionState. The rest is refused.
 */
export function answerLambdaApi(
  request: LoopbackRequest,
  backend: LambdaApiBackend,
): LoopbackAnswer | Promise<LoopbackAnswer> {
  const url = new URL(request.url, 'http://loopback');
  const [, functionName] = invokePath.exec(url.pathname) ?? [];
  if (functionName !== undefined && request.method === 'POST') {
    return invoke(decodeURIComponent(functionName), request, backend);
  }
  const [, arn, operation] = executionPath.exec(url.pathname) ?? [];
  if (arn !== undefined && operation === 'checkpoint' && request.method === 'POST') {
    return checkpoint(decodeURIComponent(arn), request, backend);
  }
  if (arn !== undefined && operation === 'state' && request.method === 'GET') {
    return state(decodeURIComponent(arn), url.searchParams, request, backend);
  }
  return jsonError(404, 'UnknownOperationException', 'The embedded Lambda has no such operation.');
}

async function invoke(name: string, request: LoopbackRequest, backend: LambdaApiBackend): Promise<LoopbackAnswer> {
  const payload = parseJson(request.body.length === 0 ? '{}' : request.body);
  // A name, a name with a qualifier, or an ARN with or without one: there is one version of each function.
  const functionName = name.replace(/^arn:aws:lambda:[^:]*:\d*:function:/, '').split(':')[0] ?? '';
  const parameters = { FunctionName: functionName, Payload: payload };
  const denied = deny(request, backend, 'lambda:InvokeFunction', parameters);
  if (denied !== undefined) return denied;
  const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type !== 'RequestResponse') {
    return jsonError(400, 'InvalidParameterValueException', `The embedded Lambda does not emulate ${String(type)}.`);
  }
  const outcome = await backend.invoke(functionName, payload);
  if (outcome === undefined) return jsonError(404, 'ResourceNotFoundException', `Function not found: ${functionName}`);
  const failed = 'functionError' in outcome ? { 'x-amz-function-error': outcome.functionError } : {};
  return jsonAnswer(200, outcome.payload, { 'x-amz-executed-version': '$LATEST', ...failed });
}

function checkpoint(
  arn: string,
  request: LoopbackRequest,
  backend: LambdaApiBackend,
): LoopbackAnswer | Promise<LoopbackAnswer> {
  const body = parseJson(request.body);
  const denied = deny(request, backend, 'lambda:CheckpointDurableExecution', { DurableExecutionArn: arn, Body: body });
  if (denied !== undefined) return denied;
  return overClient(arn, backend, (client) => client.checkpoint(parseCheckpoint(arn, body)));
}

function state(
  arn: string,
  query: URLSearchParams,
  request: LoopbackRequest,
  backend: LambdaApiBackend,
): LoopbackAnswer | Promise<LoopbackAnswer> {
  const denied = deny(request, backend, 'lambda:GetDurableExecutionState', { DurableExecutionArn: arn });
  if (denied !== undefined) return denied;
  return overClient(arn, backend, (client) => client.getExecutionState(parseStateQuery(arn, query)));
}

async function overClient(
  arn: string,
  backend: LambdaApiBackend,
  call: (client: NonNullable<ReturnType<DurableEngine['clientOf']>>) => Promise<unknown>,
): Promise<LoopbackAnswer> {
  const client = backend.engine.clientOf(arn);
  if (client === undefined) return jsonError(404, 'ResourceNotFoundException', 'There is no such durable execution.');
  try {
    return jsonAnswer(200, await call(client));
  } catch (error) {
    // The runner's own refusals come out of its worker thread as plain errors with AWS's message.
    const message = v.isValiError(error) ? v.summarize(error.issues) : error instanceof Error ? error.message : '';
    return jsonError(400, 'InvalidParameterValueException', message);
  }
}

function deny(
  request: LoopbackRequest,
  backend: LambdaApiBackend,
  action: string,
  parameters: unknown,
): LoopbackAnswer | undefined {
  const denial = denialOf(backend.authorize, { accessKeyId: accessKeyIdOf(request.headers), action, parameters });
  return denial === undefined ? undefined : jsonError(403, 'AccessDeniedException', denial);
}
