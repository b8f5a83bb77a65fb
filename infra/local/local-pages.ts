import { fileURLToPath } from 'node:url';
import { forPages, type Configuration } from '../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../functions/ledger/table.ts';
import { pageLinkId } from '../../functions/ledger/page-links.ts';
import { anyReportOf } from '../../functions/links/public-function.ts';
import { answerPageRequest, refuse, type PageAnswer } from '../../functions/page/answer.ts';
import { createPageResponses, readPageRequest, type PageRequest, type UrlResponse } from '../../functions/page/http.ts';
import { loadTemplates } from '../build/load-templates.ts';
import { localTableName, openLedger } from './emulators/dynamodb.ts';
import { startFunctionUrl } from './emulators/lambda/function-url.ts';
import { StateInUseError } from './state-folder.ts';

const templates = fileURLToPath(new URL('../../templates', import.meta.url));

/** The pages of a state folder's ledger, on loopback. */
export type LocalPages = Awaited<ReturnType<typeof startLocalPages>>;

/**
 * Serves the pages of a state folder's ledger. The ledger is open only while a page is read, so that another run may use it;
 * while one does, the page says that it did not work.
 */
export async function startLocalPages(stateDir: string, configuration: Configuration) {
  const shown = forPages(configuration);
  const respond = createPageResponses(await loadTemplates(templates, configuration.mail.logo), shown.mail);
  const read = async (request: PageRequest): Promise<PageAnswer> => {
    await using open = new AsyncDisposableStack();
    const { client } = open.adopt(await openLedger(stateDir), (ledger) => ledger.close());
    const table = createTable(client, localTableName);
    return await answerPageRequest(request, { configuration: shown, table, now: new Date() });
  };
  const answer = async (event: unknown): Promise<UrlResponse> => {
    const request = readPageRequest(event);
    const page = await read(request).catch((error: unknown) => {
      if (!(error instanceof StateInUseError)) throw error;
      return refuse('busy', anyReportOf(configuration.reports));
    });
    return await respond(page, request);
  };
  // One after the other, since each opens the ledger.
  let last: Promise<unknown> = Promise.resolve();
  const server = await startFunctionUrl((event) => {
    const response = last.then(() => answer(event));
    last = response.catch(() => undefined);
    return response.then((payload) => ({ payload }));
  });
  return {
    ...server,
    /** A mail's html whose link to a page, which led to a system that has ended, leads here. */
    leadHere: (html: string): string => html.replaceAll(linkOnLoopback, `${server.url}/$<id>`),
  };
}

/** Other links on loopback are longer. */
const linkOnLoopback = new RegExp(`http://127\\.0\\.0\\.1:\\d+/(?<id>${pageLinkId.source})(?![\\w.-])`, 'g');
