import * as v from 'valibot';
import type { Key, StoredItem, Table } from './table.ts';

/** What the communications team says with a digest. */
export const noteSchema = v.object({ text: v.string(), by: v.string(), at: v.string() });
export type Note = v.InferOutput<typeof noteSchema>;

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

const attributes = Object.keys(reportSchema.entries);

/** Where what belonged to a name stands now: operators moved it. It may be only under way. */
const movedSchema = v.object({ movedTo: v.string(), isMoving: v.optional(v.boolean(), false) });

/** One partition for all reports: those that the ledger knows are one query. */
const partition = 'REPORTS';
const reportKey = (report: string): Key => ({ pk: partition, sk: report });

/** What the ledger knows of a report. One that it sees for the first time is written down as seen at `now`, and off. */
export async function recordReportSeen(table: Table, report: { name: string }, now: string): Promise<KnownReport> {
  const known = await readReport(table, report);
  if (known !== null) return known;
  await table.update(reportKey(report.name), {
    set: { firstSeenAt: now, pausedAt: now },
    condition: 'attribute_not_exists(#firstSeenAt)',
  });
  return await recordReportSeen(table, report, now);
}

/**
 * The fewest months for which rows of a report were ever kept, `keepMonths` now: what was written under fewer is gone as early,
 * whatever is set since.
 */
export async function recordKeepMonths(
  table: Table,
  { name }: { name: string },
  known: KnownReport,
  keepMonths: number,
) {
  const { leastKeepMonths = Infinity } = known;
  if (keepMonths < leastKeepMonths) await table.update(reportKey(name), { set: { leastKeepMonths: keepMonths } });
  return Math.min(keepMonths, leastKeepMonths);
}

/** What the ledger knows of a report; `null` where it never saw it, or it has another name now. */
export async function readReport(table: Table, { name }: { name: string }): Promise<KnownReport | null> {
  return knownOf(await table.get(reportKey(name)));
}

/** Whether nobody has ever switched a report on, of which this is known. */
export function isOff(known: KnownReport | null): boolean {
  return known === null || (known.pausedAt !== undefined && known.pausedBy === undefined);
}

export async function readReportNames(table: Table): Promise<string[]> {
  const items = await Array.fromAsync(table.query(partition));
  return items.filter((item) => knownOf(item) !== null).map(({ sk }) => String(sk));
}

/** Pauses a report: its schedule's triggers do nothing until it is resumed. One that is off stays off. */
export async function pauseReport(table: Table, report: { name: string }, pause: { at: string; by: string }) {
  await recordReportSeen(table, report, pause.at);
  await table.update(reportKey(report.name), {
    set: { pausedAt: pause.at, pausedBy: pause.by },
    condition: 'attribute_not_exists(#pausedAt)',
  });
}

/** Switches a report on, whether it was off or paused. */
export async function resumeReport(table: Table, report: { name: string }, at: string): Promise<void> {
  const { pausedAt } = await recordReportSeen(table, report, at);
  if (pausedAt === undefined) return;
  await table.update(reportKey(report.name), {
    set: { lastPause: { from: pausedAt, until: at } },
    remove: ['pausedAt', 'pausedBy'],
    condition: '#pausedAt = :pausedAt',
    values: { ':pausedAt': pausedAt },
  });
}

/** Has a note wait for a report's next digest, in place of any other. */
export async function putNote(table: Table, report: { name: string }, note: Note): Promise<void> {
  await recordReportSeen(table, report, note.at);
  await table.update(reportKey(report.name), { set: { note } });
}

/** Takes a note back that waits for a report's next digest, if it still does. */
export async function removeNote(table: Table, report: { name: string }, { at }: Note): Promise<void> {
  await table.update(reportKey(report.name), { remove: ['note'], condition: '#note.#at = :at', values: { ':at': at } });
}

/** What a report is called now that a link or a run is named after: as it says where that one is configured, or never moved. */
export async function readPresentName(
  table: Table,
  name: string,
  reports: ReadonlyArray<{ name: string }>,
): Promise<string> {
  if (reports.some((report) => report.name === name)) return name;
  const movedTo = (await readMove(table, name))?.movedTo;
  // Beginning a move ends any from the new name, so names never lead back.
  return movedTo === undefined ? name : await readPresentName(table, movedTo, reports);
}

/** Where a report's name was moved to, and whether that is still under way; `null` where it never was. */
export async function readMove(table: Table, name: string): Promise<v.InferOutput<typeof movedSchema> | null> {
  const parsed = v.safeParse(movedSchema, await table.get(reportKey(name)));
  return parsed.success ? parsed.output : null;
}

/** Records that what the ledger has on a report moves to another name: from now on links of the old name lead to the new one. */
export async function beginMove(table: Table, from: string, to: string): Promise<void> {
  await table.update(reportKey(to), { remove: ['movedTo', 'isMoving'] });
  await table.update(reportKey(from), { set: { movedTo: to, isMoving: true } });
}

/**
 * Ends a move: the new name is the report that was first seen under either. It is on, off or paused as the old one was, and
 * stays paused where an operator paused it.
 */
export async function endMove(table: Table, from: string, to: string): Promise<void> {
  const before = knownOf(await table.get(reportKey(from)));
  if (before !== null) {
    const { pausedAt, ...seen } = (await readReport(table, { name: to })) ?? before;
    const after = seen.pausedBy === undefined ? seen : { ...seen, pausedAt };
    const [firstSeenAt] = [before.firstSeenAt, seen.firstSeenAt].toSorted((a, b) => Date.parse(a) - Date.parse(b));
    const set = { ...before, ...after, firstSeenAt };
    await table.update(reportKey(to), { set, remove: attributes.filter((name) => !(name in set)) });
  }
  await table.update(reportKey(from), { remove: ['isMoving', ...attributes] });
}

/** Has the ledger know nothing more of a report beside its runs, who is in it and who left it: as if it had never been seen. */
export async function retireReport(table: Table, { name }: { name: string }): Promise<void> {
  await table.update(reportKey(name), { remove: attributes });
}

function knownOf(item: StoredItem | null): KnownReport | null {
  return item?.['firstSeenAt'] === undefined ? null : v.parse(reportSchema, item);
}
