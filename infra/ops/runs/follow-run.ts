import { setTimeout as sleep } from 'node:timers/promises';
import { readCoverages } from '../../../functions/ledger/runs/collections.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { readRun } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { mergeCoverage } from '../../../functions/reporting-service/coverage.ts';
import { partsOfRunName } from '../../../functions/domain/period.ts';
import { count } from '../command-line/answer.ts';
import type { TriggerOutcome } from '../targets/target.ts';

const everyMs = 1_000;

/** Reports what a run is doing, as read from the ledger, until its execution has ended. */
export async function followRun(
  table: Table,
  run: string,
  ended: Promise<TriggerOutcome>,
  say: (text: string) => void,
): Promise<TriggerOutcome> {
  let reported = '';
  for (;;) {
    const text = await describeRun(table, run);
    // Where standard error is no terminal each line stays, so a line is not repeated.
    if (text !== reported) say(text);
    reported = text;
    const outcome = await Promise.race([ended, sleep(everyMs, null)]);
    if (outcome !== null) return outcome;
  }
}

/** A run's stage and its numbers of requests and messages, in one line. */
async function describeRun(table: Table, name: string): Promise<string> {
  const { report, startDate } = partsOfRunName(name);
  const run = await readRun(table, report, startDate);
  if (run === null) return `${name}: starting`;
  const stage = run.digest === undefined && run.collection !== undefined ? 'collecting' : run.state;
  const parts = [`${name}: ${stage}`];
  if (run.collection !== undefined) {
    const requests = await countRequests(table, run.run, run.collection);
    parts.push(count(requests, 'request'));
  }
  if (run.digest !== undefined) {
    let sent = 0;
    for await (const { state } of readMessages(table, run.run)) if (state === 'sent') sent += 1;
    parts.push(`${sent} of ${count(run.intended, 'message')} sent`);
  }
  return parts.join(', ');
}

async function countRequests(table: Table, run: string, collection: string): Promise<number> {
  const { requests } = mergeCoverage(await readCoverages(table, { run, collection }));
  return Object.values(requests)
    .flatMap((byStatus) => Object.values(byStatus))
    .reduce((sum, each) => sum + each, 0);
}
