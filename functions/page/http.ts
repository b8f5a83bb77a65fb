import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import * as v from 'valibot';
import type { PageConfiguration } from '../domain/configuration/configuration.ts';
import { pageLinkId } from '../ledger/page-links.ts';
import { csvFiles } from '../render/csv.ts';
import { createPageRenderer, type PageTemplates } from '../render/page.ts';
import { createShortPages, type ShortPageTemplates } from '../render/short-page.ts';
import { headersOfEveryResponse, httpEventSchema, publicPaths, type HttpResponse } from '../links/public-function.ts';
import type { PageAnswer, PageRequest, Refusal } from './answer.ts';

/** A link's id, and below it the name of a run, or of one of its files. */
const path = new RegExp(
  `^${publicPaths.page}(${pageLinkId.source})(?:/([\\w-]{1,64}?)(?:-(${csvFiles.join('|')})\\.csv)?)?$`,
);

/**
 * Reads the event of an HTTP API (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one. A path that is not of a link's shape is not looked up.
 */
export function readPageRequest(event: unknown): PageRequest {
  const { rawPath, headers, requestContext } = v.parse(httpEventSchema, event);
  const [, id, run = null, named] = path.exec(rawPath) ?? [];
  return {
    method: requestContext.http.method,
    link: id === undefined ? null : { id, run, file: csvFiles.find((file) => file === named) ?? null },
    acceptsGzip: namesGzip.test(headers['accept-encoding'] ?? ''),
  };
}

/** A client takes gzip that it names (RFC 9110, section 12.5.3), and not with a weight of 0. */
const namesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** Of every response. A page loads nothing. */
const alwaysSent = {
  ...headersOfEveryResponse,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  vary: 'accept-encoding',
};

/** The part of a response that differs: its headers, and its body piece by piece. */
interface Content extends Pick<HttpResponse, 'headers'> {
  pieces: Iterable<string>;
}

type Encoding = Pick<PageRequest, 'method' | 'acceptsGzip'>;

/**
 * Makes answers into responses: without a body for HEAD, compressed where the client accepts that.
 */
export function createPageResponses(templates: PageTemplates & ShortPageTemplates, mail: PageConfiguration['mail']) {
  const pages = createPageRenderer(templates);
  const renderRefusal = createRefusalPages(templates, mail);
  const contentOf = (answer: PageAnswer): Content => {
    const { shows, report } = answer;
    if (shows === 'page') return html(pages.renderPage({ digest: answer.digest, report, mail, ...answer.links }));
    if (shows !== 'file') return html(renderRefusal(shows, report.locale));
    const { name, pieces } = pages.renderCsv({ ...answer, mail });
    const disposition = `attachment; filename="${name}"`;
    return { headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition }, pieces };
  };
  return async function respond(answer: PageAnswer, { method, acceptsGzip }: Encoding): Promise<HttpResponse> {
    const { headers, pieces } = contentOf(answer);
    const written = Readable.from(pieces, { objectMode: false });
    const body = await buffer(acceptsGzip ? written.pipe(createGzip()) : written);
    const response = {
      statusCode: answer.status,
      headers: {
        ...alwaysSent,
        ...headers,
        ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
        ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
      },
      body: body.toString(acceptsGzip ? 'base64' : 'utf8'),
      isBase64Encoded: acceptsGzip,
    };
    return method === 'HEAD' ? { ...response, body: '', isBase64Encoded: false } : response;
  };
}

function html(body: string): Content {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, pieces: [body] };
}

/** A renderer of the pages that say why there is no digest, and what to do. They name no report. */
export function createRefusalPages(templates: ShortPageTemplates, mail: Pick<PageConfiguration['mail'], 'brand'>) {
  const render = createShortPages(templates, mail);
  return (refusal: Refusal, locale: string): string =>
    render(locale, (wording) => ({
      title: wording.say('link.title'),
      heading: wording.say(`link.${refusal}`),
      note: wording.say(`link.${refusal}Note`),
      buttons: [],
    }));
}
