import * as v from 'valibot';
import type { TokenStore } from '../reporting-service/tokens/tokens.ts';
import { expiresAfterDays, type Table } from './table.ts';

const key = { pk: 'TOKENS', sk: 'service' };
/** An access token is valid for minutes, a refresh token perhaps for weeks: an entry that is older is useless. */
const keptDays = 60;

const entrySchema = v.object({
  version: v.optional(v.number(), 0),
  keyId: v.optional(v.string()),
  jwe: v.optional(v.string()),
  spentVersion: v.optional(v.number()),
});

/**
 * The account's tokens in the ledger. `spentVersion` is the version whose refresh token may have been sent. `clock` gives the
 * time in epoch milliseconds.
 */
export function createTokenStore(table: Table, clock: () => number): TokenStore {
  const unchanged = '(attribute_not_exists(#version) OR #version = :version)';
  return {
    read: async () => {
      const { version, keyId, jwe, spentVersion } = v.parse(entrySchema, (await table.get(key)) ?? {});
      return { version, keyId: keyId ?? null, jwe: jwe ?? null, refreshTokenUsed: spentVersion === version };
    },
    takeLease: (owner, version, forMs) => {
      const now = clock();
      return table.update(key, {
        set: { leaseOwner: owner, leaseUntil: now + forMs, spentVersion: version },
        condition: `${unchanged} AND (attribute_not_exists(#leaseUntil) OR #leaseUntil < :now)`,
        values: { ':version': version, ':now': now },
      });
    },
    write: (owner, version, { keyId, jwe }) =>
      table.update(key, {
        set: { version: version + 1, keyId, jwe, expiresAt: expiresAfterDays(keptDays, new Date(clock())) },
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
