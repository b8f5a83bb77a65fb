import { Logger } from '@aws-lambda-powertools/logger';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import configuration from 'virtual:configuration-without-addresses' with { type: 'json' };
import { locales, shortPage } from 'virtual:templates';
import { unsubscribeSecretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { answerOrBusy, anyReportOf, headersOfEveryResponse } from '../links/public-function.ts';
import { createUnsubscribeTokens, readUnsubscribeSecret, type UnsubscribeTokens } from '../links/unsubscribe-links.ts';
import { answerRequest, createPages, readRequest, type UnsubscribeResponse } from './answer.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'unsubscribe' });
const renderPage = createPages({ shortPage, locales }, configuration.mail);
const secrets = inOwnWords(new SecretsManagerClient({}));
let tokens: UnsubscribeTokens | null = null;
const busy = (): UnsubscribeResponse => ({ status: 503, page: 'busy', report: anyReportOf(configuration.reports) });

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
  const answer = async (): Promise<UnsubscribeResponse> => {
    tokens ??= createUnsubscribeTokens(await readUnsubscribeSecret(secrets, unsubscribeSecretName()));
    return await answerRequest(request, { configuration, table, tokens, now });
  };
  const { status, page, report } = await answerOrBusy(answer, { logger, busy });
  const body = request.method === 'HEAD' ? '' : renderPage(page, report);
  logger.info('Answered.', { method: request.method, status, page });
  return { statusCode: status, headers, body };
}
