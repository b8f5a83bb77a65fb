import type { PageConfiguration, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { withNote, type Digest } from '../domain/digest.ts';
import { partsOfRunName, type Period } from '../domain/period.ts';
import { readPageLink, type PageLink } from '../ledger/page-links.ts';
import { findDigest } from '../ledger/runs/digests.ts';
import { readRun, readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { anyReportOf, publicPaths } from '../links/public-function.ts';
import type { CsvFile } from '../render/csv.ts';
import type { PageInput } from '../render/page.ts';
import type { PageRequest, Refusal } from './exchange.ts';

/**
 * The answer to a request: a stored digest as a page, with paths of the same front, or as one of its files; or why there
 * is none, in the language of a report.
 */
export type PageAnswer = { status: number; report: ReportWithoutSubscribers } & (
  | { shows: 'page'; digest: Digest; links: Pick<PageInput, 'files' | 'earlier'> }
  | { shows: 'file'; digest: Digest; file: CsvFile }
  | { shows: Refusal }
);

const statuses: Readonly<Record<Refusal, number>> = {
  invalid: 404,
  expired: 410,
  replaced: 410,
  readOnly: 405,
  tooLarge: 413,
  busy: 503,
};

/** A refusal in the language of a report. */
export function refuse(shows: Refusal, report: ReportWithoutSubscribers): PageAnswer {
  return { status: statuses[shows], shows, report };
}

/** Answers a request. It only reads, and one item until a link is believed. */
export async function answerPageRequest(
  { method, link }: PageRequest,
  { configuration, table, now }: { configuration: Pick<PageConfiguration, 'reports'>; table: Table; now: Date },
): Promise<PageAnswer> {
  const anyReport = anyReportOf(configuration.reports);
  if (method !== 'GET' && method !== 'HEAD') return refuse('readOnly', anyReport);
  if (link === null) return refuse('invalid', anyReport);
  const known = await readPageLink(table, link.id);
  if (known === null) return refuse('invalid', anyReport);
  const report = configuration.reports.find(({ name }) => name === known.report);
  // A report that is no longer configured has no page: nobody could revoke its links.
  if (report === undefined || known.end < now) return refuse('expired', anyReport);
  const found = await findShown(table, known, link.run ?? known.run);
  if (typeof found === 'string') return refuse(found, report);
  const { digest, period } = found;
  if (link.file !== null) return { status: 200, shows: 'file', report, digest, file: link.file };
  const folder = `${publicPaths.page}${link.id}/`;
  const runs = await readEarlierRuns(table, report, period);
  const earlier = runs.map(({ run, period: { start, end } }) => ({ start, end, url: folder + run }));
  return { status: 200, shows: 'page', report, digest, links: { files: folder, earlier } };
}

/**
 * The digest of a run that a link shows: its own, or what was sent for an earlier period. A later one never: whoever was
 * forwarded a link is not to read what comes next.
 */
async function findShown(
  table: Table,
  link: PageLink,
  run: string,
): Promise<{ digest: Digest; period: Period } | Refusal> {
  const linked = partsOfRunName(link.run);
  const parts = partsOfRunName(run);
  if (linked === null || parts === null) return 'invalid';
  const found = await readRun(table, link.report, parts.period);
  const isOwn = run === link.run;
  if (isOwn && wasReplaced(found, link.digest)) return 'replaced';
  const isEarlier = found?.run === run && wasSentBefore(found, linked.period);
  const id = isOwn ? link.digest : isEarlier ? found.digest : undefined;
  if (id === undefined) return 'invalid';
  const stored = await findDigest(table, run, id);
  if (stored === null) return 'expired';
  const digest = withNote(stored.digest, found?.note ?? stored.digest.note);
  return { digest, period: { ...digest.period, ...parts.period } };
}

/**
 * Whether a link's digest is no longer its run's: an operator discarded it, or the run has another one by now. A test mail may
 * lead to a digest of its own, before the run has one.
 */
function wasReplaced(run: Run | null, digest: string): boolean {
  if (run === null || run.digest === digest) return false;
  return run.digest !== undefined || run.discarded?.digest === digest;
}

/** As many periods as a digest's trend shows, without its own. */
const mostEarlier = 7;
const msOfDay = 86_400_000;

/** A report's runs of the seven periods before this one whose digests were sent, newest first. */
export async function readEarlierRuns(table: Table, report: { name: string }, period: Period): Promise<Run[]> {
  const runs = await readRunsFrom(table, report, earliestStart(period), period.startDate);
  return runs.filter((run) => wasSentBefore(run, period)).toReversed();
}

/**
 * Whether a run's digest was sent for a period before this one. That of a run that is held or was discarded was not, nor was one
 * that says nothing. Periods of another kind, which the report had before, are not compared.
 */
function wasSentBefore(run: Run, { kind, startDate }: Pick<Period, 'kind' | 'startDate'>): boolean {
  const { digest, period, withheld, state, summary } = run;
  if (digest === undefined || withheld !== undefined) return false;
  if (period.kind !== kind || period.startDate >= startDate) return false;
  // A run that failed may have mailed some of its subscribers before.
  return state === 'done' || state === 'sending' || (summary?.sent ?? 0) > 0;
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
