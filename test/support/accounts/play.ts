import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/digest/schema.ts';
import { instantText, periodBefore, runName } from '../../../functions/domain/period.ts';
import { readDigest } from '../../../functions/ledger/runs/digests.ts';
import { insertRun, recordSending, requireRun } from '../../../functions/ledger/runs/runs.ts';
import { createReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { failureOfStatus } from '../../../functions/reporting-service/requests/failure.ts';
import { labelOf, type Ask } from '../../../functions/reporting-service/requests/request.ts';
import { addressOf } from '../../../infra/local/sample-account/server.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { composeAndStore, needOf } from '../../../functions/run/compose.ts';
import { CodedError } from '../../../functions/domain/failures.ts';
import { connectTo } from '../../functions/reporting-service/connect.ts';
import { configured } from '../../functions/run/configured.ts';
import { observerWith, type Connect, type Observing } from '../../functions/run/observe/observing.ts';
import { dating } from '../dating.ts';
import { replyAt } from '../service/answers.ts';
import type { Account } from './account.ts';
import { createMemoryTable } from './memory-table.ts';
import { serve, type Answered } from './serve.ts';

/** What one run of a report gave: its digest, or the code of its failure. */
export type Outcome = { digest: Digest } | { failure: string };

interface Settings {
  report?: object;
  service?: object;
  /** In place of answers in this process; how executions observe. */
  connect?: (table: Table) => Connect;
  observing?: Observing;
}

/**
 * An account that is observed and reported on, in one process, without Lambda: what the service answers goes through the worker into
 * facts of a ledger, and from there into digests, each after the one before. Instants are epoch milliseconds.
 */
export function playOf(account: Account, settings: Settings = {}) {
  const { timeZone } = account.form;
  const ratingFilter = { name: 'rating', values: ['1', '2', '3', '4', '5'] };
  const configuration = configured({
    report: { schedule: { every: 'week', on: 'monday', at: '08:00', timeZone }, ...settings.report },
    service: { baseUrl: 'https://service.example.com', account: 'account', ratingFilter, ...settings.service },
  });
  const log: Answered[] = [];
  let table = createMemoryTable();

  const observe = async (atMs: number, need = { endMs: atMs }) => {
    const { answers, answered } = serve(account, atMs);
    const ask = askOf(answers);
    const connect = settings.connect?.(table) ?? ((service) => connectWith(ask, service));
    const observer = observerWith(connect, { configuration, table });
    try {
      return await observer.observe({ ...settings.observing, clock: new Date(atMs).toISOString(), need });
    } finally {
      if (answered.asked.size > 0) log.push(answered);
    }
  };
  return {
    /** What was answered so far, one observation after the other. */
    log,
    observe,
    /** Runs a report at an instant, by its settings then; of an earlier instant, `nowMs` is when it is run. */
    run: async (atMs: number, over: object = {}, nowMs = atMs): Promise<Outcome> => {
      const [configuredReport] = configuration.reports;
      if (configuredReport === undefined) throw new Error('There is no report.');
      const report = { ...configuredReport, ...over };
      const period = periodBefore(report.schedule.every, timeZone, instantText(atMs, timeZone));
      const plan = { run: runName(report.name, period), report: report.name, period, intended: 1 };
      try {
        const at = new Date(atMs).toISOString();
        await insertRun(table, { ...plan, scheduledTime: at, plannedAt: at }, 0);
        const observation = await observe(nowMs, needOf(report, plan));
        const options = { configuration, table, report, dating, hold: false, now: new Date(nowMs) };
        await composeAndStore(plan, observation, options);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { failure: error.name };
      }
      const run = await requireRun(table, report.name, period);
      await recordSending(table, run);
      return { digest: await readDigest(table, run.run, run.digest ?? '') };
    },
    /** The ledger is lost. */
    lose: (): void => void (table = createMemoryTable()),
    table: () => table,
  };
}

/** A worker's connection to answers, without HTTP: what becomes of requests on the way is tested by itself. */
function connectWith(ask: Ask, settings: Configuration['service']) {
  const tally = createTally();
  const counted: Ask = (request) => {
    tally.request(request.endpoint, '200');
    return ask(request);
  };
  const { tokens } = connectTo(settings.baseUrl);
  return { tally, service: createReportingService({ settings, http: counted, tokens, tally }) };
}

function askOf(answers: Parameters<typeof replyAt>[2]): Ask {
  return async (request) => {
    const { url } = request;
    const address = addressOf(url.pathname);
    if (address === null) throw new Error(`Nobody should ask for ${url.pathname}.`);
    const { status, headers, body } = replyAt(address, url, answers);
    if (status !== 200) throw failureOfStatus(labelOf(request), status).error;
    const text = body.toString();
    return { status, headers: new Headers({ ...headers }), text, body: JSON.parse(text), askedAt: 0 };
  };
}
