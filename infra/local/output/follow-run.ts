import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { createRunProgress } from './run-progress.ts';

const everyMs = 1_000;

/** Reports what a run is doing, as read from the ledger by `read` and from `table`, until `ended` resolves. Gives what that gives. */
export async function followRun<Ended extends object>(
  { table, read, say }: { table: Table; read: () => Promise<Run | null>; say: (text: string) => void },
  ended: Promise<Ended>,
): Promise<Ended> {
  const progressOf = createRunProgress(table);
  // An execution that fails while the ledger is being read is noticed below.
  ended.catch(() => undefined);
  let reported = '';
  for (;;) {
    const run = await read();
    const text = run === null ? 'Starting' : await progressOf(run, performance.now());
    // Where standard error is no terminal each line stays, so a line is not repeated.
    if (text !== reported) say(`${text} …`);
    reported = text;
    const outcome = await Promise.race([ended, sleep(everyMs, null, { ref: false })]);
    if (outcome !== null) return outcome;
  }
}
