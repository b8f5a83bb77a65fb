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
import { UsageError } from '../../local/command-line/usage-error.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { createProgress } from '../../local/output/progress.ts';
import { readAddressFile } from '../addresses/address-file.ts';
import { checkAddresses } from '../addresses/check-addresses.ts';
import { count } from '../../../functions/domain/counted-noun.ts';
import { columns, done, type CommandResult } from '../command-line/answer.ts';
import { faultsOfPart } from '../command-line/call-faults.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atLedger, command, readLedger } from '../command-line/command.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { lookUpReport } from '../targets/look-up.ts';
import { recordOperation } from '../../record-operation.ts';
import type { LedgerTarget } from '../targets/target.ts';

export function defineSubscribers(program: CheckedCommand, print: PrintAnswer): void {
  const parts = ['list', 'add', 'remove', 'import'];
  command(
    program,
    'subscribers <REPORT> <list|add|remove|import> [ADDRESSES...]',
    'who gets a report: people join and leave without a deployment; import takes a CSV file',
    'subscribers weekly import people.csv',
  )
    .check(([, part, ...rest]) => faultsOfPart(part, rest, parts))
    .action((report: string, part: string, rest: string[], flags: PlaceFlags) => {
      const [path = ''] = rest;
      if (part === 'list') return readLedger(flags, (target) => listSubscribers(target, report), print);
      if (part === 'import') return atLedger(flags, (target) => importSubscribers(target, report, path), print);
      const change = part === 'add' ? addSubscribers : removeSubscribers;
      return atLedger(flags, (target) => change(target, report, rest), print);
    });
}

/** Lists everybody who gets a report's next run: configured subscribers, and those that operators added, by whom and when. */
export async function listSubscribers(target: LedgerTarget, name: string): Promise<CommandResult> {
  const report = lookUpReport(target.configuration, name);
  const inLedger = await readLedgerSubscribers(target.table, report);
  const subscribers = combineSubscribers(report.subscribers, inLedger).toSorted(byAddress);
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
  name: string,
  addresses: readonly string[],
): Promise<CommandResult> {
  return await add(target, lookUpReport(target.configuration, name), checkAddresses(addresses));
}

/** Adds the subscribers in a CSV file. Where one line is wrong, nothing is added. */
export async function importSubscribers(target: LedgerTarget, name: string, path: string): Promise<CommandResult> {
  const report = lookUpReport(target.configuration, name);
  const { addresses, doubles, faults } = readAddressFile(await readText(path));
  if (addresses.length === 0 && faults.length === 0) faults.push('The file has no addresses.');
  if (faults.length > 0) throw new UsageError(faults);
  const answer = await add(target, report, addresses);
  return doubles === 0
    ? answer
    : { ...answer, lines: [...answer.lines, `${count(doubles, 'line')} repeated another.`] };
}

/** Removes subscribers: they get nothing from the next run on, even where the configuration names them. */
export async function removeSubscribers(
  target: LedgerTarget,
  name: string,
  addresses: readonly string[],
): Promise<CommandResult> {
  const report = lookUpReport(target.configuration, name);
  const inLedger = await readLedgerSubscribers(target.table, report);
  const present = new Set(combineSubscribers(report.subscribers, inLedger).map(({ address }) => addressKey(address)));
  const keys = checkAddresses(addresses).map(addressKey);
  const leaving = keys.filter((key) => present.has(key));
  const { by, at } = stamp(target);
  if (leaving.length > 0) {
    const detail = count(leaving.length, 'subscriber');
    await recordOperation(target, { report: report.name }, { what: 'remove-subscribers', detail });
    const removals = leaving.map((key): LedgerSubscriber => ({ key, state: 'removed', by, at }));
    await putLedgerSubscribers(target.table, report.name, removals);
  }
  const absent = keys.length - leaving.length;
  const lines = [`Removed ${count(leaving.length, 'subscriber')} of "${report.name}".`];
  if (absent > 0)
    lines.push(`${count(absent, 'address', 'addresses')} ${absent === 1 ? 'was' : 'were'} not subscribed.`);
  return done({ report: report.name, removed: leaving.length, absent }, lines);
}

async function add(
  target: LedgerTarget,
  configured: ReportConfiguration,
  addresses: readonly string[],
): Promise<CommandResult> {
  const { name: report } = configured;
  const inLedger = await readLedgerSubscribers(target.table, configured);
  const present = new Set(
    combineSubscribers(configured.subscribers, inLedger).map(({ address }) => addressKey(address)),
  );
  const { by, at } = stamp(target);
  const joining = addresses
    .map((address): LedgerSubscriber => ({ key: addressKey(address), state: 'added', address, by, at }))
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
  const lines = [`Added ${count(joining.length, 'subscriber')} to "${report}".${from}`];
  if (known > 0)
    lines.push(`${count(known, 'address', 'addresses')} ${known === 1 ? 'was' : 'were'} already subscribed.`);
  return done({ report, added: joining.length, known }, lines);
}

function stamp({ operator }: LedgerTarget): { by: string; at: string } {
  return { by: operator, at: Temporal.Now.instant().toString() };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UsageError([`The file "${path}" cannot be read.`]);
  }
}

function byAddress(a: { address: string }, b: { address: string }): number {
  return a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1;
}
