import * as v from 'valibot';
import { namesOf, type ReportNames } from '../domain/report-names.ts';
import type { Key, Table } from './table.ts';

const reportSchema = v.object({
  /** When the ledger first saw the report: nothing before was due. ISO 8601. */
  firstSeenAt: v.string(),
  /** Since when an operator has paused it, and who. */
  pausedAt: v.exactOptional(v.string()),
  pausedBy: v.exactOptional(v.string()),
  /** The last pause that is over. */
  lastPause: v.exactOptional(v.object({ from: v.string(), until: v.string() })),
});

/** What the ledger knows of a report beside its runs. It does not expire. */
export type KnownReport = v.InferOutput<typeof reportSchema>;

const keyOf = (report: string): Key => ({ pk: `REPORT#${report}`, sk: 'REPORT' });

/** What the ledger knows of a report. One that it sees for the first time is written down with `now`. */
export async function recordReportSeen(table: Table, report: ReportNames, now: string): Promise<KnownReport> {
  const known = await readByName(table, report);
  const merged = merge([...known.values()]) ?? { firstSeenAt: now };
  if (known.has(report.name)) return merged;
  if (await table.insert(keyOf(report.name), { firstSeenAt: merged.firstSeenAt })) return merged;
  return (await readReport(table, report)) ?? merged;
}

/** What the ledger knows of a report under any of its names; `null` where it never saw it. */
export async function readReport(table: Table, report: ReportNames): Promise<KnownReport | null> {
  return merge([...(await readByName(table, report)).values()]);
}

/** Pauses a report: its schedule's triggers do nothing until it is resumed. */
export async function pauseReport(table: Table, report: ReportNames, pause: { at: string; by: string }): Promise<void> {
  const { pausedAt } = await recordReportSeen(table, report, pause.at);
  if (pausedAt !== undefined) return;
  await table.update(keyOf(report.name), {
    set: { pausedAt: pause.at, pausedBy: pause.by },
    condition: 'attribute_not_exists(#pausedAt)',
  });
}

/** Resumes a report, under every name that it is paused under. */
export async function resumeReport(table: Table, report: ReportNames, at: string): Promise<void> {
  for (const [name, { pausedAt }] of await readByName(table, report)) {
    if (pausedAt === undefined) continue;
    await table.update(keyOf(name), {
      set: { lastPause: { from: pausedAt, until: at } },
      remove: ['pausedAt', 'pausedBy'],
      condition: '#pausedAt = :pausedAt',
      values: { ':pausedAt': pausedAt },
    });
  }
}

async function readByName(table: Table, report: ReportNames): Promise<Map<string, KnownReport>> {
  const known = new Map<string, KnownReport>();
  for (const name of namesOf(report)) {
    const item = await table.get(keyOf(name));
    if (item !== null) known.set(name, v.parse(reportSchema, item));
  }
  return known;
}

/** One report that is known under several names: seen with the first, paused with any, and its last pause. */
function merge(known: readonly KnownReport[]): KnownReport | null {
  const [first] = known.toSorted((a, b) => Date.parse(a.firstSeenAt) - Date.parse(b.firstSeenAt));
  if (first === undefined) return null;
  const pauses = known.flatMap(({ lastPause }) => (lastPause === undefined ? [] : [lastPause]));
  const lastPause = pauses.toSorted(
    (a, b) => Date.parse(b.until) - Date.parse(a.until) || Date.parse(a.from) - Date.parse(b.from),
  )[0];
  const paused = known.find(({ pausedAt }) => pausedAt !== undefined);
  const { pausedAt, pausedBy } = paused ?? {};
  return {
    firstSeenAt: first.firstSeenAt,
    ...(pausedAt === undefined ? {} : { pausedAt }),
    ...(pausedBy === undefined ? {} : { pausedBy }),
    ...(lastPause === undefined ? {} : { lastPause }),
  };
}
