import { isObject } from '../json.ts';
import type { TokenCipher } from './token-cipher.ts';

/** The tokens in this process's memory. The clock may be set at any time, so `usableUntil` does not depend on it. */
export interface HeldTokens {
  access: string;
  refresh: string;
  /** In milliseconds of `performance.now()`; `null`: until refused. */
  usableUntil: number | null;
}

/**
 * The tokens as they are stored, encrypted. Several processes read them, so `usableUntil` is in epoch milliseconds there. Both
 * clocks are read at once, here and when they are unsealed: what is between them is no instant that anybody could hand in.
 */
export function seal(cipher: TokenCipher, tokens: HeldTokens): Promise<string> {
  const { access, refresh, usableUntil } = tokens;
  const until = usableUntil === null ? null : Date.now() + (usableUntil - performance.now());
  return cipher.encrypt(JSON.stringify({ access, refresh, usableUntil: until }));
}

/** The tokens that were sealed; `null` where they cannot be read. */
export async function unseal(cipher: TokenCipher, jwe: string): Promise<HeldTokens | null> {
  try {
    const value: unknown = JSON.parse(await cipher.decrypt(jwe));
    if (!isObject(value) || typeof value['access'] !== 'string' || typeof value['refresh'] !== 'string') return null;
    const until = value['usableUntil'];
    return {
      access: value['access'],
      refresh: value['refresh'],
      usableUntil: typeof until === 'number' ? performance.now() + (until - Date.now()) : null,
    };
  } catch {
    // What does not decrypt under its own key is damaged. The credentials give new tokens.
    return null;
  }
}
