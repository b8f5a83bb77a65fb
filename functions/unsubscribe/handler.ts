import { Logger } from '@aws-lambda-powertools/logger';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import configuration from 'virtual:configuration-without-addresses' with { type: 'json' };
import { locales, shortPage } from 'virtual:templates';
import { unsubscribeSecretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { answerOrBusy, anyReportOf, type HttpResponse } from '../links/public-function.ts';
import { createUnsubscribeTokens, readUnsubscribeSecret, type UnsubscribeTokens } from '../links/unsubscribe-links.ts';
import { answerRequest, createUnsubscribeResponses, readRequest, type UnsubscribeResponse } from './answer.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'unsubscribe' });
const respond = createUnsubscribeResponses({ shortPage, locales }, configuration.mail);
const secrets = inOwnWords(new SecretsManagerClient({}));
let tokens: UnsubscribeTokens | null = null;
const busy = (): UnsubscribeResponse => ({ status: 503, page: 'busy', report: anyReportOf(configuration.reports) });

/** Serves the page behind a mail's unsubscribe link. Logs neither addresses nor tokens. */
export async function handler(event: unknown): Promise<HttpResponse> {
  const request = readRequest(event);
  const now = new Date();
  const answer = async (): Promise<UnsubscribeResponse> => {
    tokens ??= createUnsubscribeTokens(await readUnsubscribeSecret(secrets, unsubscribeSecretName()));
    return await answerRequest(request, { configuration, table, tokens, now });
  };
  const answered = await answerOrBusy(answer, busy, logger);
  logger.info('Answered.', { method: request.method, status: answered.status, page: answered.page });
  return respond(answered, request);
}
