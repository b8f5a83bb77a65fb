import type { PageConfiguration, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import type { Digest } from '../domain/digest.ts';
import { partsOfRunName, type Period } from '../domain/period.ts';
import { readPresentName } from '../ledger/reports.ts';
import { readPageLinksRevokedBefore } from '../ledger/page-links.ts';
import { findDigest } from '../ledger/runs/digests.ts';
import { readRun, readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import type { PageClaims, PageTokens } from '../signed-links/link-tokens.ts';
import type { PageRequest, Refusal } from './http.ts';

/** The report whose page it is, or whose language a refusal is in. */
export type ReportOfPage = ReportWithoutSubscribers;

/** What a page leads to: paths of the same function. */
export interface PageLinksShown {
  /** The file with all rows. */
  csv: string;
  /** Digests of earlier periods, newest first. */
  earlier: { start: string; end: string; url: string }[];
}

/** The answer to a request: a stored digest as a page or as a file, or why there is none. */
export type PageAnswer =
  | { status: 200; shows: 'page'; report: ReportOfPage; digest: Digest; links: PageLinksShown }
  | { status: 200; shows: 'file'; report: ReportOfPage; digest: Digest }
  | { status: number; shows: Refusal; report: ReportOfPage };

/** What requests are answered with. */
interface PageDependencies {
  configuration: Pick<PageConfiguration, 'reports'>;
  table: Table;
  /** Reads the signing secret where that was not done before. */
  openTokens: () => Promise<PageTokens>;
  now: Date;
}

const statuses: Readonly<Record<Refusal, number>> = {
  invalid: 404,
  expired: 410,
  revoked: 410,
  replaced: 410,
  readOnly: 405,
  tooLarge: 413,
  busy: 503,
};

/** A refusal in the language of a report. */
export function refuse(shows: Refusal, report: ReportOfPage): PageAnswer {
  return { status: statuses[shows], shows, report };
}

/**
 * Answers a request. It only reads. Until a link is believed, the work is the same whatever is sent: the path was read within
 * its bound, one token is decrypted, and the revocations are read once.
 */
export async function answerPageRequest(
  { method, link }: PageRequest,
  { configuration, table, openTokens, now }: PageDependencies,
): Promise<PageAnswer> {
  const [anyReport] = configuration.reports;
  if (anyReport === undefined) throw new Error('The configuration has no report.');
  if (method !== 'GET' && method !== 'HEAD') return refuse('readOnly', anyReport);
  if (link === null) return refuse('invalid', anyReport);
  const tokens = await openTokens();
  const claims = await tokens.read(link.token, now);
  if (typeof claims === 'string') return refuse(claims, anyReport);
  const parts = partsOfRunName(claims.run);
  const name = parts && (await readPresentName(table, parts.report, configuration.reports));
  const report = configuration.reports.find((each) => each.name === name);
  // A report that is no longer configured has no page: nobody could revoke its links.
  if (parts === null || report === undefined) return refuse('expired', anyReport);
  const fileName = `${claims.run}.csv`;
  if (link.file !== null && link.file !== fileName) return refuse('invalid', report);
  const revokedBefore = await readPageLinksRevokedBefore(table, report);
  if (revokedBefore !== null && claims.madeAt < revokedBefore) return refuse('revoked', report);
  const run = await readRun(table, report.name, parts.period);
  if (wasReplaced(run, claims.digest)) return refuse('replaced', report);
  const stored = await findDigest(table, claims.run, claims.digest);
  if (stored === null) return refuse('expired', report);
  const { digest } = stored;
  if (link.file !== null) return { status: 200, shows: 'file', report, digest };
  const csv = `/${link.token}/${fileName}`;
  const digests = await readEarlierDigests(table, report, { ...digest.period, ...parts.period });
  const earlier = await linkEarlier(claims, digests, tokens);
  return { status: 200, shows: 'page', report, digest, links: { csv, earlier } };
}

/**
 * Whether a link's digest is no longer its run's: an operator discarded it, or the run has another one by now. A test mail may
 * lead to a digest of its own, before the run has one.
 */
function wasReplaced(run: Run | null, digest: string): boolean {
  if (run === null || run.digest === digest) return false;
  return run.digest !== undefined || run.discarded?.digest === digest;
}

/** Links to earlier digests, never to later ones: whoever was forwarded a link is not to read what comes next. They end when this one does. */
async function linkEarlier(
  claims: PageClaims,
  digests: readonly EarlierDigest[],
  tokens: PageTokens,
): Promise<PageLinksShown['earlier']> {
  return await Promise.all(
    digests.map(async ({ run, digest, period: { start, end } }) => {
      const token = await tokens.issue({ ...claims, run, digest });
      return { start, end, url: `/${token}` };
    }),
  );
}

/** As many periods as a digest's trend shows, without its own. */
const mostEarlier = 7;
const msOfDay = 86_400_000;

/** A digest that was sent for an earlier period, by its id. */
type EarlierDigest = Awaited<ReturnType<typeof readEarlierDigests>>[number];

/**
 * The digests that a report sent for the seven periods before this one, newest first.
 * What nobody was sent is left out: a digest that is held or was discarded, and one that says nothing. So are digests of
 * periods of another kind, which the report had before.
 */
export async function readEarlierDigests(table: Table, report: { name: string }, period: Period) {
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
