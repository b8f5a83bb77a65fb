import { readFile } from 'node:fs/promises';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import {
  combineSubscribers,
  putLedgerSubscribers,
  readLedgerSubscribers,
  type LedgerSubscriber,
} from '../../../functions/ledger/addresses/subscribers.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readAddressFile } from '../addresses/address-file.ts';
import { columns, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { createProgress } from '../command-line/progress.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Lists everybody who gets a report's next run: configured subscribers, and those that operators added, by whom and when. */
export async function listSubscribers(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const { inLedger, all } = await readSubscribers(target, report);
  const subscribers = all.toSorted(byAddress);
  const removed = report.subscribers.filter((address) => inLedger.get(addressKey(address))?.state === 'removed');
  const rows = subscribers.map(({ address, added }) => [
    address,
    added?.by ?? 'configuration',
    added === null ? '' : sayInstant(added.at, report.schedule.timeZone),
  ]);
  const lines = [
    ...columns(['address', 'added by', 'at'], rows),
    `${count(subscribers.length, 'subscriber')} of "${report.name}".`,
    ...removed.map((address) => `Removed, though configured: ${address}`),
  ];
  return done({ report: report.name, subscribers, removed }, lines);
}

/** Adds subscribers: they get every run of the report from now on. */
export async function addSubscribers(
  target: LedgerTarget,
  configured: ReportConfiguration,
  addresses: readonly string[],
): Promise<CommandResult> {
  const { name: report } = configured;
  const { present } = await readSubscribers(target, configured);
  const stamp = { by: target.operator, at: Temporal.Now.instant().toString() };
  const joining = addresses
    .map((address): LedgerSubscriber => ({ key: addressKey(address), state: 'added', address, ...stamp }))
    .filter(({ key }) => !present.has(key));
  if (joining.length > 0) {
    await recordOperation(target, { report }, { what: 'add-subscribers', detail: count(joining.length, 'subscriber') });
    const progress = createProgress();
    await putLedgerSubscribers(target.table, report, joining, (written) =>
      progress.say(`Adding subscribers: ${written} of ${joining.length} …`),
    );
    progress.end();
  }
  const known = addresses.length - joining.length;
  const from =
    joining.length === 0 ? '' : ' They get every run from now on, and the current one if it is triggered again.';
  return done({ report, added: joining.length, known }, [
    `Added ${count(joining.length, 'subscriber')} to "${report}".${from}`,
    ...(known === 0
      ? []
      : [`${count(known, 'address', 'addresses')} ${known === 1 ? 'was' : 'were'} already subscribed.`]),
  ]);
}

/** Adds the subscribers in a CSV file. Where one line is wrong, nothing is added. */
export async function importSubscribers(
  target: LedgerTarget,
  report: ReportConfiguration,
  path: string,
): Promise<CommandResult> {
  const { addresses, doubles, faults } = readAddressFile(await readText(path));
  if (addresses.length === 0 && faults.length === 0) faults.push('The file has no addresses.');
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  const answer = await addSubscribers(target, report, addresses);
  if (doubles === 0) return answer;
  return { ...answer, lines: [...answer.lines, `${count(doubles, 'line')} repeated another.`] };
}

/** Removes subscribers: they get nothing from the next run on, even where the configuration names them. */
export async function removeSubscribers(
  target: LedgerTarget,
  configured: ReportConfiguration,
  addresses: readonly string[],
): Promise<CommandResult> {
  const { name: report } = configured;
  const { present } = await readSubscribers(target, configured);
  const stamp = { by: target.operator, at: Temporal.Now.instant().toString() };
  const leaving = addresses.map(addressKey).filter((key) => present.has(key));
  if (leaving.length > 0) {
    const detail = count(leaving.length, 'subscriber');
    await recordOperation(target, { report }, { what: 'remove-subscribers', detail });
    const removals = leaving.map((key): LedgerSubscriber => ({ key, state: 'removed', ...stamp }));
    await putLedgerSubscribers(target.table, report, removals);
  }
  const absent = addresses.length - leaving.length;
  return done({ report, removed: leaving.length, absent }, [
    `Removed ${count(leaving.length, 'subscriber')} of "${report}".`,
    ...(absent === 0
      ? []
      : [`${count(absent, 'address', 'addresses')} ${absent === 1 ? 'was' : 'were'} not subscribed.`]),
  ]);
}

/** A report's subscribers: what the ledger has of them, those who get its next run, and the keys of their addresses. */
async function readSubscribers({ table }: LedgerTarget, report: ReportConfiguration) {
  const inLedger = await readLedgerSubscribers(table, report);
  const all = combineSubscribers(report.subscribers, inLedger);
  return { inLedger, all, present: new Set(all.map(({ address }) => addressKey(address))) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read.`);
  }
}

function byAddress(a: { address: string }, b: { address: string }): number {
  return a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1;
}
