import { randomUUID } from 'node:crypto';
import type { LoopbackAnswer } from '../loopback.ts';

/** An answer of SES's Query protocol. */
export function queryResult(action: string, result: Record<string, string>): LoopbackAnswer {
  const fields = Object.entries(result).map(([name, value]) => `<${name}>${xmlText(value)}</${name}>`);
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return xmlAnswer(200, `${action}Response`, `<${action}Result>${fields.join('')}</${action}Result>${metadata}`);
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

function xmlText(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
