import { Logger } from '@aws-lambda-powertools/logger';
import configuration from 'virtual:configuration-without-addresses';
import { locales, shortPage } from 'virtual:templates';
import { tableName } from '../environment.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createAnswers, headersOfEveryResponse } from '../signed-links/public-function.ts';
import { createUnsubscribeTokens } from '../signed-links/link-tokens.ts';
import { answerRequest, createPages, readRequest, type ReportOfShortPage, type UnsubscribeResponse } from './answer.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'unsubscribe' });
const renderPage = createPages({ shortPage, locales }, configuration.mail);
const answerUnderTokens = createAnswers(logger, createUnsubscribeTokens, {
  reports: configuration.reports,
  busy: (report: ReportOfShortPage): UnsubscribeResponse => ({ status: 503, page: 'busy', report }),
});

/** It loads nothing, and its button posts to where it came from. */
const headers = {
  ...headersOfEveryResponse,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Serves the page behind a mail's unsubscribe link, at the function's own URL. Logs neither addresses nor tokens. */
export async function handler(event: unknown): Promise<{ statusCode: number; headers: typeof headers; body: string }> {
  const request = await readRequest(event);
  const now = new Date();
  const { status, page, report } = await answerUnderTokens(async (openTokens) =>
    answerRequest(request, { configuration, table, tokens: await openTokens(), now }),
  );
  const body = request.method === 'HEAD' ? '' : renderPage(page, report);
  logger.info('Answered.', { method: request.method, status, page });
  return { statusCode: status, headers, body };
}
