import type { LoopbackAnswer } from './loopback.ts';

/** An answer of the AWS JSON and REST JSON protocols. Dates are written as epoch seconds, as both protocols do. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): LoopbackAnswer {
  const text = JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    // A Date has become text before a replacer sees its value.
    const original = this[key];
    return original instanceof Date ? original.getTime() / 1000 : value;
  });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
}

/** An error of the same protocols, by the name that the AWS clients give it. */
export function jsonError(status: number, code: string, message: string): LoopbackAnswer {
  return jsonAnswer(status, { __type: code, message, Message: message }, { 'x-amzn-errortype': code });
}

/** The JSON of a request's body, or `undefined` where it is none. */
export function parseJson(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
