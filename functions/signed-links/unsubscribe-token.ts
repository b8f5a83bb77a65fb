import { hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';

/** What a link to leave by says: whose it is, by the key of the address, and which report it is about. */
export interface Unsubscription {
  addressKey: string;
  report: string;
}

/** Makes and reads the tokens of one deployment. */
export interface UnsubscribeTokens {
  /** A token that is good until `expiresAt`: letters, digits, `-`, `_` and `.`, some 230 of them. */
  issue(unsubscription: Unsubscription, expiresAt: Date): Promise<string>;
  /** What a token says, or that it once did, or that it never was one of this deployment's. */
  read(token: string, now: Date): Promise<Unsubscription | 'expired' | 'invalid'>;
}

/** Tells these tokens from any other that may be made under the same secret one day. */
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
        // A token is what anybody may send: whatever is wrong with it, it is none of ours.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
        throw error;
      }
    },
  };
}
