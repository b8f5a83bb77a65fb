import type { Member } from '../../../functions/ledger/persons/members.ts';
import { reasonAgainst, type Standing } from '../../../functions/ledger/persons/standing.ts';
import { sayInstant } from '../command-line/answer.ts';

/** Of somebody of whom the ledger has nothing. */
export const unstored = {
  address: null,
  member: null,
  leftAt: null,
  instead: null,
  suppression: null,
  forgottenAt: null,
};

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
export function waysBack(standings: readonly Standing[]): string[] {
  return [...new Set(standings.flatMap(reasonsAgainst).map(({ reason }) => `${helps[reason]} ADDRESS`))];
}

/** Everything that keeps mail from a person: what helps against one reason alone would promise too much. */
function reasonsAgainst({ member, leftAt, instead, suppression, forgottenAt }: Standing) {
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

const describeMember = ({ state, by, at }: Member): string => `${state} by ${by}, ${sayInstant(at)}`;

const helps = {
  unsubscribed: 'Who unsubscribed can come back by the link in any mail; if they ask you to: addresses rejoin REPORT',
  bounce: 'Whose mail bounced, once the mailbox takes it: addresses lift',
  complaint: 'Who complained, if they ask for it: addresses lift',
  forgotten: 'Who was forgotten, if they ask for it: subscribers REPORT add',
  removed: 'Who was removed: subscribers REPORT add',
} as const;

/** Whether the configuration of a report has an address, compared without case. */
export function isConfiguredIn({ subscribers }: { subscribers: readonly string[] }, address: string): boolean {
  return subscribers.some((subscriber) => subscriber.toLowerCase() === address.toLowerCase());
}
