import * as v from 'valibot';
import type { InvocationOutcome } from './function-thread.ts';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../loopback.ts';

const answerSchema = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Serves a function's URL on loopback: each request becomes an event of payload format 2.0, its body in base64 where
 * Lambda would send it so, and the function's result the answer. A function that fails is a 502, as it is there.
 */
export function startFunctionUrl(invoke: (event: unknown) => Promise<InvocationOutcome>): Promise<Loopback> {
  return serveOnLoopback(async (request) => answerOf(await invoke(eventOf(request))));
}

function eventOf({ method, url, headers, body }: LoopbackRequest): unknown {
  const { pathname, search } = new URL(url, 'http://loopback');
  const isText = /^(?:text\/|application\/json)/.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    requestContext: { http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' } },
    ...(body.length === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function answerOf(outcome: InvocationOutcome): LoopbackAnswer {
  const parsed = v.safeParse(answerSchema, 'functionError' in outcome ? null : outcome.payload);
  if (!parsed.success) {
    return { status: 502, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' };
  }
  const { statusCode, headers, body, isBase64Encoded } = parsed.output;
  return { status: statusCode, headers, body: isBase64Encoded ? Buffer.from(body, 'base64') : body };
}
