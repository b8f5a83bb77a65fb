import { reasonAgainst, type Standing } from '../../../functions/ledger/persons/standing.ts';
import { sayInstant } from '../command-line/answer.ts';

/** Whether a person gets a report's next mail, and why. */
export function describeStanding(standing: Standing, { isConfigured }: { isConfigured: boolean }) {
  const { member, leftAt, suppression } = standing;
  const gets = reasonAgainst(standing, { isConfiguredOrNamed: isConfigured }) === null;
  if (leftAt !== null) return { gets, why: `unsubscribed since ${sayInstant(leftAt)}` };
  if (suppression !== null) return { gets, why: describeSuppression(suppression) };
  if (member !== null) return { gets, why: `${member.state} by ${member.by}, ${sayInstant(member.at)}` };
  return { gets, why: isConfigured ? 'configured in cdk.json' : 'not a subscriber' };
}

/** Why a person gets no mail at all. */
export function describeSuppression({ reason, at }: NonNullable<Standing['suppression']>): string {
  return reason === 'forgotten' ? `forgotten, ${sayInstant(at)}` : `suppressed by a ${reason} since ${sayInstant(at)}`;
}

/** How somebody who gets no mail can get it again. */
export const wayBack = 'They can subscribe again by the link in any mail, or you let them: addresses lift ADDRESS';

/** Whether the configuration of a report has an address, compared without case. */
export function isConfiguredIn({ subscribers }: { subscribers: readonly string[] }, address: string): boolean {
  return subscribers.some((subscriber) => subscriber.toLowerCase() === address.toLowerCase());
}
