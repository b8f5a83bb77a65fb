import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { countWords } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { endSuppressed } from '../../../functions/ledger/notices.ts';
import { addMembers, readMembers, removeMembers } from '../../../functions/ledger/persons/members.ts';
import { endForgotten, readForgotten } from '../../../functions/ledger/persons/opt-outs.ts';
import { letExpire, openHashes, type Person } from '../../../functions/ledger/persons/persons.ts';
import { recordReportSeen } from '../../../functions/ledger/reports.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import { recordExpires } from '../../../functions/ledger/retention.ts';
import { addressesIn } from '../command-line/address-file.ts';
import { columns, createProgress, done, UsageError, type CommandResult } from '../command-line/result.ts';
import { chooseReport } from '../command-line/choices.ts';
import { columnFlag, defineCommand, openLedger, yesFlag, type Given } from '../command-line/command.ts';
import { addresses as readWords } from '../command-line/flags.ts';
import { describeStanding, readKnown, waysBack, type Known } from '../persons/known.ts';
import { confirm, recordOperation, type YesFlag, type LedgerTarget } from '../targets/target.ts';

const parts = ['list', 'add', 'remove', 'import', 'export'] as const;
type Part = (typeof parts)[number];
type SubscriberFlags = YesFlag & { column?: string };

export default defineCommand({
  words: '<REPORT> <PART> [ADDRESSES...]',
  parts,
  does: 'who gets a report: people join and leave without a deployment; import takes a CSV file, export prints one',
  more: 'list says who gets the next mail, and why. Who is removed gets no further mail, not even from an open run.',
  example: 'subscribers weekly import people.csv',
  flags: [columnFlag, yesFlag],
  work: async (place: Given<SubscriberFlags>, name: string, part: Part, words: string[]) => {
    const report = chooseReport(place.configuration, name);
    const onlyReads = part === 'list' || part === 'export';
    if (!onlyReads && words.length === 0)
      throw new UsageError(part === 'import' ? 'import needs a CSV file.' : `${part} needs an address.`);
    const values = part === 'import' ? words : readWords(words);
    await using target = await openLedger(place, { mustExist: onlyReads });
    return await subscribersCommand(target, report, part, values, place);
  },
});

/**
 * Lists the subscribers of a report, with who of them gets no mail and why, or exports them as CSV; or adds or removes the
 * addresses in `values`, or imports those in the file that it names: where one of its lines is wrong, nothing is added.
 */
export async function subscribersCommand(
  target: LedgerTarget,
  report: ReportConfiguration,
  part: Part,
  values: readonly string[] = [],
  flags: SubscriberFlags = { yes: false },
): Promise<CommandResult> {
  if (part === 'list') return await listSubscribers(target, report);
  if (part === 'export') return await exportSubscribers(target, report);
  if (part === 'remove') return await removeSubscribers(target, report, values);
  const file = part === 'import' ? await addressesIn(values[0] ?? '', flags) : null;
  if (file !== null) return await addSubscribers(target, report, file.addresses, file);
  if (!(await knowAgain(target, values, flags))) return done({ added: 0 }, ['Nothing was done.']);
  return await addSubscribers(target, report, values);
}

/** Ends, with a yes, that some of these addresses were forgotten. Whether there is that yes, or need of none. */
async function knowAgain(target: LedgerTarget, addresses: readonly string[], flags: YesFlag): Promise<boolean> {
  const { table } = target;
  const hashOf = await openHashes(table);
  const persons = addresses.map((address) => ({ hash: hashOf(address) }));
  const hashes = await readForgotten(table, persons);
  if (hashes.size === 0) return true;
  const forgotten = addresses.filter((address) => hashes.has(hashOf(address))).join(', ');
  if (!(await confirm(`Forgotten: ${forgotten}. Did they ask to be known again, and added?`, flags))) return false;
  const detail = count(hashes.size, 'address', 'addresses');
  await recordOperation(target, addressesSubject, { what: 'end-forgotten', detail });
  const at = new Date().toISOString();
  for (const hash of hashes) await endForgotten(table, hash, at);
  return true;
}

/** Whether the configuration or an operator made somebody a subscriber, and no operator removed them. */
function isSubscriber({ isConfigured, standing: { member } }: Known): boolean {
  return member === null ? isConfigured : member.state === 'added';
}

async function listSubscribers(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const known = (await readKnown(target, report)).filter((person) => person.isConfigured || isSubscriber(person));
  const subscribers = known.map(({ address, gets, why }) => ({ address, gets, why }));
  const getting = subscribers.filter(({ gets }) => gets).length;
  const headings = ['address', 'gets it', 'why'];
  return done({ report: report.name, subscribers }, [
    ...columns(headings, subscribers, ({ address, gets, why }) => [address, gets ? 'yes' : 'no', why]),
    `${count(getting, 'subscriber')} of "${report.name}" ${getting === 1 ? 'gets' : 'get'} the next mail.`,
    ...sayTakenInVain(target, known),
    ...waysBack(known.map(({ standing }) => standing)),
  ]);
}

/** Says of reports that are gone by how many they were taken in place of this one. */
function sayTakenInVain({ configuration }: LedgerTarget, known: readonly Known[]): string[] {
  const taken = known.flatMap(({ standing: { instead } }) => instead ?? []);
  const gone = taken.filter((name) => configuration.reports.every((report) => report.name !== name));
  return Object.entries(countWords(gone)).map(([name, persons]) => {
    return `${count(persons, 'person')} took "${name}", which cdk.json no longer has: they get neither.`;
  });
}

