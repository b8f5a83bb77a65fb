import { readFile } from 'node:fs/promises';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { addressKey } from '../../../functions/ledger/addresses/addresses.ts';
import {
  combineSubscribers,
  putLedgerSubscribers,
  readLedgerSubscribers,
  type LedgerSubscriber,
} from '../../../functions/ledger/addresses/subscribers.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';
import { createProgress } from '../../local/output/progress.ts';
import { readAddressFile } from '../addresses/address-file.ts';
import { columns, count, done, type CommandResult } from '../command-line/answer.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { findReport } from '../find.ts';
import { record } from '../record.ts';

/** Everybody who gets a report's next run: the configured ones, and those whom operators added, by whom and when. */
export async function listSubscribers(target: LedgerTarget, name: string): Promise<CommandResult> {
  const report = findReport(target.configuration, name);
  const inLedger = await readLedgerSubscribers(target.table, report);
  const subscribers = combineSubscribers(report.subscribers, inLedger).toSorted(byAddress);
  const removed = report.subscribers.filter((address) => inLedger.get(addressKey(address))?.state === 'removed');
  const rows = subscribers.map(({ address, added }) => [address, added?.by ?? 'configuration', added?.at ?? '']);
  const lines = [
    ...columns(['address', 'added by', 'at'], rows),
    `${count(subscribers.length, 'subscriber')} of "${report.name}".`,
    ...removed.map((address) => `Removed, though configured: ${address}`),
  ];
  return done({ report: report.name, subscribers, removed }, lines);
}

/** Adds subscribers: they get the report's next run. */
export async function addSubscribers(
  target: LedgerTarget,
  name: string,
  addresses: readonly string[],
): Promise<CommandResult> {
  return await add(target, findReport(target.configuration, name), checkAddresses(addresses));
}

/** Adds the subscribers of a CSV file. Nothing is added where a line of it is wrong. */
export async function importSubscribers(target: LedgerTarget, name: string, path: string): Promise<CommandResult> {
  const report = findReport(target.configuration, name);
  const { addresses, doubles, faults } = readAddressFile(await readText(path));
  if (addresses.length === 0 && faults.length === 0) faults.push('The file holds no address.');
  if (faults.length > 0) throw new UsageError(faults);
  const answer = await add(target, report, addresses);
  return doubles === 0
    ? answer
    : { ...answer, lines: [...answer.lines, `${count(doubles, 'line')} repeated another.`] };
}

/** Removes subscribers: from the next run on they get nothing, also where the configuration names them. */
export async function removeSubscribers(
  target: LedgerTarget,
  name: string,
  addresses: readonly string[],
): Promise<CommandResult> {
  const report = findReport(target.configuration, name);
  const inLedger = await readLedgerSubscribers(target.table, report);
  const present = new Set(combineSubscribers(report.subscribers, inLedger).map(({ address }) => addressKey(address)));
  const keys = checkAddresses(addresses).map(addressKey);
  const leaving = keys.filter((key) => present.has(key));
  const { by, at } = stamp(target);
  if (leaving.length > 0) {
    const detail = count(leaving.length, 'subscriber');
    await record(target, { report: report.name }, { what: 'remove-subscribers', detail });
    const removals = leaving.map((key): LedgerSubscriber => ({ key, state: 'removed', by, at }));
    await putLedgerSubscribers(target.table, report.name, removals);
  }
  const absent = keys.length - leaving.length;
  const lines = [`Removed ${count(leaving.length, 'subscriber')} of "${report.name}".`];
  if (absent > 0) lines.push(`${count(absent, 'address', 'addresses')} had not subscribed.`);
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
    await record(target, { report }, { what: 'add-subscribers', detail: count(joining.length, 'subscriber') });
    const progress = createProgress();
    await putLedgerSubscribers(target.table, report, joining, (written) =>
      progress.say(`Adding subscribers: ${written} of ${joining.length} …`),
    );
    progress.end();
  }
  const known = addresses.length - joining.length;
  const lines = [`Added ${count(joining.length, 'subscriber')} to "${report}". They get the next run.`];
  if (known > 0) lines.push(`${count(known, 'address', 'addresses')} had subscribed before.`);
  return done({ report, added: joining.length, known }, lines);
}

function stamp({ operator }: LedgerTarget): { by: string; at: string } {
  return { by: operator, at: Temporal.Now.instant().toString() };
}

/** Each address once. Throws a `UsageError` that says which are none, by their places and never their text. */
export function checkAddresses(addresses: readonly string[]): string[] {
  const wrong = addresses.flatMap((address, index) => (v.is(Address, address) ? [] : [index + 1]));
  if (wrong.length > 0) {
    throw new UsageError(
      wrong.map((place) => `Address ${place} of ${addresses.length} is none such as name@example.com.`),
    );
  }
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
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
