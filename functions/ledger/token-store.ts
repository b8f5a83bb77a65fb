import * as v from 'valibot';
import type { TokenStore } from '../reporting-service/tokens/tokens.ts';
import { expiresAfterDays, type Table } from './table.ts';

const key = { pk: 'TOKENS', sk: 'service' };
/** An access token is valid for minutes, a refresh token perhaps for weeks: an entry that is older is useless. */
const keptDays = 60;

const entrySchema = v.object({ version: v.optional(v.number(), 0), jwe: v.optional(v.nullable(v.string()), null) });

/** The account's tokens in the ledger. */
export function createTokenStore(table: Table): TokenStore {
  return {
    read: async () => v.parse(entrySchema, (await table.get(key)) ?? {}),
    write: (version, jwe) =>
      table.update(key, {
        set: { version: version + 1, jwe, expiresAt: expiresAfterDays(keptDays, new Date()) },
        condition: 'attribute_not_exists(#version) OR #version = :version',
        values: { ':version': version },
      }),
  };
}
