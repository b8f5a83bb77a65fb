import { paginateScan, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { recordExpires } from '../../../functions/ledger/retention.ts';
import { readItem, type StoredItem, type Table } from '../../../functions/ledger/table.ts';
import { failureIn, failureNamed } from '../../../functions/domain/failures.ts';
import { recordAction, type Action } from '../../../functions/ledger/runs/actions.ts';
import { putTriggerSubscribers } from '../../../functions/ledger/persons/persons.ts';
import type { DurableExecution } from '../../local/emulators/lambda/durable-engine.ts';
import type { Loopback } from '../../local/loopback.ts';
import { createProgress, printable, UsageError } from '../command-line/result.ts';

/** What became of a trigger: what the run function did, or why it refused it or failed. */
export type TriggerOutcome = ReturnType<typeof triggerOutcomeOf>;

/** What became of a trigger, from how its execution ended: most failures are answers. Of an error the engine keeps name and message. */
export function triggerOutcomeOf({ result, error }: Pick<DurableExecution, 'result' | 'error'>) {
  const failure = error === undefined ? failureIn(result) : failureNamed(error.ErrorType, error.ErrorMessage);
  return { result, failure };
}

/**
 * Every item of a ledger's table, in no order, with a line of progress while it is read. For operators only: no function may scan.
 * They need it to find an address wherever it is, for which there is no key.
 */
export async function* scanTable(client: DynamoDBClient, TableName: string): AsyncGenerator<StoredItem> {
  using progress = createProgress();
  let items = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) yield readItem(item);
    items += Items.length;
    if (items >= 1_000) progress.say(`Reading the ledger: ${items} items so far …`);
  }
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
  /** The folder with the mails of a local target. */
  outbox?: string;
  /** The state folder of a local target. */
  state?: string;
  /** Takes an address off the account's own suppression list; whether it was on it. The embedded SES suppresses nobody by itself. */
  liftFromAccount?: (address: string) => Promise<boolean>;
  /** Why the account's own suppression list has an address, such as "bounce"; `null` where it does not. */
  readFromAccount?: (address: string) => Promise<string | null>;
  /** Where links in mails lead, without a slash at its end; missing where that is there only while `serveFront` serves it. */
  publicUrl?: string;
  /** Serves what links of a local target lead to on loopback, also once the target is closed. */
  serveFront?: () => Promise<Loopback>;
}

type Payload = Readonly<Record<string, unknown>>;

/** A target whose run function can be triggered, too. */
export interface RunTarget extends LedgerTarget {
  /**
   * Triggers the run function, and returns what waits for the execution's end. A second trigger with the same `name` has no
   * effect.
   */
  trigger(payload: Payload, name: string): Promise<() => Promise<TriggerOutcome>>;
}

type Operation = Pick<Action, 'what' | 'run' | 'detail'>;
type Order = Operation & { report: string; run: string };

/**
 * Records in the ledger what the operator is about to do. Returns the record's key. The clock is read here, and not by the
 * commands, since the record says when it was written.
 */
export async function recordOperation(target: LedgerTarget, subject: string, action: Operation): Promise<string> {
  const { configuration, table, operator } = target;
  const now = Temporal.Now.instant();
  const expiresAt = recordExpires(configuration.ledger, new Date(now.epochMilliseconds));
  return await recordAction(table, subject, { ...action, by: operator, at: now.toString() }, expiresAt);
}

/**
 * Records an order to the run function, then gives it: `to` these subscribers, of whom it passes on a key. Returns what waits
 * for the end of its execution.
 */
export async function order(target: RunTarget, ordered: Order, payload: Payload, to?: readonly string[]) {
  const { report, ...action } = ordered;
  const kept = { ...target.configuration.ledger, now: new Date() };
  const subscribers = to && { subscribers: await putTriggerSubscribers(target.table, to, kept) };
  const operation = await recordOperation(target, report, action);
  return await target.trigger({ ...payload, ...subscribers, operation }, operation);
}

/** Whether the operator confirmed in advance. */
export type YesFlag = { yes: boolean };

/** Asks the operator for a yes. Throws a `UsageError` where nobody can be asked and `--yes`, or the `flag` in its place, is not given. */
export async function confirm(question: string, { yes }: YesFlag, flag = '--yes'): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError(`${question} Re-run with ${flag} to confirm.`);
  // Not imported, as few commands ask.
  const { createInterface } = process.getBuiltinModule('node:readline/promises');
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  return /^y(es)?$/i.test((await terminal.question(`${printable(question)} [y/N] `)).trim());
}

/**
 * Says whom an order reaches, and asks before subscribers are mailed from a deployed stack, which is named: npm drops `--local`
 * where it does not follow `--`, and nobody could tell that it was typed.
 */
export async function confirmMailing(whom: string, { stack }: RunTarget, flags: YesFlag): Promise<boolean> {
  process.stderr.write(`${printable(whom)}\n`);
  return stack === null || (await confirm(`It is sent from ${stack}. Go on?`, flags));
}
