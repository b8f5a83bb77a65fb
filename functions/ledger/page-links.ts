import * as v from 'valibot';
import type { Table } from './table.ts';

/** One partition for all reports: whether a link is revoked is one query. */
const partition = 'PAGE_LINKS';

const revocationSchema = v.object({
  report: v.string(),
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
  await table.update({ pk: partition, sk: `REVOKED#${report}` }, { set: { report, revokedBefore: before, expiresAt } });
}

/** Before which instant links to a report's pages are void; `null` where none were revoked. */
export async function readPageLinksRevokedBefore(table: Table, { name }: { name: string }): Promise<Date | null> {
  for await (const item of table.query(partition, { prefix: `REVOKED#${name}` })) {
    const { report, revokedBefore } = v.parse(revocationSchema, item);
    if (report === name) return new Date(revokedBefore);
  }
  return null;
}
