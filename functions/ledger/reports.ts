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

/** One partition for all reports: those that the ledger knows are one query. */
const partition = 'REPORTS';
const reportKey = (report: string): Key => ({ pk: partition, sk: report });

/** The partition with who was added to a report or removed from it. */
export const membersOf = (report: string): string => `MEMBERS#${report}`;

/** What the ledger knows of a report. One that it sees for the first time is written down as seen at `now`, and off. */
export async function recordReportSeen(table: Table, report: { name: string }, now: string): Promise<KnownReport> {
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

/** What the ledger knows of a report; `null` where it never saw it, or it was retired. */
export async function readReport(table: Table, { name }: { name: string }): Promise<KnownReport | null> {
  return knownOf(await table.get(reportKey(name)));
}

/** Whether nobody has ever switched a report on, of which this is known. */
export function isOff(known: KnownReport | null): boolean {
  return known === null || (known.pausedAt !== undefined && known.pausedBy === undefined);
}

/** The names of the reports that the ledger knows. */
export async function readReportNames(table: Table): Promise<string[]> {
  const items = await Array.fromAsync(table.query(partition));
  return items.flatMap((item) => (knownOf(item) === null ? [] : String(item['sk'])));
}

/** The names of the reports that ever had a subscriber, also of those that were retired. */
export async function readReportsWithPersons(table: Table): Promise<string[]> {
  const names: string[] = [];
  for await (const item of table.query(partition)) {
    const name = String(item['sk']);
    const wasPlanned = item['leastKeepMonths'] !== undefined;
    if (wasPlanned || (await Array.fromAsync(table.query(membersOf(name)))).length > 0) names.push(name);
  }
  return names;
}

/**
 * Why a report of a configuration, `reports`, is neither switched on nor run for the first time: the ledger has subscribers of one
 * that the configuration has no more and that nobody retired. Under a new name it would mail who left the old one. Else `null`.
 */
export async function whyMaybeRenamed(
  table: Table,
  { name }: { name: string },
  reports: ReadonlyArray<{ name: string }>,
) {
  if ((await readReport(table, { name }))?.leastKeepMonths !== undefined) return null;
  const gone = new Set(await readReportNames(table));
  for (const configured of reports) gone.delete(configured.name);
  const others = gone.size === 0 ? [] : (await readReportsWithPersons(table)).filter((other) => gone.has(other));
  if (others.length === 0) return null;
  return (
    `The ledger has subscribers of "${others.join('", "')}", which cdk.json no longer has. If "${name}" is that report, give it ` +
    `its name back and change its "title". If that one has ended: npm run ops -- retire ${others[0]}`
  );
}

/** Pauses a report: its schedule's triggers do nothing until it is resumed. One that is off stays off. */
export async function pauseReport(table: Table, report: { name: string }, pause: { at: string; by: string }) {
  await recordReportSeen(table, report, pause.at);
  const set = { pausedAt: pause.at, pausedBy: pause.by };
  await table.update(reportKey(report.name), { set, where: { pausedAt: null } });
}

/** Switches a report on, whether it was off or paused. */
export async function resumeReport(table: Table, report: { name: string }, at: string): Promise<void> {
  const { pausedAt } = await recordReportSeen(table, report, at);
  if (pausedAt === undefined) return;
  await table.update(reportKey(report.name), {
    set: { lastPause: { from: pausedAt, until: at } },
    remove: ['pausedAt', 'pausedBy'],
    where: { pausedAt },
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

const movedSchema = v.object({ movedTo: v.string(), firstSeenAt: v.optional(v.string(), '') });

/**
 * What a report is called now that an order names, or a link that was made at `madeMs`. The release before could move a report to
 * another name: what has its name since is another report, which no link from before means.
 */
export async function readPresentName(
  table: Table,
  name: string,
  reports: ReadonlyArray<{ name: string }>,
  madeMs = Infinity,
): Promise<string> {
  // An order means the report that has the name now.
  const isConfigured = reports.some((report) => report.name === name);
  if (isConfigured && madeMs === Infinity) return name;
  const moved = v.safeParse(movedSchema, await table.get(reportKey(name)));
  if (!moved.success) return name;
  const { movedTo, firstSeenAt } = moved.output;
  const isMoved = !isConfigured || madeMs < Date.parse(firstSeenAt);
  return isMoved ? await readPresentName(table, movedTo, reports, madeMs) : name;
}

/**
 * Has the ledger know nothing more of a report beside its runs, who is in it and who left it. That runs of it were planned stays
 * known: their persons have hashes.
 */
export async function retireReport(table: Table, { name }: { name: string }): Promise<void> {
  const forgotten = Object.keys(reportSchema.entries).filter((attribute) => attribute !== 'leastKeepMonths');
  await table.update(reportKey(name), { remove: forgotten });
}

function knownOf(item: StoredItem | null): KnownReport | null {
  return item?.['firstSeenAt'] === undefined ? null : v.parse(reportSchema, item);
}

const offSchema = v.object({
  channel: v.string(),
  /** Since when, ISO 8601, and the second run in a row whose card was refused for good, with what the webhook answered. */
  offSince: v.string(),
  run: v.string(),
  refusal: v.string(),
});

/** That a channel is off: no run posts to it until an operator stores its address anew, or switches it on. */
type ChannelOff = v.InferOutput<typeof offSchema>;

/** Beside the reports: whoever may see which of them are paused sees these, too. No report can be called `@…`. */
const channelKey = (channel: string): Key => ({ pk: partition, sk: `@channel#${channel}` });

export async function turnChannelOff(table: Table, off: ChannelOff): Promise<void> {
  await table.update(channelKey(off.channel), { set: off });
}

export async function turnChannelOn(table: Table, channel: string): Promise<void> {
  await table.remove(channelKey(channel));
}

/** Since when and why a channel is off; `null` where it is on. */
export async function readChannelOff(table: Table, channel: string): Promise<ChannelOff | null> {
  return v.parse(v.nullable(offSchema), await table.get(channelKey(channel)));
}
