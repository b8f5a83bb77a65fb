import * as v from 'valibot';
import { forPages, type Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable, type Table } from '../../functions/ledger/table.ts';
import { anyReportOf, type HttpResponse } from '../../functions/links/public-function.ts';
import { createUnsubscribeTokens } from '../../functions/links/unsubscribe-links.ts';
import { answerPageRequest, refuse } from '../../functions/page/answer.ts';
import { createPageResponses, readPageRequest } from '../../functions/page/http.ts';
import {
  answerRequest,
  createUnsubscribeResponses,
  readRequest,
  type UnsubscribeResponse,
} from '../../functions/unsubscribe/answer.ts';
import { loadTemplates, templatesFolder } from '../build/load-templates.ts';
import { localTableName, startDynamoDb } from './emulators/dynamodb.ts';
import { startHttpApi, type PublicName } from './emulators/http-api.ts';
import type { Loopback } from './emulators/loopback.ts';
import { localPublicUrl, localUnsubscribeSecret, StateInUseError } from './state-folder.ts';

const portTaken = v.object({ code: v.literal('EADDRINUSE') });

/**
 * Serves what links in the mails of a state folder lead to, at `localPublicUrl`, unless another view does; where another program
 * has that port, on another one. It says where it is not as usual. The ledger is open only while a request is answered, so that
 * another run may use it; while one does, the answer is that it did not work.
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
      const request = await readRequest(event);
      const tokens = createUnsubscribeTokens(await localUnsubscribeSecret(stateDir));
      const answer = (table: Table) => answerRequest(request, { configuration: shown, table, tokens, now: new Date() });
      const busy: UnsubscribeResponse = { status: 503, page: 'busy', report: anyReport };
      return respond(await fromLedger(answer, busy), request);
    },
  };
  // One after the other, since each opens the ledger.
  let last: Promise<unknown> = Promise.resolve();
  const start = (port?: number): Promise<Loopback> =>
    startHttpApi(
      configuration.mail.page ? ['unsubscribe', 'page'] : ['unsubscribe'],
      (name, event) => {
        const response = last.then(() => functions[name](event));
        last = response.catch(() => undefined);
        return response.then((payload) => ({ payload }));
      },
      port,
    );
  const url = localPublicUrl(stateDir);
  try {
    return await start(Number(new URL(url).port));
  } catch (error) {
    if (!v.is(portTaken, error)) throw error;
    const there = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    if (there?.headers.has('x-amzn-requestid')) {
      console.error('The links in the mails work while the view that was opened before this one is open.');
      return { url, close: () => Promise.resolve() };
    }
    const other = await start();
    console.error(
      `Another program has the port of ${url}, so that the links in earlier mails do not work. Those of new mails lead to ${other.url}, and work until this view ends.`,
    );
    return other;
  }
}
