import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import type { PageConfiguration } from '../domain/configuration/configuration.ts';
import { pageLinkId } from '../ledger/page-links.ts';
import { createPageRenderer, type PageTemplates } from '../render/page.ts';
import { createShortPages, type ShortPageTemplates } from '../render/short-page.ts';
import { headersOfEveryResponse, httpEventSchema, publicPaths, type HttpResponse } from '../links/public-function.ts';
import { workbookType } from '../render/workbook.ts';
import type { PageAnswer, PageRequest, Refusal } from './answer.ts';

/** A link's id, and below it the name of a run, or of its workbook. */
const path = new RegExp(`^${publicPaths.page}(${pageLinkId.source})(?:/([\\w-]{1,64}?)(\\.xlsx)?)?$`);

/**
 * Reads the event of an HTTP API (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one. A path that is not of a link's shape is not looked up.
 */
export function readPageRequest(event: unknown): PageRequest {
  const { rawPath, headers, requestContext } = v.parse(httpEventSchema, event);
  const [, id, run = null, file] = path.exec(rawPath) ?? [];
  return {
    method: requestContext.http.method,
    link: id === undefined ? null : { id, run, isFile: file !== undefined },
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

/** The part of a response that differs: its headers, and its body. */
interface Content extends Pick<HttpResponse, 'headers'> {
  body: string | Buffer;
}

type Encoding = Pick<PageRequest, 'method' | 'acceptsGzip'>;

const compress = promisify(gzip);

/**
 * Makes answers into responses: without a body for HEAD, pages compressed where the client accepts that. A workbook is compressed
 * as it is.
 */
export function createPageResponses(templates: PageTemplates & ShortPageTemplates, mail: PageConfiguration['mail']) {
  const pages = createPageRenderer(templates);
  const renderRefusal = createRefusalPages(templates, mail);
  const contentOf = async (answer: PageAnswer): Promise<Content> => {
    const { shows, report } = answer;
    if (shows === 'page') return html(pages.renderPage({ digest: answer.digest, report, mail, ...answer.links }));
    if (shows !== 'file') return html(renderRefusal(shows, report.locale));
    const { name, content } = await pages.writeWorkbook(answer);
    const headers = { 'content-type': workbookType, 'content-disposition': `attachment; filename="${name}"` };
    return { headers, body: content };
  };
  return async function respond(answer: PageAnswer, { method, acceptsGzip }: Encoding): Promise<HttpResponse> {
    const { headers, body: written } = await contentOf(answer);
    const isCompressed = acceptsGzip && typeof written === 'string';
    const body = isCompressed ? await compress(written) : written;
    const isBase64Encoded = typeof body !== 'string';
    const response = {
      statusCode: answer.status,
      headers: {
        ...alwaysSent,
        ...headers,
        ...(answer.status === 405 ? { allow: 'GET, HEAD' } : {}),
        ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
      },
      body: isBase64Encoded ? body.toString('base64') : body,
      isBase64Encoded,
    };
    return method === 'HEAD' ? { ...response, body: '', isBase64Encoded: false } : response;
  };
}

function html(body: string): Content {
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
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
