import { hkdfSync } from 'node:crypto';
import { compactDecrypt, CompactEncrypt } from 'jose';
import * as v from 'valibot';
import type { Credentials } from './credentials.ts';

const tokensSchema = v.object({
  access: v.string(),
  refresh: v.string(),
  /** In epoch milliseconds; `null`: until refused. */
  usableUntil: v.nullable(v.number()),
});
export type Tokens = v.InferOutput<typeof tokensSchema>;

/** Encrypts the tokens that are stored. */
export type TokenCipher = ReturnType<typeof createTokenCipher>;

/**
 * A cipher under a key that is derived from the client secret (HKDF-SHA-256, RFC 5869), for one client of one account:
 * read access to the store does not reveal the tokens, and another secret, client or address makes the old entry void.
 */
export function createTokenCipher(credentials: Credentials, baseUrl: string) {
  const salt = JSON.stringify([baseUrl, credentials.id]);
  const key = Buffer.from(hkdfSync('sha256', credentials.secret, salt, 'broadcast-digest token encryption', 32));
  return {
    seal: (tokens: Tokens): Promise<string> =>
      new CompactEncrypt(Buffer.from(JSON.stringify(tokens)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    /** The tokens that were sealed; `null` where they cannot be read. */
    unseal: async (jwe: string): Promise<Tokens | null> => {
      try {
        const { plaintext } = await compactDecrypt(jwe, key);
        return v.parse(tokensSchema, JSON.parse(Buffer.from(plaintext).toString('utf8')));
      } catch {
        // It is damaged, or of another secret. The credentials give new tokens.
        return null;
      }
    },
  };
}
