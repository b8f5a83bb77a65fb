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

const compress = promisify(gzip);

/**
 * Makes answers into responses: without a body for HEAD, pages compressed where the client accepts that. A workbook is compressed
 * as it is.
 */
export function createPageResponses(templates: PageTemplates & ShortPageTemplates, mail: PageConfiguration['mail']) {
  const pages = createPageRenderer(templates);
  const renderRefusal = createRefusalPages(templates, mail);
  return async (answer: PageAnswer, { method, acceptsGzip }: Pick<PageRequest, 'method' | 'acceptsGzip'>) => {
    const { status, report } = answer;
    const respond = (body: Buffer, headers: HttpResponse['headers'], isBase64Encoded = true): HttpResponse => ({
      statusCode: status,
      headers: { ...alwaysSent, ...headers },
      body: method === 'HEAD' ? '' : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
      isBase64Encoded: isBase64Encoded && method !== 'HEAD',
    });
    if (answer.shows === 'file') {
      const { name, content } = await pages.writeWorkbook(answer);
      const disposition = `attachment; filename="${name}"`;
      return respond(content, { 'content-type': workbookType, 'content-disposition': disposition });
    }
    const html = Buffer.from(
      answer.shows === 'page'
        ? pages.renderPage({ ...answer, ...answer.links, mail })
        : renderRefusal(answer.shows, report.locale),
    );
    const allowed = status === 405 ? { allow: 'GET, HEAD' } : {};
    const headers = { 'content-type': 'text/html; charset=utf-8', ...allowed };
    return acceptsGzip
      ? respond(await compress(html), { ...headers, 'content-encoding': 'gzip' })
      : respond(html, headers, false);
  };
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
