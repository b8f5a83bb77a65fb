import * as v from 'valibot';
import { publicPaths } from '../../../functions/links/public-function.ts';
import { jsonAnswer } from './aws-protocol.ts';
import type { InvocationOutcome } from './lambda/function-thread.ts';
import { serveOnLoopback, type Loopback, type LoopbackRequest } from './loopback.ts';

const responseSchema = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

export type PublicName = keyof typeof publicPaths;

/**
 * Serves the HTTP API of the public front on loopback, by default on a port that the system chooses: each request below the path
 * of one of the functions `names` becomes an event of payload format 2.0, its body in base64 where API Gateway would send it so,
 * and the function's result the answer. A function that fails is a 500, and what is below no path a 404, as it is there.
 */
export function startHttpApi(
  names: readonly PublicName[],
  invoke: (name: PublicName, event: unknown) => Promise<InvocationOutcome>,
  port = 0,
): Promise<Loopback> {
  return serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url, 'http://loopback');
    const name = names.find((name) => pathname.startsWith(publicPaths[name]) && pathname !== publicPaths[name]);
    if (name === undefined) return jsonAnswer(404, { message: 'Not Found' });
    const { payload } = await invoke(name, eventOf(request));
    // The payload of a function that failed is none either.
    const response = v.safeParse(responseSchema, payload);
    if (!response.success) return jsonAnswer(500, { message: 'Internal Server Error' });
    const { statusCode, headers, body, isBase64Encoded } = response.output;
    return { status: statusCode, headers, body: isBase64Encoded ? Buffer.from(body, 'base64') : body };
  }, port);
}

/** As much of an event as the functions read. */
function eventOf({ method, url, headers, body }: LoopbackRequest): unknown {
  const isText = /^(?:text\/|application\/json)/.test(headers['content-type'] ?? '');
  return {
    rawPath: new URL(url, 'http://loopback').pathname,
    headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)])),
    requestContext: { http: { method } },
    ...(body.length === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}
