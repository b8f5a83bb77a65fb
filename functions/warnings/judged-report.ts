import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { Digest } from '../domain/digest.ts';
import type { Warning } from '../domain/judgement.ts';
import type { Period } from '../domain/period.ts';
import type { WarningSettings } from '../domain/warning.ts';
import { findDigest, readHistory, readOtherFigures, type History } from '../ledger/runs/digests.ts';
import { readRun } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { latestOf, readEarlier } from '../run/earlier-figures.ts';

/** The report whose deliveries a warning judges, as the run of the warning knows it. */
export interface JudgedReport {
  settings: WarningSettings;
  /** What has reached its age by then is judged; in epoch milliseconds. */
  until: number;
  /** What the report's latest digest left, and the digest; `null` where there is none. */
  history: History | null;
  digest: Digest | null;
  /** Where that digest is, if it was sent. */
  newest: Warning['newest'];
}

/** What lies beside the digests of a report. */
export interface Beside {
  /** What the latest run of the report's warning left. */
  warningHistory?: History | null;
  /** Only of a warning. */
  judgedReport?: JudgedReport;
}

/** Reads what lies beside the digests of a report: what its warning left, or, of a warning, the report whose deliveries it judges. */
export async function readBeside(
  table: Table,
  { warningOf, warningReport }: Pick<ReportConfiguration, 'warningOf' | 'warningReport'>,
  { period, until, account }: { period: Period; until: number; account: string },
): Promise<Beside> {
  if (warningOf !== undefined) return { judgedReport: await readJudgedReport(table, warningOf, { until, account }) };
  if (warningReport === undefined) return {};
  const { history } = await readEarlier(table, { name: warningReport }, { kind: 'day', start: period.end, account });
  return { warningHistory: history };
}

async function readJudgedReport(
  table: Table,
  settings: WarningSettings,
  { until, account }: { until: number; account: string },
): Promise<JudgedReport> {
  const { report: name, every } = settings;
  const { earlier } = await readOtherFigures(table, { name }, { start: new Date(until).toISOString() });
  const latest = latestOf(earlier, every);
  if (latest?.account !== account) return { settings, until, history: null, digest: null, newest: null };
  const { run, digest, kind, start } = latest;
  const stored = await findDigest(table, run, digest);
  // An instant is written with its zone's offset: it begins with the date there.
  const sent = await readRun(table, name, { kind, startDate: start.slice(0, 'YYYY-MM-DD'.length) });
  const isSent = sent?.digest === digest && sent.withheld === undefined;
  return {
    settings,
    until,
    history: await readHistory(table, latest),
    digest: stored?.digest ?? null,
    newest: isSent ? { report: name, run, digest } : null,
  };
}

/** Whether the lists of content items say how many people a delivery is for, and the deliveries' own do not. */
export function areItemsAudience({ digest }: JudgedReport): boolean {
  const deliveries = digest?.deliveries ?? [];
  const items = deliveries.flatMap(({ contents }) => contents ?? []);
  return deliveries.every(({ reach }) => reach === null) && items.some(({ reach }) => reach !== null);
}

/** The digest that the page of a mail shows: its own, or the newest one of the report that a warning judges; `null` where there is none. */
export function pageOf<Key>({ warning }: Pick<Digest, 'warning'>, key: Key): Key | Warning['newest'] {
  return warning === undefined ? key : warning.newest;
}
