import * as v from 'valibot';
import { noteSchema, type Note } from '../domain/note.ts';
import type { Key, StoredItem, Table } from './table.ts';

/** A report: its name is its identity, for ever. */
export type Named = { name: string };

const reportSchema = v.object({
  /** When the ledger first saw the report: nothing before was due. ISO 8601. */
  firstSeenAt: v.string(),
  /** Since when an operator has paused it, and who; without who it is off: nobody has ever switched it on. */
  pausedAt: v.exactOptional(v.string()),
  pausedBy: v.exactOptional(v.string()),
  lastPause: v.exactOptional(v.object({ from: v.string(), until: v.string() })),
  note: v.exactOptional(noteSchema),
  /** The fewest months that the ledger was ever to keep its rows. */
  leastKeepMonths: v.exactOptional(v.number()),
});

/** What the ledger knows of a report beside its runs. It does not expire. */
export type KnownReport = v.InferOutput<typeof reportSchema>;

/** One partition for all reports: those that the ledger knows are one query. */
export const reportsPartition = 'REPORTS';
export const reportKey = (report: string): Key => ({ pk: reportsPartition, sk: report });

/** The partition with who was added to a report or removed from it. */
export const membersOf = (report: string): string => `MEMBERS#${report}`;

/** What the ledger knows of a report. One that it sees for the first time is written down as seen at `now`, and off. */
export async function recordReportSeen(table: Table, report: Named, now: string): Promise<KnownReport> {
  const known = await readReport(table, report);
  if (known !== null) return known;
  const asOff = { firstSeenAt: now, pausedAt: now };
  await table.update(reportKey(report.name), { set: asOff, where: { firstSeenAt: null } });
  return await recordReportSeen(table, report, now);
}

/**
 * The fewest months for which rows of a report were ever kept, `keepMonths` now: what was written under fewer is gone as early,
 * whatever is set since.
 */
export async function recordKeepMonths(table: Table, { name }: Named, known: KnownReport, keepMonths: number) {
  const { leastKeepMonths = Infinity } = known;
  if (keepMonths < leastKeepMonths) await table.update(reportKey(name), { set: { leastKeepMonths: keepMonths } });
  return Math.min(keepMonths, leastKeepMonths);
}

/** What the ledger knows of a report; `null` where it never saw it, or it was retired. */
export async function readReport(table: Table, { name }: Named): Promise<KnownReport | null> {
  return knownOf(await table.get(reportKey(name)));
}

/** What the ledger knows of its reports, by their names. */
export async function readReports(table: Table): Promise<ReadonlyMap<string, KnownReport>> {
  const reports = new Map<string, KnownReport>();
  for await (const item of table.query(reportsPartition)) {
    const known = knownOf(item);
    if (known !== null) reports.set(String(item['sk']), known);
  }
  return reports;
}

/** The names of the reports that the ledger knows, and a configuration does not have. */
export async function readLeftReports(table: Table, configured: readonly Named[]): Promise<string[]> {
  const names = [...(await readReports(table)).keys()];
  return names.filter((name) => !configured.some((report) => report.name === name));
}

/** The names of the reports that ever had a subscriber, also of those that were retired. */
export async function readReportsWithPersons(table: Table): Promise<string[]> {
  const names: string[] = [];
  for await (const item of table.query(reportsPartition)) {
    const name = String(item['sk']);
    const wasPlanned = item['leastKeepMonths'] !== undefined;
    if (wasPlanned || (await Array.fromAsync(table.query(membersOf(name)))).length > 0) names.push(name);
  }
  return names;
}

/** Pauses a report: its schedule's triggers do nothing until it is resumed. One that is off stays off. */
export async function pauseReport(table: Table, report: Named, pause: { at: string; by: string }) {
  await recordReportSeen(table, report, pause.at);
  const set = { pausedAt: pause.at, pausedBy: pause.by };
  await table.update(reportKey(report.name), { set, where: { pausedAt: null } });
}

/** Switches a report on, whether it was off or paused. */
export async function resumeReport(table: Table, report: Named, at: string): Promise<void> {
  const { pausedAt } = await recordReportSeen(table, report, at);
  if (pausedAt === undefined) return;
  await table.update(reportKey(report.name), {
    set: { lastPause: { from: pausedAt, until: at } },
    remove: ['pausedAt', 'pausedBy'],
    where: { pausedAt },
  });
}

/** Has a note wait for a report's next digest, in place of any other. */
export async function putNote(table: Table, report: Named, note: Note): Promise<void> {
  await recordReportSeen(table, report, note.at);
  await table.update(reportKey(report.name), { set: { note } });
}

/** Takes a note back that waits for a report's next digest, if it still does. */
export async function removeNote(table: Table, report: Named, { at }: Note): Promise<void> {
  await table.update(reportKey(report.name), { remove: ['note'], condition: '#note.#at = :at', values: { ':at': at } });
}

/**
 * Has the ledger know nothing more of a report beside its runs, who is in it and who left it. That runs of it were planned stays
 * known: their persons have hashes.
 */
export async function retireReport(table: Table, { name }: Named): Promise<void> {
  const forgotten = Object.keys(reportSchema.entries).filter((attribute) => attribute !== 'leastKeepMonths');
  await table.update(reportKey(name), { remove: forgotten });
}

function knownOf(item: StoredItem | null): KnownReport | null {
  return item?.['firstSeenAt'] === undefined ? null : v.parse(reportSchema, item);
}
