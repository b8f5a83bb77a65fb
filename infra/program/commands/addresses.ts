import { rm } from 'node:fs/promises';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { countWords } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { endSuppressed, readSuppressed } from '../../../functions/ledger/notices.ts';
import { endMemberships } from '../../../functions/ledger/persons/members.ts';
import { lift, markForgotten, readOptOuts, recordLeft } from '../../../functions/ledger/persons/opt-outs.ts';
import { openHashes, readAddresses, removePerson } from '../../../functions/ledger/persons/persons.ts';
import { readReportsWithPersons } from '../../../functions/ledger/reports.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import { readMessage } from '../../../functions/ledger/runs/messages.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { outcomeOf } from '../../../functions/run/receipt/receipt.ts';
import { removeDeadCopies } from '../../local/dry-run.ts';
import { storing } from '../../local/local-error.ts';
import { addressesIn } from '../command-line/address-file.ts';
import { columns, createProgress, done, failed, sayInstant, UsageError } from '../command-line/result.ts';
import { chooseReport, chooseRun } from '../command-line/choices.ts';
import { columnFlag, defineCommand, flag, openLedger, yesFlag, type Given } from '../command-line/command.ts';
import { addresses as readWords } from '../command-line/flags.ts';
import { readKnown, waysBack } from '../persons/known.ts';
import { eventsOf, sayEvents } from '../runs/outcome.ts';
import { findTraces } from '../runs/outbox.ts';
import { confirm, recordOperation, type YesFlag, type LedgerTarget } from '../targets/target.ts';

const parts = ['list', 'show', 'lift', 'rejoin', 'forget'] as const;
type AddressFlags = YesFlag & { column?: string; run?: string; file?: string };

export default defineCommand({
  words: '<PART> [ADDRESSES...]',
  parts,
  does: 'who gets no mail; why an address got it or not; let it get mail again, or forget it',
  more: 'lift ends a suppression, on SES’s list too; rejoin REPORT ADDRESS that somebody left; forget erases the address.',
  example: 'addresses lift ada@example.com',
  flags: [
    flag('--run <RUN>', 'with lift: whom the events of this run’s mails suppressed').conflicts('file'),
    flag('--file <FILE>', 'with lift: the addresses in a CSV file'),
    columnFlag,
    yesFlag,
  ],
  work: async (place: Given<AddressFlags>, part: (typeof parts)[number], words: string[]) => {
    const names = part === 'rejoin' ? words.slice(0, 1) : [];
    const report = chooseReport(place.configuration, names[0]);
    const typed = readWords(words.slice(names.length));
    const [address = ''] = typed;
    const isFrom = place.run !== undefined || place.file !== undefined;
    const isNamed = part === 'lift' ? isFrom !== typed.length > 0 : !isFrom && typed.length === 1;
    const needed = part === 'lift' ? 'addresses, --run or --file' : 'an address';
    if (part !== 'list' && !isNamed) throw new UsageError(`${part} needs ${needed}.`);
    const inFile = place.file === undefined ? [] : (await addressesIn(place.file, place)).addresses;
    const opening = { mustExist: part === 'list' || part === 'show', erases: part === 'forget' };
    await using target = await openLedger(place, opening);
    if (part === 'list') return await listAddresses(target);
    if (part === 'show') return await showAddress(target, address);
    if (part === 'lift') return await liftAddresses(target, [...typed, ...inFile], place);
    if (part === 'rejoin') return await rejoinReport(target, report, address, place);
    return await forgetAddress(target, address, place);
  },
});

/** Lists the persons who get no mail, with why and since when. `report` is `null` where somebody gets none at all. */
export async function listAddresses(target: LedgerTarget) {
  const { table } = target;
  const hashes = new Set<string>();
  for await (const { pk } of target.scan()) {
    const [kind, hash = ''] = String(pk).split('#');
    if (kind === 'OPTOUT') hashes.add(hash);
  }
  const addresses = await readAddresses(table, [...hashes]);
  const reasonsOfAll: Array<{ address: string; why: string; report: string | null; since: string }> = [];
  let forgotten = 0;
  for (const hash of hashes) {
    const { suppression, forgottenAt, left } = await readOptOuts(table, hash);
    const reasons = [
      ...(suppression === null ? [] : [{ why: suppression.reason, report: null, since: suppression.at }]),
      ...(forgottenAt === null ? [] : [{ why: 'forgotten', report: null, since: forgottenAt }]),
      ...left.map(({ report, at }) => ({ why: 'unsubscribed', report, since: at })),
    ];
    const address = addresses.get(hash);
    if (address !== undefined) reasonsOfAll.push(...reasons.map((reason) => ({ address, ...reason })));
    else if (reasons.length > 0) forgotten += 1;
  }
  const withheld = reasonsOfAll.toSorted((a, b) => a.address.localeCompare(b.address) || a.why.localeCompare(b.why));
  const rows = columns(['address', 'why', 'since'], withheld, ({ address, why, report, since }) => {
    return [address, report === null ? why : `${why} ${report}`, sayInstant(since)];
  });
  const lines = withheld.length === 0 ? ['No address is suppressed or unsubscribed.'] : rows;
  if (forgotten > 0) lines.push(`${count(forgotten, 'forgotten address', 'forgotten addresses')} besides these.`);
  return done({ addresses: withheld, forgotten }, lines);
}

