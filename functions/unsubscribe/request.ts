import * as v from 'valibot';

const eventSchema = v.object({
  rawPath: v.string(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
  requestContext: v.object({ http: v.object({ method: v.string() }) }),
});

/** A request for the page behind an unsubscribe link. */
export interface UnsubscribeRequest {
  method: string;
  token: string;
  /** What a POST asks for: one click (RFC 8058, as the page's own button), the way back, or nothing that we know. */
  wants: 'unsubscribe' | 'resubscribe' | 'nothing';
}

/**
 * Reads the event of a function URL (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one.
 */
export async function readRequest(event: unknown): Promise<UnsubscribeRequest> {
  const { rawPath, headers, body, isBase64Encoded, requestContext } = v.parse(eventSchema, event);
  const { method } = requestContext.http;
  const form = method === 'POST' ? await readForm(headers['content-type'], body, isBase64Encoded) : null;
  const oneClick = form?.get('List-Unsubscribe') === 'One-Click';
  const wants = oneClick ? 'unsubscribe' : form?.get('action') === 'return' ? 'resubscribe' : 'nothing';
  return { method, token: rawPath.replace(/^\//, ''), wants };
}

/** RFC 8058 allows both forms' encodings. `null` where the body is neither. */
async function readForm(type: string | undefined, body: string, isBase64: boolean): Promise<FormData | null> {
  const content = isBase64 ? Buffer.from(body, 'base64') : body;
  try {
    return await new Response(content, { headers: { 'content-type': type ?? '' } }).formData();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
