import type { IncomingHttpHeaders } from 'node:http';

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

/** The access key id of a request signed by Signature Version 4, or an empty text. */
export function accessKeyIdOf(headers: IncomingHttpHeaders): string {
  return /\bCredential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** The message of the denial where `authorize` gives a reason, else `undefined`: the call is allowed. */
export function denialOf(authorize: Authorize | undefined, call: AwsCall): string | undefined {
  const verdict = authorize?.(call) ?? true;
  if (verdict === true) return undefined;
  return `${call.accessKeyId || 'An unsigned caller'} is not authorized to perform: ${call.action}: ${verdict}`;
}
