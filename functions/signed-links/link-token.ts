import { hkdfSync, subtle } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import * as v from 'valibot';

/** Makes and reads the tokens of one kind of link. */
interface LinkTokens<Claims> {
  /** A token that is good until `expiresAt`: letters, digits, `-`, `_` and `.`. */
  issue(claims: Readonly<Record<string, string | number>>, expiresAt: Date): Promise<string>;
  /** The claims of a token; `expired` after its end, `invalid` where this deployment did not make it for such a link. */
  read(token: string, now: Date): Promise<Claims | 'expired' | 'invalid'>;
}

/** What distinguishes one kind of link from another. */
interface LinkKind<Claims> {
  /** Part of the key, and of every token: what was made for one audience is invalid for another. */
  audience: string;
  /** The claims of a token as they are read. */
  claims: v.GenericSchema<unknown, Claims>;
}

/**
 * Tokens under the generated signing secret. They are authenticated encryption (JWE, RFC 7516, AES-256-GCM) under a key that
 * is derived from it for the audience alone: nobody without the secret can make, change or read one.
 */
export function createLinkTokens<Claims>(
  secret: string,
  { audience, claims: schema }: LinkKind<Claims>,
): LinkTokens<Claims> {
  const bytes = hkdfSync('sha256', secret, '', `broadcast-digest ${audience} token`, 32);
  // Imported once: a run makes a token for each subscriber.
  const imported = subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    issue: async (claims, expiresAt) =>
      await new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(expiresAt)
        .encrypt(await imported),
    read: async (token, now) => {
      try {
        const { payload } = await jwtDecrypt(token, await imported, {
          audience,
          currentDate: now,
          requiredClaims: ['exp'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const parsed = v.safeParse(schema, payload);
        return parsed.success ? parsed.output : 'invalid';
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        // Anybody can send anything as a token: what cannot be decrypted is not ours.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
        throw error;
      }
    },
  };
}
