import * as v from 'valibot';
import { createLinkTokens } from './link-token.ts';

/** What the link to a digest's page contains. It names no subscriber: all of a run may have the same. */
export interface PageClaims {
  /** The run, whose name begins with that of its report. */
  run: string;
  /** The id of the stored digest. A run that was discarded and collected again has another one. */
  digest: string;
  /** The link is void where the report's links were revoked later. */
  madeAt: Date;
  /** When the link ends; whole seconds. */
  expiresAt: Date;
}

/** Makes and reads the tokens of links to pages. */
export interface PageTokens {
  /** A token of about 320 letters, digits, `-`, `_` and `.`. */
  issue(claims: PageClaims): Promise<string>;
  /** The contents of a token; `expired` after its end, `invalid` where this deployment did not make it for a page. */
  read(token: string, now: Date): Promise<PageClaims | 'expired' | 'invalid'>;
}

/** No token is longer, because a run's name has at most 64 characters. */
export const longestPageToken = 512;

const claimsSchema = v.object({
  run: v.string(),
  digest: v.string(),
  /** Epoch milliseconds. */
  madeAt: v.number(),
  /** Epoch seconds. */
  exp: v.number(),
});

/** The tokens of links to pages under the generated signing secret. */
export function createPageTokens(secret: string): PageTokens {
  const tokens = createLinkTokens(secret, { audience: 'page', claims: claimsSchema });
  return {
    issue: ({ run, digest, madeAt, expiresAt }) => tokens.issue({ run, digest, madeAt: madeAt.getTime() }, expiresAt),
    read: async (token, now) => {
      const read = await tokens.read(token, now);
      if (typeof read === 'string') return read;
      const { run, digest, madeAt, exp } = read;
      return { run, digest, madeAt: new Date(madeAt), expiresAt: new Date(exp * 1000) };
    },
  };
}
