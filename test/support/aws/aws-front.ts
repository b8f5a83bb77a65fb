import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonError, parseJson, queryError } from '../../../infra/local/emulators/aws-protocol.ts';
import { serveOnLoopback, type LoopbackAnswer, type LoopbackRequest } from '../../../infra/local/loopback.ts';

/** A call as IAM would judge it. */
export interface AwsCall {
  /** From the signature's credential; empty where the request is not signed. */
  accessKeyId: string;
  /** The IAM action, for example `ses:SendRawEmail`. */
  action: string;
  /** The parsed request: its JSON, or for SES the fields of its form by their names. */
  parameters: unknown;
}

/** Allows a call, or says why not. */
export type Authorize = (call: AwsCall) => true | string;

/** The key that a function signs with: by it the front knows who calls. */
export function accessKeyIdOfFunction(functionName: string): string {
  return `AKIA${createHash('sha256').update(functionName).digest('hex').slice(0, 16).toUpperCase()}`;
}

/** The access key id and the service of a request signed by Signature Version 4; empty texts where it is not. */
export function signerOf({ headers }: Pick<LoopbackRequest, 'headers'>): { accessKeyId: string; service: string } {
  const signed = /\bCredential=([^/,\s]+)\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '');
  return { accessKeyId: signed?.[1] ?? '', service: signed?.[2] ?? '' };
}

/** Stands before the parts: judges every call as IAM would, then hands it on. */
export async function startAwsFront(authorize: Authorize) {
  /** Where the calls go, by the service that they are signed for. */
  const targets: Record<string, string> = {};
  const loopback = await serveOnLoopback(async (request) => {
    const { accessKeyId, service } = signerOf(request);
    for (const call of callsOf(service, request)) {
      const verdict = authorize({ accessKeyId, ...call });
      if (verdict !== true) return denial(service, `${accessKeyId} may not ${call.action}: ${verdict}`);
    }
    return await handOn(request, targets[service] ?? '');
  });
  return { ...loopback, targets };
}

/** What a request asks for. A checkpoint that begins the invocation of a function asks for that, too. */
function callsOf(service: string, { url, headers, body }: LoopbackRequest): Omit<AwsCall, 'accessKeyId'>[] {
  if (service === 'lambda') {
    const [, arn = '', operation] = /\/durable-executions\/([^/]+)\/(\w+)/.exec(url) ?? [];
    const DurableExecutionArn = decodeURIComponent(arn);
    if (operation !== 'checkpoint') {
      return [{ action: 'lambda:GetDurableExecutionState', parameters: { DurableExecutionArn } }];
    }
    const parameters = { DurableExecutionArn, Body: parseJson(body) };
    const { Updates = [] } = Object(parameters.Body);
    const invoked = [Updates].flat().flatMap(({ ChainedInvokeOptions }) => ChainedInvokeOptions ?? []);
    return [
      { action: 'lambda:CheckpointDurableExecution', parameters },
      ...invoked.map(({ FunctionName }) => ({ action: 'lambda:InvokeFunction', parameters: { FunctionName } })),
    ];
  }
  if (service === 'ses' || service === 'sns') {
    const form = Object.fromEntries(new URLSearchParams(body.toString()));
    const parameters = service === 'ses' ? form : { Resource: form['TopicArn'] };
    return [{ action: `${service}:${form['Action']}`, parameters }];
  }
  const operation = String(headers['x-amz-target']).split('.')[1];
  return [{ action: `${service}:${operation}`, parameters: parseJson(body) }];
}

function denial(service: string, message: string): LoopbackAnswer {
  if (service === 'ses' || service === 'sns') return queryError(403, 'AccessDenied', message);
  return jsonError(service === 'lambda' ? 403 : 400, 'AccessDeniedException', message);
}

/** Hands a request on to a part and gives its answer. */
export async function handOn({ method, url, headers, body }: LoopbackRequest, target: string): Promise<LoopbackAnswer> {
  const kept = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'].filter((name) => name in headers);
  const sent = kept.map((name): [string, string] => [name, String(headers[name])]);
  const answer = await fetch(`${target}${url}`, { method, headers: sent, ...(body.length > 0 && { body }) });
  const given = ['content-type', 'x-amzn-errortype', 'x-amz-crc32'].filter((name) => answer.headers.has(name));
  return {
    status: answer.status,
    headers: Object.fromEntries(given.map((name) => [name, answer.headers.get(name) ?? ''])),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

const withKey = v.object({ pk: v.object({ S: v.string() }) });
const query = v.object({
  KeyConditionExpression: v.pipe(v.string(), v.regex(/^pk = :pk\b/)),
  ExpressionAttributeValues: v.object({ ':pk': v.object({ S: v.string() }) }),
});

/**
 * The partition key of each item that DynamoDB is asked for, in the order of the items.
 *
 * @throws TypeError where it is not known which items those are
 */
export function keysAsked(action: string, parameters: unknown): string[] {
  if (action === 'dynamodb:Query') return [v.parse(query, parameters).ExpressionAttributeValues[':pk'].S];
  const keys = /^dynamodb:(?:Get|Put|Update|Delete|BatchGet|BatchWrite)Item$/.test(action) ? keysIn(parameters) : [];
  if (keys.length === 0) throw new TypeError(`It is not known which items ${action} is asked for.`);
  return keys;
}

/** The partition key of every item or key in the parameters of a request. */
function keysIn(value: unknown): string[] {
  if (v.is(withKey, value)) return [value.pk.S];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(keysIn) : [];
}
