import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { forPages, type PageConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { periodBefore, runName, type Period } from '../../../functions/domain/period.ts';
import { putDigest } from '../../../functions/ledger/runs/digests.ts';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import * as runs from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import type { HttpResponse } from '../../../functions/links/public-function.ts';
import { answerPageRequest } from '../../../functions/page/answer.ts';
import { createPageResponses, readPageRequest } from '../../../functions/page/http.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestNamed } from '../../support/digests/corpus.ts';
import { configurationWith } from '../../support/configuration.ts';
import { openLedger } from '../ledger/open-ledger.ts';

/** When links are made, each for ninety days. */
const made = { days: 90, now: new Date('2026-11-16T08:00:00.250Z') };
/** The links are opened an hour after they were made. */
const openedAt = '2026-11-16T09:00:00Z';

/** The period of a weekly run that starts on this Monday. */
export function weekOf(startDate: string): Period {
  const later = new Date(Date.parse(`${startDate}T12:00:00Z`) + 7 * 86_400_000);
  return periodBefore('week', 'Europe/London', later.toISOString());
}

/** What is stored of a run. */
interface StoredRun {
  state?: runs.Run['state'];
  withheld?: 'held' | 'empty';
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  now?: string;
  configuration?: PageConfiguration;
}

/** The pages of a ledger of their own. */
export type Pages = Awaited<ReturnType<typeof openPages>>;

/** Opens a ledger without an item, and pages over it as the function serves them. */
export async function openPages() {
  const ledger = await openLedger();
  const configuration = forPages(configurationWith());
  const templates = await loadTemplates('templates');
  const respondUsual = createPageResponses(templates, configuration.mail);
  const { table } = ledger;
  return {
    ledger,
    configuration,
    storeRun: (report: string, startDate: string, stored?: StoredRun) => storeRun(table, report, startDate, stored),
    /** The path of a new link to a digest of a report, by default of that in the run's name. */
    linkTo: async (run: string, digest: string, report = run.replace(/_[^_]*$/, '')) =>
      `/page/${await insertPageLink(table, { report, run, digest }, made)}`,
    /** A response with its body as text, and how often it read the ledger. */
    ask: async (path: string, options: AskOptions = {}) => {
      const { method = 'GET', headers = {}, now = openedAt, configuration: given } = options;
      let reads = 0;
      const watched = new Proxy(table, {
        get: (of, name: keyof Table) => {
          if (['get', 'query'].includes(name)) reads += 1;
          return of[name];
        },
      });
      const request = readPageRequest({ rawPath: path, headers, requestContext: { http: { method } } });
      const context = { configuration: given ?? configuration, table: watched, now: new Date(now) };
      const answer = await answerPageRequest(request, context);
      const respond = given === undefined ? respondUsual : createPageResponses(templates, given.mail);
      const response = await respond(answer, request);
      return { status: response.statusCode, headers: response.headers, text: textOf(response), reads };
    },
  };
}

/** Stores a digest of a run and makes it the run's, which ends as `state`. Gives the digest's id. */
export async function storeRun(
  table: Table,
  report: string,
  startDate: string,
  { state = 'done', withheld }: StoredRun = {},
): Promise<string> {
  const period = weekOf(startDate);
  const run = runName(report, period);
  const times = { scheduledTime: period.end, plannedAt: period.end };
  await runs.insertRun(table, { run, report, period, ...times }, 4_000_000_000);
  const { kind, start, end, timeZone } = period;
  const stored = { ...digestNamed('an incomplete week'), run, report, period: { kind, start, end, timeZone } };
  await runs.recordObservation(table, { report, period }, { account: 'sample', observation: 'one' });
  const id = await putDigest(table, run, stored, 4_000_000_000);
  const planned = await runs.requireRun(table, report, period);
  await runs.keepDigest(table, planned, id, { withheld });
  const outcome = { state, sentNow: 1, finishedAt: period.end };
  if (withheld === undefined) await runs.recordOutcome(table, { ...planned, digest: id }, outcome);
  return id;
}

function textOf({ headers, body, isBase64Encoded }: HttpResponse): string {
  if (!isBase64Encoded) return body;
  // A workbook is no text.
  if (headers['content-disposition'] !== undefined) return '';
  expect(headers['content-encoding']).toBe('gzip');
  return gunzipSync(Buffer.from(body, 'base64')).toString();
}
