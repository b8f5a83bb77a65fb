import * as v from 'valibot';
import type { TokenStore } from '../reporting-service/tokens/tokens.ts';
import { expiresAfterDays, kept } from './retention.ts';
import type { Table } from './table.ts';

const key = { pk: 'TOKENS', sk: 'service' };

const entrySchema = v.object({ version: v.optional(v.number(), 0), jwe: v.optional(v.nullable(v.string()), null) });

/** The account's tokens in the ledger. */
export function createTokenStore(table: Table): TokenStore {
  return {
    read: async () => v.parse(entrySchema, (await table.get(key)) ?? {}),
    write: (version, jwe) =>
      table.update(key, {
        set: { version: version + 1, jwe, expiresAt: expiresAfterDays(kept.tokensDays, new Date()) },
        where: { version: version === 0 ? null : version },
      }),
  };
}
