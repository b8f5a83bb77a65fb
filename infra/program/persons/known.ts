import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { configuredIn, readMembers } from '../../../functions/ledger/persons/members.ts';
import { openHashes } from '../../../functions/ledger/persons/persons.ts';
import { readStandings, reasonAgainst, type Standing } from '../../../functions/ledger/persons/standing.ts';
import { sayInstant } from '../command-line/result.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** Somebody whom a report's configuration, its operators or a command means. */
export type Known = Awaited<ReturnType<typeof readKnown>>[number];

/**
 * Everybody whom the report's configuration or its operators ever meant, or these `addresses` instead, and whether they get its next
 * mail. By address, without case; nobody who was forgotten.
 */
export async function readKnown(target: LedgerTarget, report: ReportConfiguration, addresses?: readonly string[]) {
  const { table, configuration } = target;
  const hashOf = await openHashes(table);
  const configured = new Map(report.subscribers.map((address) => [hashOf(address), address]));
  const meant = addresses && new Map(addresses.map((address) => [hashOf(address), address]));
  const hashes = meant?.keys() ?? [...configured.keys(), ...(await readMembers(table, report)).keys()];
  const standings = await readStandings(table, report, [...hashes], configuredIn(configuration.reports, hashOf));
  const known = [...standings].flatMap(([hash, stored]) => {
    const address = meant?.get(hash) ?? configured.get(hash) ?? stored.address;
    if (address === null) return [];
    const isConfigured = configured.has(hash);
    const standing = { ...stored, address };
    // Whether the ledger or the configuration has the address.
    const isReachable = isConfigured || stored.address !== null;
    return [{ hash, address, isConfigured, isReachable, standing, ...describeStanding(standing, { isConfigured }) }];
  });
  return known.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
}

/** Whether a person gets a report's next mail, and why. */
export function describeStanding(standing: Standing, { isConfigured }: { isConfigured: boolean }) {
  const { member } = standing;
  const gets = reasonAgainst(standing, { isConfiguredOrNamed: isConfigured }) === null;
  const against = reasonsAgainst(standing).map(({ why }) => why);
  if (against.length > 0) return { gets, why: against.join('; ') };
  const unsaid = isConfigured ? 'configured in cdk.json' : 'not a subscriber';
  return { gets, why: member === null ? unsaid : describeMember(member) };
}

/** How those of some persons who get no mail can get it again: a line for each reason that there is. */
export function waysBack(standings: ReadonlyArray<Omit<Standing, 'address'>>): string[] {
  return [...new Set(standings.flatMap(reasonsAgainst).map(({ reason }) => `${helps[reason]} ADDRESS`))];
}

/** Everything that keeps mail from a person: what helps against one reason alone would promise too much. */
function reasonsAgainst({ member, leftAt, instead, suppression, forgottenAt }: Omit<Standing, 'address'>) {
  const reasons: Array<{ reason: keyof typeof helps; why: string }> = [];
  if (leftAt !== null) {
    const taken = instead === null ? '' : `, and took "${instead}" in its place`;
    reasons.push({ reason: 'unsubscribed', why: `unsubscribed since ${sayInstant(leftAt)}${taken}` });
  }
  if (suppression !== null) {
    const { reason, at } = suppression;
    reasons.push({ reason, why: `suppressed by a ${reason} since ${sayInstant(at)}` });
  }
  if (forgottenAt !== null) reasons.push({ reason: 'forgotten', why: `forgotten, ${sayInstant(forgottenAt)}` });
  if (member?.state === 'removed') reasons.push({ reason: 'removed', why: describeMember(member) });
  return reasons;
}

const describeMember = ({ state, by, at }: NonNullable<Standing['member']>): string =>
  `${state} by ${by}, ${sayInstant(at)}`;

const helps = {
  unsubscribed: 'Who unsubscribed can come back by the link in any mail; if they ask you to: addresses rejoin REPORT',
  bounce: 'Whose mail bounced, once the mailbox takes it: addresses lift',
  complaint: 'Who complained, if they ask for it: addresses lift',
  forgotten: 'Who was forgotten, if they ask for it: subscribers REPORT add',
  removed: 'Who was removed: subscribers REPORT add',
} as const;
