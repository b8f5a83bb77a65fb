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
import { decodeFile, readAddressFile, type AddressFile } from '../addresses/address-file.ts';
import { columns, done, sayInstant, type CommandResult, createProgress } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import { recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/**
 * Lists everybody who gets a report's next run, configured or added by operators, or exports them as CSV; or adds or removes
 * the `given` addresses, or imports those in the file of that name: where one of its lines is wrong, nothing is added.
 */
export async function subscribersCommand(
  target: LedgerTarget,
  report: ReportConfiguration,
  part: 'list' | 'add' | 'remove' | 'import' | 'export',
  given: readonly string[] = [],
  flags: { column?: string } = {},
): Promise<CommandResult> {
  const inLedger = await readLedgerSubscribers(target.table, report);
  const subscribers = combineSubscribers(report.subscribers, inLedger).toSorted(byAddress);
  if (part === 'list') {
    const removed = report.subscribers.filter((address) => inLedger.get(addressKey(address))?.state === 'removed');
    return listSubscribers(report, subscribers, removed);
  }
  if (part === 'export') return done({ report: report.name, subscribers }, writeCsv(subscribers));
  const present = new Set(subscribers.map(({ address }) => addressKey(address)));
  const file = part === 'import' ? await readFileOf(given, flags) : null;
  const addresses = file?.addresses ?? given;
  const changing = addresses.filter((address) => present.has(addressKey(address)) === (part === 'remove'));
  const others = addresses.length - changing.length;
  const [changed, were] = [count(changing.length, 'subscriber'), others === 1 ? 'was' : 'were'];
  const sayOthers = (are: string) => (others === 0 ? [] : [`${count(others, 'address', 'addresses')} ${were} ${are}.`]);
  if (part === 'remove') {
    await change(target, report, 'removed', changing);
    return done({ report: report.name, removed: changing.length, absent: others }, [
      `Removed ${changed} of "${report.name}".`,
      ...sayOthers('not subscribed'),
    ]);
  }
  await change(target, report, 'added', changing);
  const from = ' They get every run from now on, and the current one if it is triggered again.';
  return done({ report: report.name, added: changing.length, known: others }, [
    `Added ${changed} to "${report.name}".${changing.length === 0 ? '' : from}`,
    ...sayOthers('already subscribed'),
    ...(file?.heading ? [`The addresses are those below "${file.heading}".`] : []),
    ...(file?.doubles ? [`${count(file.doubles, 'address', 'addresses')} repeated another.`] : []),
  ]);
}

function listSubscribers(
  { name, schedule }: ReportConfiguration,
  subscribers: ReturnType<typeof combineSubscribers>,
  removed: readonly string[],
): CommandResult {
  const rows = subscribers.map(({ address, added }) => [
    address,
    added?.by ?? 'configuration',
    added === null ? '' : sayInstant(added.at, schedule.timeZone),
  ]);
  return done({ report: name, subscribers, removed }, [
    ...columns(['address', 'added by', 'at'], rows),
    `${count(subscribers.length, 'subscriber')} of "${name}".`,
    ...removed.map((address) => `Removed, though configured: ${address}`),
  ]);
}

/** Subscribers as the lines of a CSV file (RFC 4180) that `import` reads. */
function writeCsv(subscribers: ReturnType<typeof combineSubscribers>): string[] {
  const rows = subscribers.map(({ address, added }) => [address, added?.by ?? 'configuration', added?.at ?? '']);
  return [['email', 'added by', 'at'], ...rows].map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
  );
}

/** From the next run on they get every run of the report, or none, even where the configuration names them. */
async function change(
  target: LedgerTarget,
  { name: report }: ReportConfiguration,
  state: 'added' | 'removed',
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  const what = state === 'added' ? 'add-subscribers' : 'remove-subscribers';
  await recordOperation(target, { report }, { what, detail: count(addresses.length, 'subscriber') });
  const stamp = { by: target.operator, at: Temporal.Now.instant().toString() };
  const changes = addresses.map((address): LedgerSubscriber => {
    const key = addressKey(address);
    return state === 'added' ? { key, state, address, ...stamp } : { key, state, ...stamp };
  });
  const progress = createProgress();
  // Those who leave are named in the call: only a file has so many that it takes a while.
  const say = (written: number) => progress.say(`Adding subscribers: ${written} of ${addresses.length} …`);
  await putLedgerSubscribers(target.table, report, changes, state === 'added' ? say : undefined);
  progress.end();
}

async function readFileOf([path = '']: readonly string[], flags: { column?: string }): Promise<AddressFile> {
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`The file "${path}" cannot be read.`);
  });
  return readAddressFile(decodeFile(bytes), flags);
}

function byAddress(a: { address: string }, b: { address: string }): number {
  return a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1;
}
