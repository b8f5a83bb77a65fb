import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { StoredItem, Table } from '../../../functions/ledger/table.ts';
import type { Failure } from '../../../functions/run/failure.ts';

/** What an execution of the run function came to. */
export type TriggerOutcome = { status: 'succeeded'; result: unknown } | { status: 'failed'; failure: Failure };

/** The ledger as operators work on it, of a deployed stack or of a folder. */
export interface LedgerTarget {
  configuration: Configuration;
  table: Table;
  /** Every item of the ledger, in no order. */
  scan: () => AsyncGenerator<StoredItem>;
  /** Who is at the target: what the ledger notes beside every action. */
  operator: string;
  /** The flags that lead to this target again: what a command that is proposed has to have. */
  flags: readonly string[];
  /** Takes an address off the account's own suppression list; whether it was on it. `null` where there is no such list. */
  liftFromAccount(address: string): Promise<boolean | null>;
  close(): Promise<void>;
}

/** A trigger as it is handed to the run function. */
export type TriggerPayload = Readonly<Record<string, unknown>>;

/** A target from which the run function can be triggered, too. */
export interface RunTarget extends LedgerTarget {
  /**
   * Hands a trigger to the run function under a name of its own, so that handing it over twice is handing it over once.
   * `ended` says what came of it, for whoever waits.
   */
  trigger(
    payload: TriggerPayload,
    options: { name: string; say: (text: string) => void },
  ): Promise<{ ended: () => Promise<TriggerOutcome> }>;
}
