import * as v from 'valibot';
import { engagedSchema } from '../../domain/broadcasts/digest-broadcast.ts';
import { periodKindNames } from '../../domain/period.ts';
import { namesOf, type ReportNames } from '../../domain/report-names.ts';
import type { Table } from '../table.ts';
import { periodSortKey, type PeriodKey } from './runs.ts';

const count = v.nullable(v.number());

const figuresSchema = v.object({
  kind: v.picklist(periodKindNames),
  /** The period's name, such as `2026-W46`. */
  name: v.string(),
  start: v.string(),
  end: v.string(),
  /** What was counted: reports that count otherwise are not compared. */
  filters: v.string(),
  /** Which types of content items asked nothing; not there where an earlier release counted. */
  informingTypes: v.exactOptional(v.string()),
  /** Nothing was missing. */
  complete: v.boolean(),
  totals: v.object({
    deliveries: count,
    broadcasts: count,
    seen: count,
    responded: count,
    asked: v.nullable(engagedSchema),
    responseRate: count,
  }),
});

/** The figures of one period in a report's digest, stored to compare the next one with. */
export type StoredFigures = v.InferOutput<typeof figuresSchema>;

/** Keeps the figures of a report's period. They are a digest's, which is kept once; writing them again changes nothing. */
export async function putFigures(
  table: Table,
  { report, startDate }: { report: string; startDate: string },
  figures: StoredFigures,
  expiresAt: number,
): Promise<void> {
  const sk = periodSortKey({ startDate, kind: figures.kind });
  await table.putMany([{ pk: `FIGURES#${report}`, sk, ...figures, expiresAt }]);
}

/**
 * The figures of all periods of a report, of whatever kind, that started before this one does, under any of the report's
 * names, oldest first. Of a period that is kept under two, those under the name that comes first.
 */
export async function readFiguresBefore(
  table: Table,
  report: ReportNames,
  { startDate }: Pick<PeriodKey, 'startDate'>,
): Promise<StoredFigures[]> {
  const figures = new Map<string, StoredFigures>();
  for (const name of namesOf(report)) {
    // The sort keys of periods that start on the same date are longer than that, and come after it.
    for await (const item of table.query(`FIGURES#${name}`, { from: '0000', to: startDate })) {
      const sk = String(item['sk']);
      if (item['dropped'] === true || figures.has(sk)) continue;
      figures.set(sk, v.parse(figuresSchema, item));
    }
  }
  return [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, kept]) => kept);
}

/** Marks the figures of a report's period as worth nothing: its digest was dropped. Keeping others takes the mark away. */
export async function dropFigures(table: Table, report: string, period: PeriodKey): Promise<void> {
  await table.update(
    { pk: `FIGURES#${report}`, sk: periodSortKey(period) },
    { set: { dropped: true }, condition: 'attribute_exists(#start)' },
  );
}
