import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { changeCurrent, readCurrent } from '../../functions/ledger/observations.ts';
import { messageKey, readMessages } from '../../functions/ledger/runs/messages.ts';
import { runKey, type Run } from '../../functions/ledger/runs/runs.ts';
import type { Table } from '../../functions/ledger/table.ts';
import type { Receipt } from '../../functions/run/receipt/receipt.ts';
import { storing } from './local-error.ts';
import { lockState, StateInUseError } from './state-folder.ts';

// A dry run is a run on a throw-away copy of the ledger, whose embedded SES has an outbox of its own.

/** What a copy has no use for: the lock of the original, what is built or written again, and events of the original's mails. */
const notCopied = new Set(['lock', 'configurations', 'logs', 'ses-events']);

/** How the name of a copy's folder begins. It is locked for as long as its dry run lasts, whatever ends that. */
const copyPrefix = 'broadcast-digest-copy-';

/** Who looks whether a copy is locked writes into its lock's folder, while that is removed. */
const removing = { recursive: true, force: true, maxRetries: 5 } as const;

/** Removes the copies of dry runs that were killed. Gives the folders of those that are still open, or cannot be removed. */
export async function removeDeadCopies(): Promise<string[]> {
  const left: string[] = [];
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(copyPrefix))) {
    const folder = join(tmpdir(), name);
    // Locked until it is gone: several starts may find it, and a dry run be about to lock it for itself.
    await using lock = existsSync(join(folder, 'lock')) ? await lockState(folder).catch(() => null) : null;
    if (lock === null) left.push(folder);
    else await rm(folder, removing).catch(() => left.push(folder));
  }
  return left;
}

/** A new folder for a copy, and its lock. A start that took it for a dead one, as it was not locked yet, has it. */
async function lockedFolder() {
  for (;;) {
    const folder = await storing(tmpdir(), () => mkdtemp(join(tmpdir(), copyPrefix)));
    try {
      return { folder, lock: await lockState(folder) };
    } catch (error) {
      if (!(error instanceof StateInUseError)) throw error;
    }
  }
}

/**
 * Copies a state folder, if there is one, to a temporary folder that is removed when `started` is disposed of.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {LocalError} where a folder cannot be used
 */
export async function copyState(state: string, started: AsyncDisposableStack): Promise<string> {
  const { folder, lock } = await lockedFolder();
  started.use(lock);
  started.defer(() => rm(folder, removing));
  const copy = join(folder, 'state');
  await storing(copy, () => mkdir(copy));
  if (!existsSync(state)) return copy;
  await using _lock = await lockState(state);
  await storing(copy, () => cp(state, copy, { recursive: true, filter: (source) => !notCopied.has(basename(source)) }));
  return copy;
}

/** Removes a run and its messages from the copy, so that it is planned and collected again. */
export async function forgetRun(table: Table, run: Run): Promise<void> {
  for (const { id } of await readMessages(table, run.run)) await table.remove(messageKey(run.run, id));
  await table.remove(runKey(run));
}

/** Has the copy's next run read the account, whatever was read of it before. */
export async function forgetObservation(table: Table, account: string): Promise<void> {
  const current = await readCurrent(table, account);
  if (current?.closed === undefined) return;
  await changeCurrent(table, account, current, { closed: { ...current.closed, settings: 'of no run' } });
}

/** A configuration that holds no run: the copy's own SES may have every mail. */
export function withoutHolds(configuration: Configuration): Configuration {
  const unheld = { hold: 'never', whenIncomplete: 'send' } as const;
  return { ...configuration, reports: configuration.reports.map((report) => ({ ...report, ...unheld })) };
}

/** The receipt of a run on the copy, as it would be right before sending: what the copy's SES and webhooks took is planned, or held. */
export function asPlanned(receipt: Receipt, isHeld: boolean): Receipt {
  const outcome = isHeld ? 'held' : 'planned';
  const balance = { ...receipt.balance, sentNow: 0 };
  // A card has no id.
  const taken = new Set(receipt.messages.filter((message) => message.messageId !== null || message.outcome === 'sent'));
  for (const message of taken) balance[message.outcome] -= 1;
  balance[outcome] += taken.size;
  const messages = receipt.messages.map((message): typeof message =>
    taken.has(message) ? { to: message.to, outcome, messageId: null } : message,
  );
  const state = balance[outcome] === 0 || receipt.state === 'failed' ? receipt.state : isHeld ? 'held' : 'kept';
  return { ...receipt, state, messages, balance };
}
