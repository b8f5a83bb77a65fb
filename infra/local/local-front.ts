import { forPages, type Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { anyReportOf, publicPaths, type HttpResponse } from '../../functions/links/public-function.ts';
import { createUnsubscribeTokens } from '../../functions/links/unsubscribe-links.ts';
import { answerPageRequest, refuse } from '../../functions/page/answer.ts';
import { createPageResponses, readPageRequest } from '../../functions/page/http.ts';
import { answerRequest, createUnsubscribeResponses, readRequest } from '../../functions/unsubscribe/answer.ts';
import { loadTemplates, templatesFolder } from '../build/load-templates.ts';
import { localTableName, startDynamoDb } from './emulators/dynamodb.ts';
import { jsonAnswer } from './emulators/aws-protocol.ts';
import { serveOnLoopback, type Loopback } from './loopback.ts';
import { localPublicUrl, localUnsubscribeSecret, StateInUseError } from './state-folder.ts';

/**
 * Serves what links in the mails of a state folder lead to, at `localPublicUrl`, unless another view does, which it says. The
 * ledger is open only while a request is answered, so that another run may use it; while one does, the answer is that it did
 * not work.
 */
export async function startLocalFront(stateDir: string, configuration: Configuration): Promise<Loopback> {
  const shown = forPages(configuration);
  const anyReport = anyReportOf(shown.reports);
  const templates = await loadTemplates(templatesFolder, configuration.mail.logo);
  const respondWithPage = createPageResponses(templates, shown.mail);
  const respond = createUnsubscribeResponses(templates, shown.mail);

  const fromLedger = async <Answer>(read: (table: Table) => Promise<Answer>, busy: Answer): Promise<Answer> => {
    try {
      await using open = new AsyncDisposableStack();
      const { client } = open.adopt(await startDynamoDb(stateDir), (ledger) => ledger.close());
      return await read(createTable(client, localTableName));
    } catch (error) {
      if (error instanceof StateInUseError) return busy;
      throw error;
    }
  };
  const functions: Record<PublicName, (event: unknown) => Promise<HttpResponse>> = {
    page: async (event) => {
      const request = readPageRequest(event);
      const answer = (table: Table) => answerPageRequest(request, { configuration: shown, table, now: new Date() });
      return await respondWithPage(await fromLedger(answer, refuse('busy', anyReport)), request);
    },
    unsubscribe: async (event) => {
      const request = readRequest(event);
      const tokens = createUnsubscribeTokens(await localUnsubscribeSecret(stateDir));
      const answer = (table: Table) => answerRequest(request, { configuration: shown, table, tokens, now: new Date() });
      return respond(await fromLedger(answer, { status: 503, page: 'busy', report: anyReport }), request);
    },
  };
  // One after the other, since each opens the ledger.
  let last: Promise<unknown> = Promise.resolve();
  const invoke = (name: PublicName, event: unknown): Promise<HttpResponse> => {
    const response = last.then(() => functions[name](event));
    last = response.catch(() => undefined);
    return response;
  };
  const url = localPublicUrl(stateDir);
  try {
    const names: PublicName[] = configuration.mail.page ? ['unsubscribe', 'page'] : ['unsubscribe'];
    return await startHttpApi(names, invoke, Number(new URL(url).port));
  } catch (error) {
    if (Object(error).code !== 'EADDRINUSE') throw error;
    console.error(`Another view, or another program, has ${url}: the links in the mails work while it is a view.`);
    return { url, close: () => Promise.resolve() };
  }
}

type PublicName = keyof typeof publicPaths;

/**
 * Serves the HTTP API of the public front on loopback, by default on a port that the system chooses: each request below the path
 * of one of the functions `names` becomes an event of payload format 2.0, and
 * the function's result the answer. A function that fails is a 500, and what is below no path a 404, as it is there.
 */
export function startHttpApi(
  names: readonly PublicName[],
  invoke: (name: PublicName, event: unknown) => Promise<HttpResponse>,
  port: number,
): Promise<Loopback> {
  return serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url, 'http://loopback');
    const name = names.find((name) => pathname.startsWith(publicPaths[name]) && pathname !== publicPaths[name]);
    if (name === undefined) return jsonAnswer(404, { message: 'Not Found' });
    // As much of an event as the functions read.
    const event = {
      rawPath: pathname,
      headers: Object.fromEntries(Object.entries(request.headers).map(([header, value]) => [header, String(value)])),
      requestContext: { http: { method: request.method } },
      body: request.body.toString('base64'),
      isBase64Encoded: true,
    };
    const { statusCode: status, headers, body, isBase64Encoded } = await invoke(name, event);
    return { status, headers, body: isBase64Encoded ? Buffer.from(body, 'base64') : body };
  }, port);
}
