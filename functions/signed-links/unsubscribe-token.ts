import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** What an unsubscribe link contains: the subscriber, by the key of the address, and the report. */
interface Unsubscription {
  addressKey: string;
  report: string;
}

/** Makes and reads the tokens of one deployment. */
export interface UnsubscribeTokens {
  /** A token that is good until `expiresAt`: about 230 letters, digits, `-`, `_` and `.`. */
  issue(unsubscription: Unsubscription, expiresAt: Date): Promise<string>;
  /** The contents of a token; `expired` after its end, `invalid` where this deployment did not make it. */
  read(token: string, now: Date): Promise<Unsubscription | 'expired' | 'invalid'>;
}

/** Distinguishes these tokens from others that may be made under the same secret one day. */
const audience = 'leave';

/**
 * Tokens under a signing secret. They are authenticated encryption (JWE, RFC 7516, AES-256-GCM) under a key that is
 * derived from it: nobody without the secret can make, change or read one, so that a forwarded mail names nobody.
 */
export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'broadcast-digest leave token', 32));
  return {
    issue: ({ addressKey, report }, expiresAt) =>
      new EncryptJWT({ report })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setSubject(addressKey)
        .setAudience(audience)
        .setExpirationTime(expiresAt)
        .encrypt(key),
    read: async (token, now) => {
      try {
        const { payload } = await jwtDecrypt(token, key, {
          audience,
          currentDate: now,
          requiredClaims: ['exp', 'sub'],
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const { sub, report } = payload;
        return sub !== undefined && typeof report === 'string' ? { addressKey: sub, report } : 'invalid';
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        // Anybody can send anything as a token: what cannot be decrypted is not ours.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
        throw error;
      }
    },
  };
}
