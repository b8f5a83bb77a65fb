import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';
import { addressKey } from '../ledger/addresses/addresses.ts';
import { readSigningSecret } from './signing-secret.ts';

/** Mails are kept and opened late, so a link is good for thirteen months. */
const daysGood = 400;

/** Makes the link by which a subscriber unsubscribes from a report. It differs at each call and is good for thirteen months. */
export type UnsubscribeLinks = (report: string, to: string) => Promise<string>;

/** What the links of a run have in common. */
interface LinkOptions {
  /** The URL of the function that the links lead to, without a slash at its end. */
  url: string;
  /** The links are good for thirteen months from now. */
  now: Date;
}

/**
 * Makes unsubscribe links under the generated signing secret. They contain the key of the address, not the address.
 */
export function createUnsubscribeLinks({ secret, url, now }: LinkOptions & { secret: string }): UnsubscribeLinks {
  const tokens = createUnsubscribeTokens(secret);
  const expiresAt = new Date(now.getTime() + daysGood * 86_400_000);
  return async (report, to) => `${url}/${await tokens.issue({ addressKey: addressKey(to), report }, expiresAt)}`;
}

/** Makes unsubscribe links under the signing secret of this name. */
export async function openUnsubscribeLinks(
  secrets: SecretsManagerClient,
  { secretName, ...options }: LinkOptions & { secretName: string },
): Promise<UnsubscribeLinks> {
  return createUnsubscribeLinks({ secret: await readSigningSecret(secrets, secretName), ...options });
}
