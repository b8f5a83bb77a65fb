import { isObject } from '../json.ts';
import type { TokenCipher } from './token-cipher.ts';

/** The tokens as this process holds them: its clock may be set at any time, so `usableUntil` is not told by it. */
export interface HeldTokens {
  access: string;
  refresh: string;
  /** In milliseconds of `performance.now()`; `null`: until refused. */
  usableUntil: number | null;
}

/** The tokens as they rest in the ledger: processes share it, so `usableUntil` is in epoch milliseconds there. */
export function seal(cipher: TokenCipher, tokens: HeldTokens): Promise<string> {
  const { access, refresh, usableUntil } = tokens;
  const until = usableUntil === null ? null : Date.now() + (usableUntil - performance.now());
  return cipher.encrypt(JSON.stringify({ access, refresh, usableUntil: until }));
}

/** The tokens of an entry; `null` where it holds none that can be read. */
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
    // An entry that does not open under its own key was damaged: it is worth nothing, the credentials are.
    return null;
  }
}
