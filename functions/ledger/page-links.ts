import * as v from 'valibot';
import type { Key, Table } from './table.ts';

const keyOf = (report: string): Key => ({ pk: 'PAGE_LINKS', sk: `REVOKED#${report}` });

const revocationSchema = v.object({
  /** Links to the report's pages that were made before this instant are void. ISO 8601. */
  revokedBefore: v.string(),
});

/**
 * Revokes all links to a report's pages that were made before `before`, ISO 8601. `expiresAt` is in epoch seconds, and is
 * not to be earlier than the end of the last of them.
 */
export async function revokePageLinks(
  table: Table,
  { name: report }: { name: string },
  { before, expiresAt }: { before: string; expiresAt: number },
): Promise<void> {
  await table.update(keyOf(report), { set: { report, revokedBefore: before, expiresAt } });
}

/** Before which instant links to a report's pages are void; `null` where none were revoked. */
export async function readPageLinksRevokedBefore(table: Table, { name }: { name: string }): Promise<Date | null> {
  const revocation = v.parse(v.nullable(revocationSchema), await table.get(keyOf(name)));
  return revocation && new Date(revocation.revokedBefore);
}
