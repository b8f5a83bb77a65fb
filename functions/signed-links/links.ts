import { createPageTokens, createUnsubscribeTokens } from './link-tokens.ts';

const msOfDay = 86_400_000;
/** Mails are kept and opened late, so a link to unsubscribe is good for thirteen months. */
const daysToUnsubscribe = 400;

/** What links are made of: the generated signing secret, and the URL of the function that they lead to, without a slash at its end. */
interface LinkOptions {
  secret: string;
  url: string;
  now: Date;
}

/** Makes the link to the page of a stored digest: the same digest, whole. It is for everybody whom the run is sent to. */
export type PageLinks = (run: string, digest: string) => Promise<string>;

/**
 * Makes links to pages under the generated signing secret, good for so many days from `now`. `url` is that of the function that
 * serves the pages, without a slash at its end.
 */
export function createPageLinks({ secret, url, now, days }: LinkOptions & { days: number }): PageLinks {
  const tokens = createPageTokens(secret);
  const expiresAt = new Date(now.getTime() + days * msOfDay);
  return async (run, digest) => `${url}/${await tokens.issue({ run, digest, madeAt: now, expiresAt })}`;
}

/** Makes the link by which a subscriber unsubscribes from a report. It differs at each call. */
export type UnsubscribeLinks = (report: string, hash: string) => Promise<string>;

/**
 * Makes unsubscribe links under the generated signing secret, good for thirteen months from `now`. They contain the
 * person's hash, no address. `url` is that of the function that they lead to, without a slash at its end.
 */
export function createUnsubscribeLinks({ secret, url, now }: LinkOptions): UnsubscribeLinks {
  const tokens = createUnsubscribeTokens(secret);
  const expiresAt = new Date(now.getTime() + daysToUnsubscribe * msOfDay);
  return async (report, hash) => `${url}/${await tokens.issue({ hash, report, expiresAt })}`;
}
