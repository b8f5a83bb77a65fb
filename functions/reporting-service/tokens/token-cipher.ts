import { hkdfSync } from 'node:crypto';
import { compactDecrypt, CompactEncrypt } from 'jose';
import * as v from 'valibot';
import type { Credentials } from './credentials.ts';

/** The tokens in this process's memory. The clock may be set at any time, so `usableUntil` does not depend on it. */
export interface HeldTokens {
  access: string;
  refresh: string;
  /** In milliseconds of `performance.now()`; `null`: until refused. */
  usableUntil: number | null;
}

/** Several processes read what is stored, so `usableUntil` is in epoch milliseconds there. */
const storedSchema = v.object({ access: v.string(), refresh: v.string(), usableUntil: v.nullable(v.number()) });

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
    seal: ({ access, refresh, usableUntil }: HeldTokens): Promise<string> => {
      const stored = JSON.stringify({ access, refresh, usableUntil: shifted(usableUntil, clockAheadMs()) });
      const header = { alg: 'dir', enc: 'A256GCM' };
      return new CompactEncrypt(Buffer.from(stored)).setProtectedHeader(header).encrypt(key);
    },
    /** The tokens that were sealed; `null` where they cannot be read. */
    unseal: async (jwe: string): Promise<HeldTokens | null> => {
      try {
        const { plaintext } = await compactDecrypt(jwe, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const stored = v.parse(storedSchema, JSON.parse(Buffer.from(plaintext).toString('utf8')));
        return { ...stored, usableUntil: shifted(stored.usableUntil, -clockAheadMs()) };
      } catch {
        // It is damaged, or of another secret. The credentials give new tokens.
        return null;
      }
    },
  };
}

/** How far the clock is ahead of `performance.now()`, which no setting of it changes. */
function clockAheadMs(): number {
  return Date.now() - performance.now();
}

function shifted(instant: number | null, byMs: number): number | null {
  return instant === null ? null : instant + byMs;
}
