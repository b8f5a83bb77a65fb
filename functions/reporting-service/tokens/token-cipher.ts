import { hkdfSync } from 'node:crypto';
import { compactDecrypt, CompactEncrypt } from 'jose';
import type { Credentials } from './credentials.ts';

/** Encrypts the tokens that are stored. `keyId` identifies the key without revealing anything of it. */
export interface TokenCipher {
  readonly keyId: string;
  encrypt(text: string): Promise<string>;
  /** Throws where the text was not encrypted under this key. */
  decrypt(jwe: string): Promise<string>;
}

/**
 * A cipher under a key that is derived from the client secret (HKDF-SHA-256, RFC 5869), for one client of one account:
 * read access to the store does not reveal the tokens, and another secret, client or address makes the old entry void.
 */
export function createTokenCipher(credentials: Credentials, baseUrl: string): TokenCipher {
  const salt = JSON.stringify([baseUrl, credentials.id]);
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', credentials.secret, salt, `broadcast-digest ${purpose}`, length));
  const key = derive('token encryption', 32);
  return {
    keyId: derive('key id', 12).toString('base64url'),
    encrypt: (text) =>
      new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key),
    decrypt: async (jwe) => {
      const { plaintext } = await compactDecrypt(jwe, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return Buffer.from(plaintext).toString('utf8');
    },
  };
}
