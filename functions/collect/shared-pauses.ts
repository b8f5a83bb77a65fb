import { putPause, readBackoff, type CollectionKey } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ConcurrencyLimiter } from '../reporting-service/requests/concurrency-limiter.ts';

/** How often a worker looks whether another one was told to pause. */
const everyMs = 1_000;

/** The pauses that the workers of a run share: what one of them is ordered, all of them obey. */
export interface SharedPauses {
  /** Tells the others of a pause that the service ordered. */
  tell(pauseMs: number): void;
  /** Ends the looking, once all is told. */
  close(): Promise<void>;
}

/** Shares pauses by the ledger where there are several workers. Nobody waits for it: a pause that came late is short. */
export function sharePauses(
  table: Table,
  key: CollectionKey,
  limiter: ConcurrencyLimiter,
  workers: number,
): SharedPauses {
  if (workers === 1) return { tell: () => undefined, close: () => Promise.resolve() };
  let known = 0;
  let told: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<void> => {
    const until = await readBackoff(table, key, Date.now());
    if (until === null || until <= known) return;
    known = until;
    limiter.slowDown(until - Date.now());
  };
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // What cannot be read now is read the next time; the service itself tells this worker, too.
    looking = look().catch(() => undefined);
  }, everyMs);
  return {
    tell: (pauseMs) => {
      known = Math.max(known, Date.now() + pauseMs);
      told = Promise.all([told, putPause(table, key, known).catch(() => undefined)]);
    },
    close: async () => {
      clearInterval(timer);
      await Promise.all([told, looking]);
    },
  };
}