/** So many of a report's last runs are looked at for mails to a person. */
const shownRuns = 5;

/** Says why somebody gets mail, or does not: of each report, of SES's list of the account, and of the last mails. */
export async function showAddress(target: LedgerTarget, address: string) {
  const { table, configuration } = target;
  const hash = (await openHashes(table))(address);
  const accountList: Array<{ address: string; reason: string }> = [];
  for (const spelling of spellingsOf((await readAddresses(table, [hash])).get(hash), address)) {
    const reason = await target.readFromAccount?.(spelling);
    if (typeof reason === 'string') accountList.push({ address: spelling, reason });
  }
  const reports: Array<{ report: string; gets: boolean; why: string }> = [];
  const mails: Array<{ run: string; outcome: string; claimedAt: string | null; events: string[] }> = [];
  for (const report of configuration.reports) {
    for (const { gets, why } of await readKnown(target, report, [address]))
      reports.push({ report: report.name, gets, why });
    for (const run of (await readRunsFrom(table, report, '0000')).slice(-shownRuns).toReversed()) {
      const message = await readMessage(table, run.run, hash);
      if (message === null) continue;
      const claimedAt = message.claimedAt === undefined ? null : new Date(message.claimedAt).toISOString();
      const events = sayEvents(eventsOf(message));
      mails.push({ run: run.run, outcome: outcomeOf(run, message.state), claimedAt, events });
    }
  }
  const { returned } = await readOptOuts(table, hash);
  const headings = ['run', 'outcome', 'handed to SES', "SES's events"];
  const rows = columns(headings, mails, ({ run, outcome, claimedAt, events }) => {
    return [run, outcome, claimedAt === null ? '' : sayInstant(claimedAt), events.join(', ')];
  });
  return done({ address, reports, returned, accountList, mails }, [
    ...columns(['report', 'gets it', 'why'], reports, ({ report, gets, why }) => [report, gets ? 'yes' : 'no', why]),
    ...accountList.map(
      (listed) => `SES sends ${listed.address} nothing: its list of the account has it, by a ${listed.reason}.`,
    ),
    ...returned.map(({ report, at, previousAt }) => {
      const left = previousAt === undefined ? '' : ` ${sayInstant(previousAt)}`;
      return `It left ${report}${left} and came back ${sayInstant(at)}.`;
    }),
    ...(mails.length === 0 ? ['No run that is still stored has a mail for it.'] : ['', ...rows]),
  ]);
}

/** So many persons are worked on at once. */
const atOnce = 25;

/** Does some work for each, with a line of progress where they are many. */
async function workOnAll<Item, Result>(what: string, items: readonly Item[], work: (item: Item) => Promise<Result>) {
  using progress = createProgress();
  const results: Result[] = [];
  while (results.length < items.length) {
    if (items.length > atOnce) progress.say(`${what}: ${results.length} of ${items.length} addresses …`);
    results.push(...(await Promise.all(items.slice(results.length, results.length + atOnce).map(work))));
  }
  return results;
}

/** An address as SES may have it: in the stored spelling, which it was mailed in, and as it was typed, where that differs. */
const spellingsOf = (stored?: string, typed?: string) =>
  [...new Set([stored, typed])].filter((text) => text !== undefined);

/** Those whom some addresses mean, or the events of a run's mails that suppressed somebody; with what else keeps mail from them. */
async function readMeant(table: Table, typed: readonly string[], run: string | undefined) {
  const hashOf = await openHashes(table);
  const typedOf = new Map(typed.map((address) => [hashOf(address), address]));
  const events = (await readSuppressed(table)).filter((event) => event.run === run);
  const hashes = [...new Set([...typedOf.keys(), ...events.flatMap(({ hash }) => hash ?? [])])];
  const stored = await readAddresses(table, hashes);
  return await workOnAll('Reading', hashes, async (hash) => {
    const { suppression, forgottenAt, left } = await readOptOuts(table, hash);
    const why = suppression === null ? 'not suppressed here' : `suppressed by a ${suppression.reason}`;
    const otherwise = { member: null, leftAt: left[0]?.at ?? null, instead: null, suppression: null, forgottenAt };
    return { hash, spellings: spellingsOf(stored.get(hash), typedOf.get(hash)), suppression, why, otherwise };
  });
}

