import { setTimeout as sleep } from 'node:timers/promises';
import {
  countItems,
  phases,
  readCoverages,
  type CollectionKey,
  type Phase,
} from '../../../functions/ledger/runs/collections.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { countRequests, mergeCoverage } from '../../../functions/reporting-service/coverage.ts';
import { createProgress } from '../command-line/answer.ts';

const lookEveryMs = 1_000;

/**
 * Says on standard error what a run is doing, as `read` finds it in the ledger, until `ended` resolves. Gives what that gives.
 */
export async function followRun<Ended extends object>(
  table: Table,
  read: () => Promise<Run | null>,
  ended: Promise<Ended>,
): Promise<Ended> {
  const progress = createProgress();
  const progressOf = createRunProgress(table);
  // An execution that fails while the ledger is being read is noticed below.
  ended.catch(() => undefined);
  let reported = '';
  try {
    for (;;) {
      const run = await read();
      const text = run === null ? 'Starting' : await progressOf(run, performance.now());
      // Where standard error is no terminal each line stays, so a line is not repeated.
      if (text !== reported) progress.say(`${text} …`);
      reported = text;
      const outcome = await Promise.race([ended, sleep(lookEveryMs, null, { ref: false })]);
      if (outcome !== null) return outcome;
    }
  } finally {
    progress.end();
  }
}

/** What the items of each phase of a collection are. */
const itemsOf: Readonly<Record<Phase, string>> = {
  broadcasts: 'broadcasts read',
  recipients: 'deliveries counted',
  contents: 'content items counted',
};

/** A rate that was measured for less than this says little. */
const leastMeasuredMs = 2_000;

/**
 * How far a run is, in words, each time that it is asked with the run as it is and a clock's milliseconds: the deliveries,
 * broadcasts and content items collected so far and of how many, then the messages sent, and the time that is left at the
 * rate since the first time it was asked while they were sent.
 */
export function createRunProgress(table: Table): (run: Run, nowMs: number) => Promise<string> {
  let begun: Sending | null = null;
  return async (run, nowMs) => {
    if (run.digest !== undefined) {
      if (run.state === 'done' || run.state === 'failed') return `${run.run}: ${run.state}`;
      if (run.state !== 'sending') return `${run.run}: the digest is ready`;
      const sending = { sent: await countAccepted(table, run.run), nowMs };
      begun ??= sending;
      return `${run.run}: ${sending.sent} of ${run.intended} messages sent${timeLeft(begun, sending, run.intended)}`;
    }
    if (run.collection === undefined) return `${run.run}: ${run.state}`;
    return `${run.run}: ${await describeCollection(table, { run: run.run, collection: run.collection })}`;
  };
}

/** How many messages were sent at a clock's milliseconds. */
interface Sending {
  sent: number;
  nowMs: number;
}

async function countAccepted(table: Table, run: string): Promise<number> {
  let sent = 0;
  for await (const { state } of readMessages(table, run)) if (state === 'sent') sent += 1;
  return sent;
}

/** The time that the rest of the messages takes at the rate so far; nothing where there is no rate yet. */
function timeLeft(begun: Sending, { sent, nowMs }: Sending, intended: number): string {
  const tookMs = nowMs - begun.nowMs;
  const sentSince = sent - begun.sent;
  if (tookMs < leastMeasuredMs || sentSince === 0 || sent >= intended) return '';
  const seconds = Math.ceil(((intended - sent) * tookMs) / sentSince / 1000);
  return seconds < 120 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
}

/** How much of a collection is stored, in words: of the phase that is under way, what was found of what is wanted. */
async function describeCollection(table: Table, key: CollectionKey): Promise<string> {
  let text = 'reading the list of deliveries';
  for (const phase of phases) {
    const wanted = await countItems(table, key, 'WORK', phase);
    if (wanted === 0) continue;
    const found = Math.min(wanted, await countItems(table, key, 'FOUND', phase));
    text = `${found} of ${wanted} ${itemsOf[phase]}`;
    if (found < wanted) break;
  }
  const requests = countRequests(mergeCoverage(await readCoverages(table, key)));
  return requests === 0 ? text : `${text}, ${requests} requests`;
}
