import * as v from 'valibot';
import { expiresAfterDays } from './expiry.ts';
import type { Table } from './table.ts';

const key = { pk: 'TOKENS', sk: 'service' };
/** An access token is valid for minutes, a refresh token perhaps for weeks: an entry that is older is useless. */
const keptDays = 60;

const entrySchema = v.object({
  version: v.optional(v.number(), 0),
  keyId: v.optional(v.string()),
  jwe: v.optional(v.string()),
  spentVersion: v.optional(v.number()),
});

/** The tokens as they rest in the ledger: encrypted, under the id of the key, with a version that each write raises. */
export interface StoredTokens {
  version: number;
  keyId: string | null;
  jwe: string | null;
  /** Somebody set out to use this entry's refresh token: it must not be used again, whatever became of it. */
  refreshSpent: boolean;
}

/** The ledger's place for the account's tokens, and the lease of whoever fetches new ones. */
export interface TokenStore {
  read(): Promise<StoredTokens>;
  /**
   * Takes the lease for `forMs`, if it is free or over and the entry is still of `version`; whether it did. From then on
   * the entry's refresh token counts as spent.
   */
  takeLease(owner: string, version: number, forMs: number): Promise<boolean>;
  /** Writes over `version` and gives the lease back, if it is still `owner`'s; whether it did. */
  write(owner: string, version: number, entry: { keyId: string; jwe: string }): Promise<boolean>;
  /** Gives the lease back, if it is still `owner`'s. */
  releaseLease(owner: string): Promise<void>;
}

/** The token store of the ledger's table. */
export function createTokenStore(table: Table): TokenStore {
  const unchanged = '(attribute_not_exists(#version) OR #version = :version)';
  return {
    read: async () => {
      const { version, keyId, jwe, spentVersion } = v.parse(entrySchema, (await table.get(key)) ?? {});
      return { version, keyId: keyId ?? null, jwe: jwe ?? null, refreshSpent: spentVersion === version };
    },
    takeLease: (owner, version, forMs) =>
      table.update(key, {
        set: { leaseOwner: owner, leaseUntil: Date.now() + forMs, spentVersion: version },
        condition: `${unchanged} AND (attribute_not_exists(#leaseUntil) OR #leaseUntil < :now)`,
        values: { ':version': version, ':now': Date.now() },
      }),
    write: (owner, version, { keyId, jwe }) =>
      table.update(key, {
        set: { version: version + 1, keyId, jwe, expiresAt: expiresAfterDays(keptDays) },
        remove: ['leaseOwner', 'leaseUntil'],
        condition: `#leaseOwner = :owner AND ${unchanged}`,
        values: { ':owner': owner, ':version': version },
      }),
    releaseLease: async (owner) => {
      await table.update(key, {
        remove: ['leaseOwner', 'leaseUntil'],
        condition: '#leaseOwner = :owner',
        values: { ':owner': owner },
      });
    },
  };
}
