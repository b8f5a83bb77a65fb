import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createPageTokens } from './page-token.ts';
import { readSigningSecret } from './signing-secret.ts';

/** Makes the link to the page of a stored digest: the same digest, whole. It is for everybody whom the run is sent to. */
export type PageLinks = (run: string, digest: string) => Promise<string>;

/** What the links that are made at one time have in common. */
interface LinkOptions {
  /** The URL of the function that serves the pages, without a slash at its end. */
  url: string;
  /** How long the links are good, in days from `now`. */
  days: number;
  now: Date;
}

/** Makes links to pages under the generated signing secret. */
export function createPageLinks({ secret, url, days, now }: LinkOptions & { secret: string }): PageLinks {
  const tokens = createPageTokens(secret);
  const expiresAt = new Date(now.getTime() + days * 86_400_000);
  return async (run, digest) => `${url}/${await tokens.issue({ run, digest, madeAt: now, expiresAt })}`;
}

/** Makes links to pages under the signing secret of this name. */
export async function openPageLinks(
  secrets: SecretsManagerClient,
  { secretName, ...options }: LinkOptions & { secretName: string },
): Promise<PageLinks> {
  return createPageLinks({ secret: await readSigningSecret(secrets, secretName), ...options });
}
