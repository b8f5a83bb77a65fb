import { createInterface } from 'node:readline/promises';
import { Temporal } from 'temporal-polyfill';
import { recordAction, type ActionName } from '../../../functions/ledger/runs/actions.ts';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { expiresAfterMonths } from '../../../functions/ledger/table.ts';
import { UsageError } from '../command-line/flags.ts';
import { printable } from '../command-line/print.ts';
import type { LedgerTarget, RunTarget, TriggerOutcome } from './target.ts';

/**
 * Records in the ledger what the operator is about to do. Returns the record's key. The clock is read here, and not by the
 * commands, since the record says when it was written.
 */
export async function recordOperation(
  { configuration, table, operator }: Pick<LedgerTarget, 'configuration' | 'table' | 'operator'>,
  subject: string,
  action: { what: ActionName; run?: string; detail?: string },
): Promise<string> {
  const now = Temporal.Now.instant();
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, new Date(now.epochMilliseconds));
  return await recordAction(table, subject, { ...action, by: operator, at: now.toString() }, expiresAt);
}

/**
 * Records an order to the run function, then gives it: `to` these subscribers, of whom it passes on a key. Returns what waits
 * for the end of its execution.
 */
export async function order(
  target: RunTarget,
  { report, ...action }: { what: ActionName; report: string; run: string; detail?: string },
  payload: Readonly<Record<string, unknown>>,
  to?: readonly string[],
): Promise<() => Promise<TriggerOutcome>> {
  const kept = { ...target.configuration.ledger, now: new Date() };
  const subscribers = to && { subscribers: await putTriggerSubscribers(target.table, to, kept) };
  const operation = await recordOperation(target, report, action);
  return await target.trigger({ ...payload, ...subscribers, operation }, operation);
}

/** Whether the operator confirmed in advance. */
export interface YesFlag {
  yes: boolean;
}

/** Asks the operator for a yes. Throws a `UsageError` where nobody can be asked and `--yes`, or the `flag` in its place, is not given. */
export async function confirm(question: string, { yes }: YesFlag, flag = '--yes'): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError(`${question} Re-run with ${flag} to confirm.`);
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
