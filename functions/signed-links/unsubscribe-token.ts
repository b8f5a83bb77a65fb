import * as v from 'valibot';
import { createLinkTokens } from './link-token.ts';

/** What an unsubscribe link contains: the subscriber, by the key of the address, and the report. */
interface Unsubscription {
  addressKey: string;
  report: string;
}

/** Makes and reads the tokens of unsubscribe links. They contain no address, so a forwarded mail names nobody. */
export interface UnsubscribeTokens {
  /** A token that is good until `expiresAt`: about 230 letters, digits, `-`, `_` and `.`. */
  issue(unsubscription: Unsubscription, expiresAt: Date): Promise<string>;
  /** The contents of a token; `expired` after its end, `invalid` where this deployment did not make it to unsubscribe. */
  read(token: string, now: Date): Promise<Unsubscription | 'expired' | 'invalid'>;
}

/** As in the mails that were sent since the first release. */
const claimsSchema = v.object({ sub: v.string(), report: v.string() });

/** The tokens of unsubscribe links under the generated signing secret. */
export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  const tokens = createLinkTokens(secret, { audience: 'leave', claims: claimsSchema });
  return {
    issue: ({ addressKey, report }, expiresAt) => tokens.issue({ sub: addressKey, report }, expiresAt),
    read: async (token, now) => {
      const read = await tokens.read(token, now);
      return typeof read === 'string' ? read : { addressKey: read.sub, report: read.report };
    },
  };
}
