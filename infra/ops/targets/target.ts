import type { LocalPages } from '../../local/pages/local-pages.ts';
import type { PagePlace } from '../../local/pages/page-link.ts';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { StoredItem, Table } from '../../../functions/ledger/table.ts';
import { failureIn, type Failure } from '../../../functions/run/failure.ts';

/** What became of a trigger: what the run function did, or why it refused it or failed. */
export type TriggerOutcome = { status: 'succeeded'; result: unknown } | { status: 'failed'; failure: Failure };

/** What became of a trigger, from what its execution returned: most failures are answers. */
export function outcomeOfAnswer(result: unknown): TriggerOutcome {
  const failure = failureIn(result);
  return failure === null ? { status: 'succeeded', result } : { status: 'failed', failure };
}

/** What operators work on: the ledger of a deployed stack or of a folder. */
export interface LedgerTarget {
  configuration: Configuration;
  table: Table;
  /** Every item of the ledger, in no order. */
  scan: () => AsyncGenerator<StoredItem>;
  /** The operator, recorded in the ledger with every action. */
  operator: string;
  /** The flags that lead to this target again, for commands that are suggested to the operator. */
  flags: readonly string[];
  /** The folder with the mails of a local target. */
  outbox?: string;
  /** Takes an address off the account's own suppression list; whether it was on it. `null` where there is no such list. */
  liftFromAccount(address: string): Promise<boolean | null>;
  /**
   * Where the pages behind mails are, and the secret of their links; `null` where mails lead to none, or the pages are there only
   * while `servePages` serves them.
   */
  readPagePlace(): Promise<PagePlace | null>;
  /** Serves the pages on loopback, also once the target is closed; `null` where they are deployed, or mails lead to none. */
  servePages: (() => Promise<LocalPages>) | null;
  close(): Promise<void>;
}

/** The event that the run function is invoked with. */
export type TriggerPayload = Readonly<Record<string, unknown>>;

/** A target whose run function can be triggered, too. */
export interface RunTarget extends LedgerTarget {
  /** The deployed stack, in words, which mails real subscribers; `null` for the local system. */
  stack: string | null;
  /**
   * Triggers the run function. A second trigger with the same `name` has no effect. `ended` waits for the execution's
   * end. `say` is for what leaves nothing in the ledger that could be followed, and says where the target sees it
   * what the execution is doing.
   */
  trigger(
    payload: TriggerPayload,
    options: { name: string; say?: (text: string) => void },
  ): Promise<{ ended: () => Promise<TriggerOutcome> }>;
}
