import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageConfiguration } from '../domain/configuration/configuration.ts';
import { createPageRenderer, type PageTemplates } from '../render/page.ts';
import type { ShortPageTemplates } from '../render/short-page.ts';
import { refuse, type PageAnswer } from './answer.ts';
import { createRefusalPages } from './refusal-page.ts';
import type { PageRequest } from './request.ts';

const compress = promisify(gzip);

/** What a function URL answers (payload format 2.0). */
export interface UrlResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

/**
 * The most bytes of a response as JSON: Lambda answers 6 MB, and fails beyond that.
 * https://docs.aws.amazon.com/lambda/latest/dg/config-rs-invoke-furls.html
 */
const mostBytes = 6_000_000;

/**
 * Of every response. A page is for those who have its link: no search engine and no shared cache may store it, no site that it
 * links to may learn its URL, and it loads nothing.
 */
const alwaysSent = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  vary: 'accept-encoding',
};

/** What a response has of its own. */
interface Content {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Gives the response to a request: without a body for HEAD, compressed where the client accepts that. */
type Respond = (answer: PageAnswer, request: Pick<PageRequest, 'method' | 'acceptsGzip'>) => Promise<UrlResponse>;

/** Makes answers into responses. What is larger than Lambda answers is refused in words. */
export function createPageResponses(
  templates: PageTemplates & ShortPageTemplates,
  mail: PageConfiguration['mail'],
): Respond {
  const pages = createPageRenderer(templates);
  const renderRefusal = createRefusalPages(templates, mail);
  const contentOf = (answer: PageAnswer): Content => {
    const { shows, report } = answer;
    if (shows === 'page') return html(pages.renderPage({ digest: answer.digest, report, mail, ...answer.links }));
    if (shows !== 'file') return html(renderRefusal(shows, report.locale));
    const { name, content } = pages.renderCsv(answer);
    const disposition = `attachment; filename="${name}"`;
    return {
      headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition },
      body: content,
    };
  };
  return async function respond(answer, { method, acceptsGzip }) {
    const { headers, body } = contentOf(answer);
    const response = {
      statusCode: answer.status,
      headers: {
        ...alwaysSent,
        ...headers,
        ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
        ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
      },
      body: acceptsGzip ? (await compress(body)).toString('base64') : body,
      isBase64Encoded: acceptsGzip,
    };
    if (Buffer.byteLength(JSON.stringify(response)) > mostBytes) {
      return await respond(refuse('tooLarge', answer.report), { method, acceptsGzip });
    }
    return method === 'HEAD' ? { ...response, body: '', isBase64Encoded: false } : response;
  };
}

function html(body: string): Content {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
