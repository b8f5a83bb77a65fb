import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** What a function URL answers (payload format 2.0). */
export interface UrlResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

/** What is answered: a text with its type, and headers of its own. */
interface Content {
  status: number;
  type: 'text/html' | 'text/csv';
  headers?: Readonly<Record<string, string>>;
  body: string;
}

/**
 * The most bytes of a whole answer as JSON. Lambda answers 6 MB and fails beyond that.
 * https://docs.aws.amazon.com/lambda/latest/dg/config-rs-invoke-furls.html
 */
const mostBytes = 6_000_000;

/**
 * On every answer. A page is for whoever has its link: no search engine and no shared cache is to hold it, no site that it links to
 * is to learn its address, and it loads nothing.
 */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  vary: 'accept-encoding',
};

/** The answer of a function URL, compressed where the client takes that; `null` where it is more than Lambda answers. */
export async function toResponse(
  { status, type, headers: own = {}, body }: Content,
  { acceptsGzip }: { acceptsGzip: boolean },
): Promise<UrlResponse | null> {
  const response = {
    statusCode: status,
    headers: {
      ...headers,
      ...own,
      'content-type': `${type}; charset=utf-8`,
      ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
    },
    body: acceptsGzip ? (await compress(body)).toString('base64') : body,
    isBase64Encoded: acceptsGzip,
  };
  return Buffer.byteLength(JSON.stringify(response)) > mostBytes ? null : response;
}
