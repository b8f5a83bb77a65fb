import type { Period } from '../domain/period.ts';
import type { ReportNames } from '../domain/report-names.ts';
import { readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

/** As many periods as a digest's trend shows, without its own. */
const mostEarlier = 7;
const msOfDay = 86_400_000;

/** A digest that was sent for an earlier period. */
export interface EarlierDigest {
  run: string;
  /** The id of the stored digest. */
  digest: string;
  period: Pick<Period, 'start' | 'end'>;
}

/**
 * The digests that a report sent for the seven periods before this one, newest first, under any of the report's names.
 * What nobody was sent is left out: a digest that is held or was discarded, and one that says nothing. So are digests of
 * periods of another kind, which the report had before.
 */
export async function readEarlierDigests(table: Table, report: ReportNames, period: Period): Promise<EarlierDigest[]> {
  const runs = await readRunsFrom(table, report, earliestStart(period), period.startDate);
  const { kind, startDate } = period;
  const sent = runs.filter((run) => run.period.kind === kind && run.period.startDate < startDate && wasSent(run));
  return sent
    .toReversed()
    .flatMap(({ run, digest, period: { start, end } }) =>
      digest === undefined ? [] : [{ run, digest, period: { start, end } }],
    );
}

/**
 * The date from which on the seven periods before this one start, and none before those does. Months and quarters
 * differ so little in length that seven of them never take as long as 7.7 times this one, and eight always take longer. A calendar
 * would be a tenth of the function's code.
 */
function earliestStart({ start, end, startDate }: Period): string {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / msOfDay);
  const daysBefore = Math.floor(days * (mostEarlier + 0.7));
  return new Date(Date.parse(startDate) - daysBefore * msOfDay).toISOString().slice(0, 10);
}

/** Whether somebody was sent a run's digest. A run that failed may have mailed some of its subscribers before. */
function wasSent({ withheld, state, summary }: Run): boolean {
  if (withheld !== undefined) return false;
  return state === 'done' || state === 'sending' || (summary?.sent ?? 0) > 0;
}
