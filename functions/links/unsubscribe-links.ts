import { hkdfSync, subtle } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import * as v from 'valibot';
import { dayMs } from '../domain/period.ts';
import { publicPaths } from './public-function.ts';

const claimsSchema = v.pipe(
  v.object({ sub: v.string(), report: v.string(), exp: v.number() }),
  v.transform(({ sub, report, exp }) => ({ hash: sub, report, expiresAt: new Date(exp * 1000) })),
);

/** What an unsubscribe link contains: the person's hash, the report, and its end in whole seconds. */
type UnsubscribeClaims = v.InferOutput<typeof claimsSchema>;

/** Makes and reads the tokens of unsubscribe links: about 230 characters, which contain no address, so that a forwarded mail names nobody. */
export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;

/** Part of the key, and of every token: what else is made under the secret is no token. */
const audience = 'leave';

/**
 * Tokens by authenticated encryption (JWE, RFC 7516, AES-256-GCM) under a key that is derived from the generated secret: nobody
 * without that can make, change or read one.
 */
export function createUnsubscribeTokens(secret: string) {
  const bytes = hkdfSync('sha256', secret, '', `broadcast-digest ${audience} token`, 32);
  // Imported once: a run makes a token for each subscriber.
  const imported = subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    /** A token that is good until `expiresAt`: letters, digits, `-`, `_` and `.`. */
    issue: async ({ hash: sub, report, expiresAt }: UnsubscribeClaims): Promise<string> =>
      await new EncryptJWT({ sub, report })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(expiresAt)
        .encrypt(await imported),
    /** What a token contains; `expired` after its end, `invalid` where this deployment did not make it. */
    read: async (token: string, now: Date): Promise<UnsubscribeClaims | 'expired' | 'invalid'> => {
      try {
        const { payload } = await jwtDecrypt(token, await imported, {
          audience,
          currentDate: now,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return v.parse(claimsSchema, payload);
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
        throw error;
      }
    },
  };
}

/** Mails are kept and opened late, so a link to unsubscribe is good for thirteen months. */
const goodMs = 400 * dayMs;

/** When the link was made that contains these. */
export const madeMsOf = ({ expiresAt }: Pick<UnsubscribeClaims, 'expiresAt'>): number => expiresAt.getTime() - goodMs;

/**
 * Makes the links by which persons unsubscribe from a report, under the generated secret, good for thirteen months from `now`. Each
 * differs at each call. `publicUrl` is that of the public front, without a slash at its end.
 */
export function createUnsubscribeLinks({ secret, publicUrl, now }: { secret: string; publicUrl: string; now: Date }) {
  const tokens = createUnsubscribeTokens(secret);
  const expiresAt = new Date(now.getTime() + goodMs);
  const link = publicUrl + publicPaths.unsubscribe;
  return async (report: string, hash: string): Promise<string> =>
    link + (await tokens.issue({ hash, report, expiresAt }));
}

const fewestCharacters = 32;

/** The generated secret of the links. Throws where there is none; the message does not contain the value. */
export async function readUnsubscribeSecret(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
  if (SecretString.length < fewestCharacters) {
    throw new Error(`Secret "${name}" has no generated value of at least ${fewestCharacters} characters.`);
  }
  return SecretString;
}
