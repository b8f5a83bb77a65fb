import { paginateScan, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { readItem, type StoredItem, type Table } from '../../../functions/ledger/table.ts';
import { failureIn, failureNamed, type Failure } from '../../../functions/run/failure.ts';
import type { DurableExecution } from '../../local/emulators/lambda/durable-engine.ts';
import type { Loopback } from '../../local/emulators/loopback.ts';
import { createProgress } from '../command-line/answer.ts';

/** What became of a trigger: what the run function did, or why it refused it or failed. */
export type TriggerOutcome = { status: 'succeeded'; result: unknown } | { status: 'failed'; failure: Failure };

/** What became of a trigger, from how its execution ended: most failures are answers. Of an error the engine keeps name and message. */
export function triggerOutcomeOf({ result, error }: Pick<DurableExecution, 'result' | 'error'>): TriggerOutcome {
  const failure = error === undefined ? failureIn(result) : failureNamed(error.ErrorType, error.ErrorMessage);
  return failure === null ? { status: 'succeeded', result } : { status: 'failed', failure };
}

/**
 * Every item of a ledger's table, in no order, with a line of progress while it is read. For operators only: no function may scan.
 * They need it to find an address wherever it is, for which there is no key.
 */
export async function* scanTable(client: DynamoDBClient, TableName: string): AsyncGenerator<StoredItem> {
  const progress = createProgress();
  let items = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) yield readItem(item);
    items += Items.length;
    if (items >= 1_000) progress.say(`Reading the ledger: ${items} items so far …`);
  }
  progress.end();
}

/** What operators work on: the ledger of a deployed stack or of a folder. */
export interface LedgerTarget extends AsyncDisposable {
  configuration: Configuration;
  /** The deployed stack, in words, which mails real subscribers; `null` for the local system. */
  stack: string | null;
  table: Table;
  /** Every item of the ledger, or of another table, in no order. */
  scan: (tableName?: string) => AsyncGenerator<StoredItem>;
  /** The operator, recorded in the ledger with every action. */
  operator: string;
  /** The flags that lead to this target again, for commands that are suggested to the operator. */
  flags: readonly string[];
  /** The folder with the mails of a local target; `null` where they were mailed. */
  outbox: string | null;
  /** The state folder of a local target; `null` where it is deployed. */
  state: string | null;
  /** Takes an address off the account's own suppression list; whether it was on it. `null` where there is no such list. */
  liftFromAccount(address: string): Promise<boolean | null>;
  /** Why the account's own suppression list has an address, such as "bounce"; `null` where it does not, or there is no list. */
  readFromAccount(address: string): Promise<string | null>;
  /** Where links in mails lead, without a slash at its end; `null` where that is there only while `serveFront` serves it. */
  publicUrl: string | null;
  /** Serves what links lead to on loopback, also once the target is closed; `null` where it is deployed. */
  serveFront: (() => Promise<Loopback>) | null;
}

/** A target whose run function can be triggered, too. */
export interface RunTarget extends LedgerTarget {
  /**
   * Triggers the run function, and returns what waits for the execution's end. A second trigger with the same `name` has no
   * effect.
   */
  trigger(payload: Readonly<Record<string, unknown>>, name: string): Promise<() => Promise<TriggerOutcome>>;
}
