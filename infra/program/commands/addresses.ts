import { Temporal } from 'temporal-polyfill';
import { count } from '../../../functions/domain/wording.ts';
import { endSuppressed } from '../../../functions/ledger/notices.ts';
import { lift, markForgotten, readOptOuts } from '../../../functions/ledger/persons/opt-outs.ts';
import { configuredIn } from '../../../functions/ledger/persons/members.ts';
import { openHashes, readAddresses, removePerson } from '../../../functions/ledger/persons/persons.ts';
import { readStandings } from '../../../functions/ledger/persons/standing.ts';
import { addressesSubject } from '../../../functions/ledger/runs/actions.ts';
import { readMessage } from '../../../functions/ledger/runs/messages.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { outcomeOf } from '../../../functions/run/receipt/receipt.ts';
import { describeStanding, describeStopped, isConfiguredIn } from '../addresses/standing.ts';
import { columns, done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { findFilesWith } from '../runs/outbox.ts';
import { eventsOf, sayEvents } from '../runs/outcome.ts';
import { confirm, recordOperation, type YesFlag } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Lists the persons who get no mail, with why and since when. `report` is `null` where somebody gets none at all. */
export async function listAddresses(target: LedgerTarget): Promise<CommandResult> {
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
  const rows = withheld.map(({ address, why, report, since }) => [
    address,
    report === null ? why : `${why} ${report}`,
    sayInstant(since),
  ]);
  const lines =
    rows.length === 0 ? ['No address is suppressed or unsubscribed.'] : columns(['address', 'why', 'since'], rows);
  if (forgotten > 0) lines.push(`${count(forgotten, 'forgotten address', 'forgotten addresses')} besides these.`);
  return done({ addresses: withheld, forgotten }, lines);
}

/** So many of a report's last runs are looked at for mails to a person. */
const shownRuns = 5;

/** Says why somebody gets mail, or does not: of each report, of SES's list of the account, and of the last mails. */
export async function showAddress(target: LedgerTarget, address: string): Promise<CommandResult> {
  const { table, configuration } = target;
  const hashOf = await openHashes(table);
  const hash = hashOf(address);
  const configured = configuredIn(configuration.reports, hashOf);
  const accountList = await target.readFromAccount(address);
  const reports: Array<{ report: string; gets: boolean; why: string }> = [];
  const mails: Array<{ run: string; outcome: string; claimedAt: string | null; events: string[] }> = [];
  for (const report of configuration.reports) {
    const isConfigured = isConfiguredIn(report, address);
    const [stored] = (await readStandings(table, report, [hash], configured)).values();
    // A configured person is written down when a run is planned.
    const standing = {
      member: null,
      leftAt: null,
      instead: null,
      suppression: null,
      forgottenAt: null,
      ...stored,
      address,
    };
    reports.push({ report: report.name, ...describeStanding(standing, { isConfigured }) });
    for (const run of (await readRunsFrom(table, report, '0000')).slice(-shownRuns).toReversed()) {
      const message = await readMessage(table, run.run, hash);
      if (message === null) continue;
      const claimedAt = message.claimedAt === undefined ? null : new Date(message.claimedAt).toISOString();
      const events = sayEvents(eventsOf(message));
      mails.push({ run: run.run, outcome: outcomeOf(run, message.state), claimedAt, events });
    }
  }
  const { returned } = await readOptOuts(table, hash);
  const standings = reports.map(({ report, gets, why }) => [report, gets ? 'yes' : 'no', why]);
  const lines = columns(['report', 'gets it', 'why'], standings);
  if (accountList !== null) lines.push(`SES sends it nothing: its list of the account has it, by a ${accountList}.`);
  for (const { report, at, previousAt = null } of returned)
    lines.push(
      `It left ${report}${previousAt === null ? '' : ` ${sayInstant(previousAt)}`} and came back ${sayInstant(at)}.`,
    );
  const rows = mails.map(({ run, outcome, claimedAt, events }) => [
    run,
    outcome,
    claimedAt === null ? '' : sayInstant(claimedAt),
    events.join(', '),
  ]);
  if (mails.length === 0) lines.push('No run that is still stored has a mail for it.');
  else lines.push('', ...columns(['run', 'outcome', 'handed to SES', "SES's events"], rows));
  return done({ address, reports, returned, accountList, mails }, lines);
}

/** Lets a person get mail again, here and on SES's own list of the account. */
export async function liftAddress(target: LedgerTarget, address: string, flags: YesFlag): Promise<CommandResult> {
  const { table } = target;
  const hash = (await openHashes(table))(address);
  const { suppression, left } = await readOptOuts(table, hash);
  const reasons = [
    ...(suppression === null ? [] : [describeStopped({ suppression, forgottenAt: null })]),
    ...left.map(({ report }) => `unsubscribed from ${report}`),
  ];
  const withheldBy = reasons.join(', ') || 'not suppressed here';
  const question = `${address} is ${withheldBy}. Let it get mail again, here and on the account's SES list?`;
  if (!(await confirm(question, flags))) return done({ lifted: false }, ['Nothing was done.']);
  await recordOperation(target, addressesSubject, { what: 'lift-address', detail: withheldBy });
  await lift(table, hash, Temporal.Now.instant().toString());
  await endSuppressed(table, hash);
  const fromAccount = await target.liftFromAccount(address);
  const again = `${address} may get mail again. It was ${withheldBy}.`;
  const lines = [
    reasons.length === 0 ? `${address} is not suppressed here.` : again,
    fromAccount === null
      ? 'A local system has no SES list.'
      : fromAccount
        ? "It was removed from the account's SES list."
        : "It was not on the account's SES list.",
  ];
  return done({ lifted: reasons.length > 0, liftedFromAccount: fromAccount }, lines);
}

/** Erases an address: the ledger's one item that has it. What stays knows the person by a keyed hash, which gets no mail. */
export async function forgetAddress(target: LedgerTarget, address: string, { yes }: YesFlag): Promise<CommandResult> {
  const { table, configuration } = target;
  const configured = configuration.reports.filter((report) => isConfiguredIn(report, address));
  if (configured.length > 0) {
    const names = configured.map(({ name }) => name);
    const line = `It is a configured subscriber of "${names.join('", "')}": remove it from cdk.json and deploy, then forget it.`;
    return { json: { forgotten: false, configured: names }, lines: [line], code: exitCodes.noDigest };
  }
  if (!(await confirm(`Erase ${address}? This cannot be undone.`, { yes }))) {
    return done({ forgotten: false }, ['Nothing was done.']);
  }
  const hash = (await openHashes(table))(address);
  const isStored = (await readAddresses(table, [hash])).size > 0;
  if (isStored) {
    await recordOperation(target, addressesSubject, { what: 'forget-address' });
    // First what keeps mail away: a call that is interrupted between the two is simply repeated.
    await markForgotten(table, hash, Temporal.Now.instant().toString());
    await endSuppressed(table, hash);
    await removePerson(table, hash);
  }
  const files = await findFilesWith(target.outbox, address);
  return done({ forgotten: isStored }, [
    isStored
      ? 'Forgotten: the address is erased. A keyed hash stays, which gets no mail.'
      : 'The ledger does not have this address.',
    ...(files.length > 0 ? [`These files still contain it. Delete them: ${files.join(', ')}`] : []),
  ]);
}
