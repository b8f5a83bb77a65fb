import { randomUUID } from 'node:crypto';
import type { LoopbackAnswer } from '../loopback.ts';

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

/** What an element of XML holds: a text, or elements by their names; in a list, of the same name. */
type Content = string | Content[] | { [element: string]: Content };

/** An answer of the Query protocol, which SES and SNS speak. */
export function queryResult(action: string, result: Content): LoopbackAnswer {
  const ResponseMetadata = { RequestId: randomUUID() };
  return xmlAnswer(200, `${action}Response`, { [`${action}Result`]: result, ResponseMetadata });
}

/** An error of the same protocol, by the code that the AWS clients read. */
export function queryError(status: number, Code: string, Message: string): LoopbackAnswer {
  return xmlAnswer(status, 'ErrorResponse', { Error: { Type: 'Sender', Code, Message }, RequestId: randomUUID() });
}

function xmlAnswer(status: number, element: string, content: Content): LoopbackAnswer {
  const body = `<${element} xmlns="http://ses.amazonaws.com/doc/2010-12-01/">${xmlOf(content)}</${element}>`;
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function xmlOf(content: Content): string {
  if (typeof content === 'string') return content.replaceAll(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  if (Array.isArray(content)) return content.map(xmlOf).join('');
  return Object.entries(content)
    .map(([element, inner]) => `<${element}>${xmlOf(inner)}</${element}>`)
    .join('');
}
