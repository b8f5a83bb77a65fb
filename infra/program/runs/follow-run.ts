import { setTimeout as sleep } from 'node:timers/promises';
import { countItems, phases, type CollectionKey, type Phase } from '../../../functions/ledger/runs/collections.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
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
  // An execution that fails while the ledger is being read is noticed below.
  ended.catch(() => undefined);
  let reported = '';
  try {
    for (;;) {
      const run = await read();
      const text = run === null ? 'Starting' : await describeProgress(table, run);
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

/** How far a run is, in words: what was collected so far and of how much, then the messages sent. */
export async function describeProgress(
  table: Table,
  { run, state, digest, collection, intended }: Run,
): Promise<string> {
  if (digest === undefined) {
    return `${run}: ${collection === undefined ? state : await describeCollection(table, { run, collection })}`;
  }
  if (state === 'done' || state === 'failed') return `${run}: ${state}`;
  if (state !== 'sending') return `${run}: the digest is ready`;
  let sent = 0;
  for await (const message of readMessages(table, run)) if (message.state === 'sent') sent += 1;
  return `${run}: ${sent} of ${intended} messages sent`;
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
  return text;
}
