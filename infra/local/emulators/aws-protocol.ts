import { randomUUID } from 'node:crypto';
import type { LoopbackAnswer } from './loopback.ts';

/** The region of the embedded parts, and of the functions that the embedded Lambda starts. */
export const region = 'eu-west-1';

/** The made-up account of the embedded parts. */
export const accountId = '123456789012';

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

/** An answer of the Query protocol, which SES and SNS speak: its fields, or their XML. */
export function queryResult(action: string, result: Record<string, string> | string): LoopbackAnswer {
  const fields = Object.entries(result).map(([name, value]) => `<${name}>${xmlText(value)}</${name}>`);
  const content = typeof result === 'string' ? result : fields.join('');
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return xmlAnswer(200, `${action}Response`, `<${action}Result>${content}</${action}Result>${metadata}`);
}

/** An error of the same protocol, by the code that the AWS clients read. */
export function queryError(status: number, code: string, message: string): LoopbackAnswer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${xmlText(message)}</Message></Error>`;
  return xmlAnswer(status, 'ErrorResponse', `${error}<RequestId>${randomUUID()}</RequestId>`);
}

function xmlAnswer(status: number, element: string, content: string): LoopbackAnswer {
  const body = `<${element} xmlns="http://ses.amazonaws.com/doc/2010-12-01/">${content}</${element}>`;
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

export function xmlText(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
