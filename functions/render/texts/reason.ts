import type { Unavailable } from '../../domain/reasons.ts';
import type { Language } from './language.ts';

/** Why something is not available, in a manager's words, with the HTTP status for the people whom the manager asks. */
export function sayReason(unavailable: Unavailable | undefined, { wording }: Language): string {
  if (!unavailable) {
    return wording.say('reason.unknown');
  }
  const reason = wording.say(`reason.${unavailable.reason}`);
  return unavailable.status === undefined
    ? reason
    : wording.say('reason.status', { reason, status: String(unavailable.status) });
}
