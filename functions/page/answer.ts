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

export interface PageRequest {
  method: string;
  /** The link's id, the run where one is named, and which of its files is asked for; `null` where the path is not that of a link. */
  link: { id: string; run: string | null; file: CsvFile | null } | null;
  acceptsGzip: boolean;
}

const statuses = { invalid: 404, expired: 410, replaced: 410, readOnly: 405, busy: 503 } as const;

/** Why there is no digest to show. */
export type Refusal = keyof typeof statuses;
export const refusals: readonly Refusal[] = ['invalid', 'expired', 'replaced', 'readOnly', 'busy'];

/**
 * The answer to a request: a stored digest as a page, with paths of the same front, or as one of its files; or why there
 * is none, in the language of a report.
 */
export type PageAnswer = { status: number; report: ReportWithoutSubscribers } & (
  | { shows: 'page'; digest: Digest; links: Pick<PageInput, 'files' | 'earlier'> }
  | { shows: 'file'; digest: Digest; file: CsvFile }
  | { shows: Refusal }
);

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
  const shown = await findShown(table, known, link.run ?? known.run);
  if (typeof shown === 'string') return refuse(shown, report);
  const { digest, period } = shown;
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
  name: string,
): Promise<{ digest: Digest; period: Period } | Refusal> {
  const linked = partsOfRunName(link.run);
  const named = partsOfRunName(name);
  if (linked === null || named === null) return 'invalid';
  const run = await readRun(table, link.report, named.period);
  const isLinked = name === link.run;
  if (isLinked && wasReplaced(run, link.digest)) return 'replaced';
  const isEarlier = run?.run === name && wasSentBefore(run, linked.period);
  const id = isLinked ? link.digest : isEarlier ? run.digest : undefined;
  if (id === undefined) return 'invalid';
  const stored = await findDigest(table, name, id);
  if (stored === null) return 'expired';
  const digest = withNote(stored.digest, run?.note ?? stored.digest.note);
  return { digest, period: { ...digest.period, ...named.period } };
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

/** The last seven runs of a report before this period whose digests were sent, newest first; none longer ago than eight periods. */
async function readEarlierRuns(table: Table, report: { name: string }, period: Period): Promise<Run[]> {
  const start = Date.parse(period.start);
  const from = new Date(start - (mostEarlier + 1) * (Date.parse(period.end) - start)).toISOString().slice(0, 10);
  const runs = await readRunsFrom(table, report, from, period.startDate);
  return runs
    .filter((run) => wasSentBefore(run, period))
    .slice(-mostEarlier)
    .toReversed();
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
