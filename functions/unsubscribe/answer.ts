import * as v from 'valibot';
import type { ConfigurationWithoutAddresses, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import type { TextKey } from '../domain/wording.ts';
import { titleOf } from '../render/texts/names.ts';
import { createShortPages, type ShortPageTemplates } from '../render/short-page.ts';
import { anyReportOf, headersOfEveryResponse, httpEventSchema, publicPaths } from '../links/public-function.ts';
import { madeMsOf, type UnsubscribeTokens } from '../links/unsubscribe-links.ts';
import { takeInstead } from '../ledger/persons/members.ts';
import { isUnsubscribed, readStopped, recordLeft, suppressionReasons } from '../ledger/persons/opt-outs.ts';
import type { Table } from '../ledger/table.ts';
import { readPresentName } from '../ledger/renamed-reports.ts';
import { isOpenTo, longerReport, type LongerReport } from './longer-report.ts';

export type UnsubscribeRequest = ReturnType<typeof readRequest>;

/** To leave, the way back, the report that comes less often, or nothing that we know. Any method but POST wants nothing. */
export type Wish = 'unsubscribe' | 'resubscribe' | 'instead' | 'nothing';

/**
 * Reads the event of an HTTP API (payload format 2.0). Throws a `valibot` error for any other event: only a wrong
 * wiring makes one.
 */
export function readRequest(event: unknown) {
  const { rawPath, body, isBase64Encoded, requestContext } = v.parse(httpEventSchema, event);
  const { method } = requestContext.http;
  // Anybody may post: nobody's body is read before the token is known to be ours.
  const readWish = (): Wish =>
    method === 'POST' ? wishOf(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')) : 'nothing';
  return { method, token: rawPath.replace(publicPaths.unsubscribe, ''), readWish };
}

/**
 * RFC 8058 has mail programs post `List-Unsubscribe=One-Click`, as a form of either encoding; some add a line end, name another
 * type, or send no body. Whatever its form, that is the wish to leave; only a body that states something else is not.
 */
function wishOf(body: Buffer): Wish {
  const text = body.toString().trim();
  if (text === '' || (/list-unsubscribe/i.test(text) && /one-click/i.test(text))) return 'unsubscribe';
  return text === 'action=return' ? 'resubscribe' : text === 'action=instead' ? 'instead' : 'nothing';
}

/** The language of a page about a report that is not configured. */
const defaultLocale = 'en';

/**
 * The page: it asks, confirms that the subscriber has left, returned or taken another report instead, or says that they cannot, why
 * who returned gets no mail all the same, or that the link or the system does not work.
 */
const answersToWishes = ['ask', 'left', 'returned', 'instead', 'refused', ...suppressionReasons, 'forgotten'] as const;
export const pageKinds = [...answersToWishes, 'invalid', 'expired', 'busy'] as const;
type PageKind = (typeof pageKinds)[number];

/** The report that a page is about, or whose language it uses. */
type ReportOfShortPage = Pick<ReportWithoutSubscribers, 'title' | 'locale' | 'warningOf'>;

/** The answer to a request: its HTTP status, and the page with the report that it is about, and the one that comes less often. */
export interface UnsubscribeResponse {
  status: number;
  page: PageKind;
  report: ReportOfShortPage;
  longer?: LongerReport | null;
}

/**
 * Answers a request. GET and HEAD only read, so that a scanner that follows links unsubscribes nobody; POST unsubscribes,
 * subscribes again or takes the report that comes less often, any number of times. A valid link works even where its report is
 * gone, and an invalid or expired one never changes anything.
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
  const wish = readWish();
  const name = await readPresentName(table, claims.report, configuration.reports, madeMsOf(claims));
  const configured = configuration.reports.find((report) => report.name === name);
  // A report that is not configured may come back, or get another name: its subscribers' wish is recorded all the same.
  const report = configured ?? { name, title: name, locale: defaultLocale };
  const at = now.toISOString();
  const longer = configured === undefined ? null : longerReport(configured, configuration.reports);
  if (wish === 'instead' && longer !== null) {
    const names = { report: report.name, instead: longer.name };
    const isTaken = (await isOpenTo(table, hash, longer)) && (await takeInstead(table, hash, { ...names, at }));
    return { status: 200, page: isTaken ? 'instead' : 'refused', report, longer };
  }
  const isKnown = wish === 'unsubscribe' || wish === 'resubscribe';
  if (isKnown) await recordLeft(table, hash, report, { left: wish === 'unsubscribe', at });
  const hasLeft = await isUnsubscribed(table, hash, report);
  // Where the report is not configured, the page does not promise that its mails come again.
  const hasReturned = wish === 'resubscribe' && configured !== undefined;
  const stopped = hasReturned ? await readStopped(table, hash) : null;
  const isAnswered = isKnown || method === 'GET' || method === 'HEAD';
  const status = isAnswered ? 200 : method === 'POST' ? 400 : 405;
  const stop = stopped?.forgottenAt != null ? 'forgotten' : stopped?.suppression?.reason;
  const page = hasLeft ? 'left' : hasReturned ? (stop ?? 'returned') : 'ask';
  const isOffered = page === 'ask' && longer !== null && (await isOpenTo(table, hash, longer));
  return { status, page, report, longer: isOffered ? longer : null };
}

/** Of every response. A page loads nothing, and its buttons post to where it came from. */
const headers = {
  ...headersOfEveryResponse,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Makes answers into responses, without a body for HEAD. */
export function createUnsubscribeResponses(...settings: Parameters<typeof createPages>) {
  const renderPage = createPages(...settings);
  return ({ status, page, report, longer }: UnsubscribeResponse, { method }: { method: string }) => {
    const body = method === 'HEAD' ? '' : renderPage(page, report, longer);
    return { statusCode: status, headers, body, isBase64Encoded: false };
  };
}

export function createPages(templates: ShortPageTemplates, mail: Pick<ConfigurationWithoutAddresses['mail'], 'brand'>) {
  const render = createShortPages(templates, mail);
  return (kind: PageKind, report: ReportOfShortPage, longer: UnsubscribeResponse['longer']): string =>
    render(report.locale, (wording) => {
      const titles = { title: titleOf(report, wording), longer: longer?.title ?? '' };
      const say = (key: TextKey): string => wording.say(key, titles);
      const buttons = viewButtons(kind, longer?.every, say);
      return { title: say('page.title'), heading: say(`page.${kind}`), note: say(`page.${kind}Note`), buttons };
    });
}

/** The button to unsubscribe sends what a mail program sends (RFC 8058), so that there is one way to do so. */
function viewButtons(kind: PageKind, longer: LongerReport['every'] | undefined, say: (key: TextKey) => string) {
  const quiet = (key: TextKey, field: string, value: string) => ({ label: say(key), field, value, quiet: true });
  const unsubscribe = quiet('page.leave', 'List-Unsubscribe', 'One-Click');
  const offers = longer ? [quiet(`page.offer.${longer}`, 'action', 'instead')] : [];
  if (kind === 'ask') return [{ ...unsubscribe, quiet: false }, ...offers];
  if (kind === 'returned' || kind === 'refused') return [unsubscribe];
  if (kind === 'left') return [quiet('page.return', 'action', 'return')];
  return kind === 'instead' ? [quiet('page.undo', 'action', 'return')] : [];
}
