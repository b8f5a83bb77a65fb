import * as v from 'valibot';
import type { Configuration, ConfigurationWithoutAddresses } from '../domain/configuration/configuration.ts';
import type { Wording } from '../domain/wording.ts';
import { titleOf } from '../render/texts/names.ts';
import { createShortPages, type ShortPage, type ShortPageTemplates } from '../render/short-page.ts';
import {
  anyReportOf,
  headersOfEveryResponse,
  httpEventSchema,
  publicPaths,
  type HttpResponse,
} from '../links/public-function.ts';
import type { UnsubscribeTokens } from '../links/unsubscribe-links.ts';
import { isUnsubscribed, readSuppression, recordLeft, suppressionReasons } from '../ledger/persons/opt-outs.ts';
import type { Table } from '../ledger/table.ts';
import { readPresentName } from '../ledger/reports.ts';

export interface UnsubscribeRequest {
  method: string;
  token: string;
  /** Reads what a POST asks for. Parsing costs time, and anybody may post: nobody's body is parsed before the token is known to be ours. */
  readWish: () => Promise<Wish>;
}

/** One click (RFC 8058, as the page's own button), the way back, or nothing that we know. Any method but POST wants nothing. */
export type Wish = 'unsubscribe' | 'resubscribe' | 'nothing';

/**
 * Reads the event of an HTTP API (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one.
 */
export function readRequest(event: unknown): UnsubscribeRequest {
  const { rawPath, headers, body, isBase64Encoded, requestContext } = v.parse(httpEventSchema, event);
  const { method } = requestContext.http;
  const readWish = async (): Promise<Wish> => {
    const form = method === 'POST' ? await readForm(headers['content-type'], body, isBase64Encoded) : null;
    if (form?.get('List-Unsubscribe') === 'One-Click') return 'unsubscribe';
    return form?.get('action') === 'return' ? 'resubscribe' : 'nothing';
  };
  return { method, token: rawPath.replace(publicPaths.unsubscribe, ''), readWish };
}

/** A form of ours, or a mail program's, is a tenth of this; the time to parse one grows with the square of its bytes. */
const mostBytesOfForm = 1024;

/** RFC 8058 allows both forms' encodings. `null` where the body is neither, or too large. */
async function readForm(type: string | undefined, body: string, isBase64: boolean): Promise<FormData | null> {
  const content = Buffer.from(body, isBase64 ? 'base64' : 'utf8');
  if (content.length > mostBytesOfForm) return null;
  try {
    return await new Response(content, { headers: { 'content-type': type ?? '' } }).formData();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The language of a page about a report that is not configured. */
const defaultLocale = 'en';

/**
 * The page: it asks, confirms that the subscriber has left or returned, says why who returned gets no mail all the same, or that
 * the link or the system does not work.
 */
export const pageKinds = ['ask', 'left', 'returned', ...suppressionReasons, 'invalid', 'expired', 'busy'] as const;
type PageKind = (typeof pageKinds)[number];

/** The report that a page is about, or whose language it uses. */
type ReportOfShortPage = Pick<Configuration['reports'][number], 'title' | 'locale' | 'warningOf'>;

/** The answer to a request: its HTTP status, and the page with the report that it is about. */
export interface UnsubscribeResponse {
  status: number;
  page: PageKind;
  report: ReportOfShortPage;
}

/**
 * Answers a request. GET and HEAD only read, so that a scanner that follows links unsubscribes nobody; POST unsubscribes or
 * subscribes again, any number of times. A valid link works even where its report is gone, and an invalid or expired one
 * never changes anything.
 */
export async function answerRequest(
  { method, token, readWish }: UnsubscribeRequest,
  options: {
    configuration: Pick<ConfigurationWithoutAddresses, 'reports'>;
    table: Table;
    tokens: UnsubscribeTokens;
    now: Date;
  },
): Promise<UnsubscribeResponse> {
  const { configuration, table, tokens, now } = options;
  const anyReport = anyReportOf(configuration.reports);
  const claims = await tokens.read(token, now);
  if (claims === 'expired') return { status: 410, page: 'expired', report: anyReport };
  if (claims === 'invalid') return { status: 404, page: 'invalid', report: anyReport };
  const { hash } = claims;
  const wish = await readWish();
  const name = await readPresentName(table, claims.report, configuration.reports);
  const configured = configuration.reports.find((report) => report.name === name);
  // A report that is not configured may come back, or get another name: its subscribers' wish is recorded all the same.
  const report = configured ?? { name, title: name, locale: defaultLocale };
  const isKnown = wish !== 'nothing';
  if (isKnown) await recordLeft(table, hash, report, { left: wish === 'unsubscribe', at: now.toISOString() });
  const hasLeft = await isUnsubscribed(table, hash, report);
  // Where the report is not configured, the page does not promise that its mails come again.
  const hasReturned = wish === 'resubscribe' && configured !== undefined;
  const suppression = hasReturned ? await readSuppression(table, hash) : null;
  const isAnswered = isKnown || method === 'GET' || method === 'HEAD';
  return {
    status: isAnswered ? 200 : method === 'POST' ? 400 : 405,
    page: hasLeft ? 'left' : hasReturned ? (suppression?.reason ?? 'returned') : 'ask',
    report,
  };
}

/** Of every response. A page loads nothing, and its button posts to where it came from. */
const headers = {
  ...headersOfEveryResponse,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Makes answers into responses, without a body for HEAD. */
export function createUnsubscribeResponses(...settings: Parameters<typeof createPages>) {
  const renderPage = createPages(...settings);
  return ({ status, page, report }: UnsubscribeResponse, { method }: { method: string }): HttpResponse => {
    const body = method === 'HEAD' ? '' : renderPage(page, report);
    return { statusCode: status, headers, body, isBase64Encoded: false };
  };
}

export function createPages(templates: ShortPageTemplates, mail: Pick<Configuration['mail'], 'brand'>) {
  const render = createShortPages(templates, mail);
  return (kind: PageKind, report: ReportOfShortPage): string =>
    render(report.locale, (wording) => ({
      title: wording.say('page.title'),
      heading: wording.say(`page.${kind}`, { title: titleOf(report, wording) }),
      note: wording.say(`page.${kind}Note`),
      button: viewButton(kind, wording),
    }));
}

/** The button sends what a mail program sends (RFC 8058), so that there is one way to unsubscribe. */
function viewButton(kind: PageKind, wording: Wording): ShortPage['button'] {
  const unsubscribe = { label: wording.say('page.leave'), field: 'List-Unsubscribe', value: 'One-Click' };
  if (kind === 'ask') return { ...unsubscribe, quiet: false };
  if (kind === 'returned') return { ...unsubscribe, quiet: true };
  return kind === 'left' ? { label: wording.say('page.return'), field: 'action', value: 'return', quiet: true } : null;
}
