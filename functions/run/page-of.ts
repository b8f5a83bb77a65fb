import type { Digest } from '../digest/schema.ts';
import type { PageLink } from '../ledger/page-links.ts';
import { hasOlderDigest } from '../ledger/runs/digests.ts';
import { readRunsFrom } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

type Shown = Omit<PageLink, 'end'>;

/** The digest that the page of a mail shows: its own, or the newest that was sent of the report that a warning judges; `null` where there is none. */
export async function pageOf(table: Table, { warning }: Pick<Digest, 'warning'>, own: Shown): Promise<Shown | null> {
  if (warning === null) return own;
  const runs = await readRunsFrom(table, { name: warning.report }, '0000');
  const newest = runs.findLast((run) => (run.summary?.sent ?? 0) > 0 && !hasOlderDigest(run));
  const { run, digest } = newest ?? {};
  return run === undefined || digest === undefined ? null : { report: warning.report, run, digest };
}
