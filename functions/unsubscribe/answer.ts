import type { ConfigurationWithoutAddresses } from '../domain/configuration/configuration.ts';
import type { UnsubscribeTokens } from '../signed-links/unsubscribe-token.ts';
import { isUnsubscribed, unsubscribe, resubscribe } from '../ledger/addresses/unsubscriptions.ts';
import type { Table } from '../ledger/table.ts';
import { reportByName } from '../domain/report-names.ts';
import type { PageKind, ReportOfShortPage } from './page.ts';
import type { UnsubscribeRequest } from './request.ts';

/** The language of a page about a report that is not configured. */
const defaultLocale = 'en';

/** The answer to a request: its HTTP status, and the page with the report that it is about. */
export interface UnsubscribeResponse {
  status: number;
  page: PageKind;
  report: ReportOfShortPage;
}

interface UnsubscribeDependencies {
  configuration: Pick<ConfigurationWithoutAddresses, 'reports'>;
  table: Table;
  tokens: UnsubscribeTokens;
  now: Date;
}

/**
 * Answers a request. GET and HEAD only read, so that a scanner that follows links unsubscribes nobody; POST unsubscribes or
 * subscribes again, any number of times. A valid link works even where its report is gone, and an invalid or expired one
 * never changes anything.
 */
export async function answerRequest(
  { method, token, wants }: UnsubscribeRequest,
  dependencies: UnsubscribeDependencies,
): Promise<UnsubscribeResponse> {
  const { configuration, table, tokens, now } = dependencies;
  const [anyReport] = configuration.reports;
  if (anyReport === undefined) throw new Error('The configuration has no report.');
  const read = await tokens.read(token, now);
  if (read === 'expired') return { status: 410, page: 'expired', report: anyReport };
  if (read === 'invalid') return { status: 404, page: 'invalid', report: anyReport };
  const { addressKey } = read;
  const configured = reportByName(configuration.reports, read.report);
  // A report that is not configured may come back, or get another name: its subscribers' wish is recorded all the same.
  const report = configured ?? { name: read.report, formerly: [], title: read.report, locale: defaultLocale };
  if (method === 'POST' && wants === 'unsubscribe') {
    await unsubscribe(table, addressKey, report, now.toISOString());
    return { status: 200, page: 'left', report };
  }
  if (method === 'POST' && wants === 'resubscribe') {
    await resubscribe(table, addressKey, report, now.toISOString());
    // Where the report is not configured, the page does not promise that its mails come again.
    return { status: 200, page: configured === undefined ? 'ask' : 'returned', report };
  }
  const onlyReads = method === 'GET' || method === 'HEAD';
  const page = (await isUnsubscribed(table, addressKey, report)) ? 'left' : 'ask';
  return { status: onlyReads ? 200 : method === 'POST' ? 400 : 405, page, report };
}
