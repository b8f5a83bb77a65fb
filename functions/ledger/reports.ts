import * as v from 'valibot';
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
export async function seeReport(table: Table, report: string, now: string): Promise<KnownReport> {
  const known = await table.get(keyOf(report));
  if (known !== null) return v.parse(reportSchema, known);
  if (await table.insert(keyOf(report), { firstSeenAt: now })) return { firstSeenAt: now };
  return v.parse(reportSchema, await table.get(keyOf(report)));
}

/** What the ledger knows of a report; `null` where it never saw it. */
export async function readReport(table: Table, report: string): Promise<KnownReport | null> {
  const known = await table.get(keyOf(report));
  return known === null ? null : v.parse(reportSchema, known);
}

/** Pauses a report: its schedule's triggers do nothing until it is resumed. */
export async function pauseReport(table: Table, report: string, pause: { at: string; by: string }): Promise<void> {
  await seeReport(table, report, pause.at);
  await table.update(keyOf(report), {
    set: { pausedAt: pause.at, pausedBy: pause.by },
    condition: 'attribute_not_exists(#pausedAt)',
  });
}

/** Resumes a paused report. */
export async function resumeReport(table: Table, report: string, at: string): Promise<void> {
  const { pausedAt } = await seeReport(table, report, at);
  if (pausedAt === undefined) return;
  await table.update(keyOf(report), {
    set: { lastPause: { from: pausedAt, until: at } },
    remove: ['pausedAt', 'pausedBy'],
    condition: '#pausedAt = :pausedAt',
    values: { ':pausedAt': pausedAt },
  });
}
