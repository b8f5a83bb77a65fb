import { Temporal } from 'temporal-polyfill';
import type { PageConfiguration, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { withNote, type Digest } from '../digest/schema.ts';
import { CodedError } from '../domain/failures.ts';
import { partsOfRunName, periodKinds, type NamedPeriod } from '../domain/period.ts';
import { readPageLink, type PageLink } from '../ledger/page-links.ts';
import { findDigest, hasOlderDigest } from '../ledger/runs/digests.ts';
import { readRun, readRunsFrom, wasSent, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { anyReportOf, publicPaths } from '../links/public-function.ts';
import type { PageInput } from '../render/page.ts';

export interface PageRequest {
  method: string;
  /** The link's id, the run where one is named, and whether its workbook is asked for; `null` where the path is not that of a link. */
  link: { id: string; run: string | null; isFile: boolean } | null;
  acceptsGzip: boolean;
}

const statuses = { invalid: 404, expired: 410, replaced: 410, older: 410, readOnly: 405, busy: 503 } as const;

/** Why there is no digest to show. */
export type Refusal = keyof typeof statuses;
export const refusals: readonly Refusal[] = ['invalid', 'expired', 'replaced', 'older', 'readOnly', 'busy'];

/**
 * The answer to a request: a stored digest as a page, with paths of the same front, or as its workbook; or why there
 * is none, in the language of a report.
 */
export type PageAnswer = { status: number; report: ReportWithoutSubscribers } & (
  | { shows: 'page'; digest: Digest; links: Pick<PageInput, 'files' | 'earlier'> }
  | { shows: 'file'; digest: Digest }
  | { shows: Refusal }
);

export function refuse(shows: Refusal, report: ReportWithoutSubscribers): PageAnswer {
  return { status: statuses[shows], shows, report };
}

/** Answers a request. It only reads, and one item until a link is believed. */
export async function answerPageRequest(
  { method, link }: PageRequest,
  { configuration, table, now }: { configuration: PageConfiguration; table: Table; now: Date },
): Promise<PageAnswer> {
  const anyReport = anyReportOf(configuration.reports);
  if (method !== 'GET' && method !== 'HEAD') return refuse('readOnly', anyReport);
  if (link === null || (link.isFile && configuration.mail.workbook === 'none')) return refuse('invalid', anyReport);
  const known = await readPageLink(table, link.id);
  if (known === null) return refuse('invalid', anyReport);
  const report = configuration.reports.find(({ name }) => name === known.report);
  // A report that is no longer configured has no page: nobody could revoke its links.
  if (report === undefined || Date.parse(known.end) < now.getTime()) return refuse('expired', anyReport);
  const linked = partsOfRunName(known.run)?.period;
  if (linked === undefined) return refuse('invalid', report);
  const opened = await readEarlierRuns(table, report, linked);
  const earlier = opened.find(({ run }) => run === link.run) ?? null;
  if (earlier === null && link.run !== null && link.run !== known.run) return refuse('invalid', report);
  const digest = await findShown(table, known, linked, earlier);
  if (typeof digest === 'string') return refuse(digest, report);
  if (link.isFile) return { status: 200, shows: 'file', report, digest };
  const folder = `${publicPaths.page}${link.id}/`;
  const { startDate } = earlier?.period ?? linked;
  const before = opened.filter(({ period }) => period.startDate < startDate);
  const links = before.map(({ run, period: { start, end } }) => ({ start, end, url: folder + run }));
  return { status: 200, shows: 'page', report, digest, links: { files: folder, earlier: links } };
}

/** A link's own digest, or that of the `earlier` run. */
async function findShown(table: Table, link: PageLink, linked: NamedPeriod, earlier: Run | null) {
  const run = earlier ?? (await readRun(table, link.report, linked));
  if (earlier === null && wasReplaced(run, link.digest)) return 'replaced';
  try {
    const stored = await findDigest(table, earlier?.run ?? link.run, earlier?.digest ?? link.digest);
    return stored === null ? 'expired' : withNote(stored, run?.note ?? stored.note);
  } catch (error) {
    if (error instanceof CodedError && error.name === 'older-digest') return 'older';
    throw error;
  }
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

/**
 * All that a link opens beside its own digest: the last seven runs of its report before its period whose digests were sent, newest
 * first; none longer ago than eight periods, nor of another kind, which the report had before. A later one never: whoever was
 * forwarded a link is not to read what comes next.
 */
async function readEarlierRuns(table: Table, report: { name: string }, linked: NamedPeriod): Promise<Run[]> {
  const { days = 0, months = 0 } = periodKinds[linked.kind].step;
  const reach = { days: days * (mostEarlier + 1), months: months * (mostEarlier + 1) };
  const from = Temporal.PlainDate.from(linked.startDate).subtract(reach).toString();
  const runs = await readRunsFrom(table, report, from, linked.startDate);
  return runs
    .filter((run) => run.digest !== undefined && wasSent(run) && !hasOlderDigest(run))
    .filter(({ period: { kind, startDate } }) => kind === linked.kind && startDate < linked.startDate)
    .slice(-mostEarlier)
    .toReversed();
}