/**
 * The subscribers as the lines of a CSV file (RFC 4180) that `import` reads. A space before what a spreadsheet would take for a
 * formula has it read as text.
 */
async function exportSubscribers(target: LedgerTarget, report: ReportConfiguration): Promise<CommandResult> {
  const subscribers = (await readKnown(target, report)).filter(isSubscriber).map(({ address, standing }) => {
    const { by, at } = standing.member ?? { by: 'configuration', at: '' };
    return { address, by, at };
  });
  const lines = [['email', 'added by', 'at'], ...subscribers.map(Object.values<string>)].map((cells) =>
    cells.map((cell) => `"${cell.replace(/^(?=[=+@-])/, ' ').replaceAll('"', '""')}"`).join(','),
  );
  return done({ report: report.name, subscribers }, lines);
}

/** So many of those who get no mail although they were added are named. */
const mostNamed = 20;

/** Adds persons: whom operators removed only where they are named one by one, because a file is the same as before they were. */
async function addSubscribers(
  target: LedgerTarget,
  report: ReportConfiguration,
  addresses: readonly string[],
  file?: Awaited<ReturnType<typeof addressesIn>>,
): Promise<CommandResult> {
  const { doubles, domains } = file ?? { doubles: 0, domains: [] };
  const persons = await readKnown(target, report, addresses);
  const forgotten = persons.filter(({ standing }) => standing.forgottenAt !== null);
  const removed = persons.filter(({ standing }) => file !== undefined && standing.member?.state === 'removed');
  const skipped = new Set([...forgotten, ...removed]);
  const open = persons.filter((person) => !skipped.has(person));
  const adding = open.filter((person) => !(isSubscriber(person) && person.isReachable));
  const known = open.length - adding.length;
  const detail = count(adding.length, 'subscriber');
  const stamp = stampOf(target);
  if (adding.length > 0) {
    await recordOperation(target, report.name, { what: 'add-subscribers', detail });
    using progress = createProgress();
    const onProgress = (added: number) => progress.say(`Adding subscribers: ${added} of ${adding.length} …`);
    await recordReportSeen(target.table, report, stamp.at);
    await addMembers(target.table, report.name, adding, { ...stamp, onProgress });
  }
  const member = { state: 'added', ...stamp } as const;
  const withheld = open.flatMap((person) => {
    const { gets, why } = describeStanding({ ...person.standing, member }, person);
    return gets ? [] : [{ address: person.address, why }];
  });
  const isAnyGetting = adding.some(({ address }) => withheld.every((person) => person.address !== address));
  return done({ report: report.name, added: adding.length, known, removed: removed.length, withheld }, [
    `Added ${detail} to "${report.name}".`,
    ...(isAnyGetting ? ['They get every run from now on, and the current one if it is triggered again.'] : []),
    ...sayOthers(known, 'already subscribed'),
    ...sayOthers(forgotten.length, 'forgotten, and not added'),
    ...sayOthers(removed.length, 'removed before, and not added: add whom you mean by name'),
    ...(doubles === 0 ? [] : [`${count(doubles, 'address', 'addresses')} repeated another.`]),
    ...[...domains].map(
      ([domain, ascii]) => `Mail to "${domain}" goes to ${ascii}, which is the same domain in Punycode.`,
    ),
    ...withheld.slice(0, mostNamed).map(({ address, why }) => `${address} gets no mail: ${why}.`),
    ...(withheld.length > mostNamed ? [`… and ${withheld.length - mostNamed} more.`] : []),
    ...waysBack(open.map(({ standing }) => Object.assign({}, standing, { member }))),
  ]);
}

function sayOthers(others: number, are: string): string[] {
  return others === 0 ? [] : [`${count(others, 'address', 'addresses')} ${others === 1 ? 'was' : 'were'} ${are}.`];
}

async function removeSubscribers(target: LedgerTarget, report: ReportConfiguration, addresses: readonly string[]) {
  const { table } = target;
  const persons = await readKnown(target, report, addresses);
  const removing = persons.filter(isSubscriber);
  const detail = count(removing.length, 'subscriber');
  // Also who is no subscriber: no import is to make them one.
  const deciding = persons.filter(({ standing }) => standing.member?.state !== 'removed');
  if (deciding.length > 0) {
    await recordOperation(target, report.name, { what: 'remove-subscribers', detail });
    await endSuppressed(table, removing, report);
    await recordReportSeen(table, report, new Date().toISOString());
    await removeMembers(table, report.name, deciding, stampOf(target));
    await letOthersExpire(target, report, removing);
  }
  const absent = persons.length - removing.length;
  return done({ report: report.name, removed: removing.length, absent }, [
    `Removed ${detail} of "${report.name}".`,
    ...sayOthers(absent, 'not subscribed'),
    ...(deciding.length === 0 ? [] : ['An import adds them no more: only "add" does.']),
  ]);
}

/** Who is added to no other report is stored no longer than the runs that have a mail for them. */
async function letOthersExpire(target: LedgerTarget, report: ReportConfiguration, removed: readonly Person[]) {
  const { table, configuration } = target;
  const staying = new Set<string>();
  for (const other of configuration.reports.filter(({ name }) => name !== report.name)) {
    for (const [hash, { state }] of await readMembers(table, other)) if (state === 'added') staying.add(hash);
  }
  const expiresAt = recordExpires(configuration.ledger, new Date());
  for (const { hash } of removed) if (!staying.has(hash)) await letExpire(table, hash, expiresAt);
}

/** Who changes a subscriber, and when. */
function stampOf({ operator }: LedgerTarget): { by: string; at: string } {
  return { by: operator, at: new Date().toISOString() };
}
