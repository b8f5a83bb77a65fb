import { precedingPeriod, type Period } from '../domain/period.ts';
import type { ReportNames } from '../domain/report-names.ts';
import { readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

/** As many periods as a digest's trend shows, without its own. */
const mostEarlier = 7;

/** A digest that was sent for an earlier period. */
export interface EarlierDigest {
  run: string;
  /** The id of the stored digest. */
  digest: string;
  period: Pick<Period, 'start' | 'end'>;
}

/**
 * The digests that a report sent for the seven periods before this one, newest first, under any of the report's names.
 * What nobody was sent is left out: a digest that is held or was discarded, and one that says nothing.
 */
export async function readEarlierDigests(table: Table, report: ReportNames, period: Period): Promise<EarlierDigest[]> {
  let first = period;
  for (let count = 0; count < mostEarlier; count += 1) first = precedingPeriod(first);
  const runs = await readRunsFrom(table, report, first.startDate, period.startDate);
  const sent = runs.filter((run) => run.period.startDate < period.startDate && wasSent(run));
  return sent
    .toReversed()
    .flatMap(({ run, digest, period: { start, end } }) =>
      digest === undefined ? [] : [{ run, digest, period: { start, end } }],
    );
}

/** Whether somebody was sent a run's digest. A run that failed may have mailed some of its subscribers before. */
function wasSent({ withheld, state, summary }: Run): boolean {
  if (withheld !== undefined) return false;
  return state === 'done' || state === 'sending' || (summary?.sent ?? 0) > 0;
}