/** Ends that SES's events suppress these addresses, or whom those of a run's mails suppressed; here and on SES's own list of the account. */
export async function liftAddresses(target: LedgerTarget, typed: readonly string[], flags: YesFlag & { run?: string }) {
  const { table } = target;
  const { run } = flags;
  if (run !== undefined) await chooseRun(target, run);
  const persons = await readMeant(table, typed, run);
  if (persons.length === 0) return done({ lifted: 0 }, ['There is no address to lift.']);
  const [only] = persons.length === 1 ? persons.flatMap(({ spellings }) => spellings.toReversed()) : [];
  const counted = Object.entries(countWords(persons.map(({ why }) => why)));
  const reasons = counted.map(([why, times]) => (persons.length === 1 ? why : `${times} ${why}`)).join(', ');
  const whom = `${only ?? count(persons.length, 'address', 'addresses')}: ${reasons}`;
  if (!(await confirm(`${whom}. Lift that, here and on the account's SES list?`, flags)))
    return done({ lifted: 0 }, ['Nothing was done.']);
  await recordOperation(target, addressesSubject, { what: 'lift-address', detail: reasons });
  const at = new Date().toISOString();
  const listed = await workOnAll('Lifting', persons, async ({ hash, spellings }) => {
    // First what may fail: the person stays suppressed here then, and the same call is simply repeated.
    const answers = await Promise.all(spellings.map(async (spelling) => await target.liftFromAccount?.(spelling)));
    await lift(table, hash, at);
    return answers.includes(true);
  });
  await endSuppressed(table, persons);
  const lifted = persons.filter(({ suppression }) => suppression !== null).length;
  const fromAccount = target.stack === null ? null : listed.filter(Boolean).length;
  const ofAccount = `The account's SES list had ${fromAccount} of ${persons.length}.`;
  return done({ lifted, fromAccount }, [
    `${lifted === 0 ? 'Nothing to lift here' : 'Lifted'}. ${whom}.`,
    fromAccount === null ? 'A local system has no SES list.' : ofAccount,
    ...waysBack(persons.map(({ otherwise }) => otherwise)),
  ]);
}

/** Ends that a person has left a report, on that person's word. */
export async function rejoinReport(target: LedgerTarget, report: ReportConfiguration, address: string, flags: YesFlag) {
  const [before] = await readKnown(target, report, [address]);
  if (before === undefined || before.standing.leftAt === null)
    return done({ rejoined: false }, [`${address} has not left "${report.name}".`]);
  const { leftAt, instead } = before.standing;
  const taken = instead === null ? '' : ` for "${instead}", which ends then`;
  const question = `${address} left "${report.name}" ${sayInstant(leftAt)}${taken}. Only that person may ask for it: did they?`;
  if (!(await confirm(question, flags))) return done({ rejoined: false }, ['Nothing was done.']);
  await recordOperation(target, report.name, { what: 'rejoin-address' });
  const at = new Date().toISOString();
  await recordLeft(target.table, before.hash, report, { left: false, at });
  const [{ gets, why, standing } = before] = await readKnown(target, report, [address]);
  const line = gets ? `${address} gets "${report.name}" again.` : `Not left any more; no mail all the same: ${why}.`;
  return done({ rejoined: true, gets }, [line, ...waysBack([standing])]);
}

/**
 * Erases an address: the ledger's one item that has it, and what a local system wrote. What stays knows the person by a keyed
 * hash, which gets no mail, also where nobody knew the address before.
 */
export async function forgetAddress(target: LedgerTarget, address: string, { yes }: YesFlag) {
  const { table, configuration } = target;
  const isSame = (subscriber: string): boolean => subscriber.toLowerCase() === address.toLowerCase();
  const configured = configuration.reports.flatMap((report) => (report.subscribers.some(isSame) ? report.name : []));
  if (configured.length > 0) {
    const line = `It is a configured subscriber of "${configured.join('", "')}": remove it from cdk.json and deploy, then forget it.`;
    return failed({ forgotten: false, configured }, [line]);
  }
  const { written, others } = await findTraces(target, address);
  const files = count(written.length, 'file');
  const question = `Erase ${address}${written.length === 0 ? '' : `, with ${files} of the local system`}? This cannot be undone.`;
  if (!(await confirm(question, { yes }))) return done({ forgotten: false }, ['Nothing was done.']);
  const hash = (await openHashes(table))(address);
  await recordOperation(target, addressesSubject, { what: 'forget-address' });
  // First what keeps mail away: a call that is interrupted after it is simply repeated.
  const at = new Date().toISOString();
  await markForgotten(table, hash, at);
  await endSuppressed(table, [{ hash }]);
  const names = configuration.reports.map(({ name }) => name);
  await endMemberships(table, hash, new Set([...names, ...(await readReportsWithPersons(table))]), at);
  const isStored = await removePerson(table, hash);
  for (const file of written) await storing(file, () => rm(file, { force: true }));
  const copies = target.state === undefined ? [] : await removeDeadCopies();
  return done({ forgotten: true, stored: isStored, files: written, others }, [
    isStored
      ? 'Forgotten: the address is erased. A keyed hash stays, which gets no mail.'
      : 'Forgotten: the ledger did not have this address. It has a keyed hash now, which gets no mail.',
    ...(written.length > 0 ? [`Erased with it: ${files} of the local system.`] : []),
    ...(copies.length > 0 ? [`Dry runs that are open may have it until they end: ${copies.join(', ')}`] : []),
    ...(others.length > 0 ? [`These files still contain it. Delete them: ${others.join(', ')}`] : []),
  ]);
}
