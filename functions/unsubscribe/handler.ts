import { Logger } from '@aws-lambda-powertools/logger';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import configuration from 'virtual:configuration-without-addresses';
import { locales, shortPage } from 'virtual:templates';
import { tableName, signingSecretName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { createUnsubscribeTokens, readSigningSecret, type UnsubscribeTokens } from '../signed-links/tokens.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { answerRequest, readRequest, type UnsubscribeResponse } from './answer.ts';
import { createPages } from './page.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = inOwnWords(new SecretsManagerClient({}));
const logger = new Logger({ serviceName: 'unsubscribe' });
const renderPage = createPages({ shortPage, locales }, configuration.mail);
let tokens: Promise<UnsubscribeTokens> | null = null;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** Serves the page behind a mail's unsubscribe link, at the function's own URL. Logs neither addresses nor tokens. */
export async function handler(event: unknown): Promise<{ statusCode: number; headers: typeof headers; body: string }> {
  const request = await readRequest(event);
  const { status, page, report } = await answer(request);
  const body = request.method === 'HEAD' ? '' : renderPage(page, report);
  logger.info('Answered.', { method: request.method, status, page });
  return { statusCode: status, headers, body };
}

async function answer(request: Awaited<ReturnType<typeof readRequest>>): Promise<UnsubscribeResponse> {
  try {
    tokens ??= readSigningSecret(secrets, signingSecretName()).then(createUnsubscribeTokens);
    return await answerRequest(request, { configuration, table, tokens: await tokens, now: new Date() });
  } catch (error) {
    tokens = null;
    logger.error('Could not answer.', { code: error instanceof Error ? error.name : 'unknown' });
    const [report] = configuration.reports;
    if (report === undefined) throw error;
    return { status: 503, page: 'busy', report };
  }
}
