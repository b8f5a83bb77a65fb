import { Logger } from '@aws-lambda-powertools/logger';
import configuration from 'virtual:configuration-of-pages' with { type: 'json' };
import { html, locales, logo, shortPage } from 'virtual:templates';
import { tableName } from '../environment.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { answerOrBusy, anyReportOf, type HttpResponse } from '../links/public-function.ts';
import { answerPageRequest, refuse } from './answer.ts';
import { createPageResponses, readPageRequest } from './http.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'page' });
const respond = createPageResponses({ html, locales, logo, shortPage }, configuration.mail);
const busy = () => refuse('busy', anyReportOf(configuration.reports));

/** Serves the page behind a mail's link. Logs neither links nor names. */
export async function handler(event: unknown): Promise<HttpResponse> {
  const request = readPageRequest(event);
  const now = new Date();
  const answer = await answerOrBusy(() => answerPageRequest(request, { configuration, table, now }), busy, logger);
  const response = await respond(answer, request);
  logger.info('Answered.', { method: request.method, status: response.statusCode, shows: answer.shows });
  return response;
}
