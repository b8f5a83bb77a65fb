import { Logger } from '@aws-lambda-powertools/logger';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import configuration from 'virtual:configuration-of-pages';
import { locales, logo, page, shortPage } from 'virtual:templates';
import { signingSecretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createPageTokens, type PageTokens, readSigningSecret } from '../signed-links/tokens.ts';
import { answerPageRequest, refuse, type PageAnswer } from './answer.ts';
import { createPageResponses, readPageRequest, type PageRequest, type UrlResponse } from './http.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = inOwnWords(new SecretsManagerClient({}));
const logger = new Logger({ serviceName: 'page' });
const respond = createPageResponses({ page, locales, logo, shortPage }, configuration.mail);
let tokens: Promise<PageTokens> | null = null;

/** Serves the page behind a mail's link, at the function's own URL. Logs neither tokens nor names. */
export async function handler(event: unknown): Promise<UrlResponse> {
  const request = readPageRequest(event);
  const answer = await answerOrRefuse(request);
  const response = await respond(answer, request);
  logger.info('Answered.', { method: request.method, status: response.statusCode, shows: answer.shows });
  return response;
}

async function answerOrRefuse(request: PageRequest): Promise<PageAnswer> {
  try {
    return await answerPageRequest(request, { configuration, table, openTokens, now: new Date() });
  } catch (error) {
    tokens = null;
    logger.error('Could not answer.', { code: error instanceof Error ? error.name : 'unknown' });
    const [report] = configuration.reports;
    if (report === undefined) throw error;
    return refuse('busy', report);
  }
}

function openTokens(): Promise<PageTokens> {
  tokens ??= readSigningSecret(secrets, signingSecretName()).then(createPageTokens);
  return tokens;
}
