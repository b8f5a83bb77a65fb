import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';
import { addressKey } from '../ledger/addresses/addresses.ts';
import { readSigningSecret } from './signing-secret.ts';

/** Mails are kept and opened late: thirteen months. */
const daysGood = 400;

/** Makes the link by which a subscriber unsubscribes from a report. It differs at each call and is good for thirteen months. */
export type UnsubscribeLinks = (report: string, to: string) => Promise<string>;

/**
 * Makes unsubscribe links. They contain the key of the address, not the address.
 *
 * @param secret the generated signing secret
 * @param url the address of the function that the links lead to, without a slash at its end
 */
export function createUnsubscribeLinks({ secret, url }: { secret: string; url: string }): UnsubscribeLinks {
  const tokens = createUnsubscribeTokens(secret);
  const expiresAt = new Date(Date.now() + daysGood * 86_400_000);
  return async (report, to) => `${url}/${await tokens.issue({ addressKey: addressKey(to), report }, expiresAt)}`;
}

/** Makes unsubscribe links under the secret of this name. */
export async function openUnsubscribeLinks(
  secrets: SecretsManagerClient,
  { secretName, url }: { secretName: string; url: string },
): Promise<UnsubscribeLinks> {
  return createUnsubscribeLinks({ secret: await readSigningSecret(secrets, secretName), url });
}
