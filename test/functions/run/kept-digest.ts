import { putDigest, type StoredDigest } from '../../../functions/ledger/runs/digests.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { emptyCoverage } from '../../../functions/reporting-service/coverage.ts';
import { collected, compose } from './compose/collected-samples.ts';

const { digest, counted, complete } = compose(collected());

/** The digest of a week in which nothing was sent, as a run keeps it. */
export const keptDigest: StoredDigest = { digest, coverage: emptyCoverage(), unavailable: [], ...counted, complete };

/** Stores such a digest for a run; its id. */
export function putKeptDigest(table: Table, run: string): Promise<string> {
  return putDigest(table, run, keptDigest, 1_900_000_000);
}
