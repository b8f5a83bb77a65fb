import * as v from 'valibot';
import { engagedInPeriodSchema } from '../../domain/broadcasts/digest-broadcast.ts';
import { periodKindNames, type Period } from '../../domain/period.ts';
import { namesOf, type ReportNames } from '../../domain/report-names.ts';
import type { Key, Table } from '../table.ts';
import { periodSortKey, type PeriodKey } from './runs.ts';

const count = v.nullable(v.number());

const figuresSchema = v.object({
  kind: v.picklist(periodKindNames),
  start: v.string(),
  end: v.string(),
  /** The run and its digest: what later digests have to know beside the figures is stored under them. */
  run: v.string(),
  digest: v.string(),
  /** What was counted: reports that count otherwise are not compared. */
  filters: v.string(),
  /** Which types of content items asked nothing. */
  informingTypes: v.string(),
  /** Nothing was missing. */
  complete: v.boolean(),
  totals: v.object({
    deliveries: count,
    broadcasts: count,
    seen: count,
    responded: count,
    asked: v.nullable(engagedInPeriodSchema),
    responseRate: count,
  }),
});

/** The figures of one period in a report's digest, stored to compare later ones with. */
export type StoredFigures = v.InferOutput<typeof figuresSchema>;

function keyOf(report: string, period: PeriodKey): Key {
  return { pk: `FIGURES#${report}`, sk: periodSortKey(period) };
}

/** Keeps the figures of a report's period. They are a digest's, which is kept once; writing them again changes nothing. */
export async function putFigures(
  table: Table,
  report: string,
  period: PeriodKey,
  figures: StoredFigures,
  expiresAt: number,
): Promise<void> {
  await table.putMany([{ ...keyOf(report, period), ...figures, expiresAt }]);
}

/** The figures of a report under any of its names for the periods before and after one, oldest first. */
export async function readOtherFigures(
  table: Table,
  report: ReportNames,
  { start }: Pick<Period, 'start'>,
): Promise<{ earlier: StoredFigures[]; later: StoredFigures[] }> {
  const found = new Map<string, StoredFigures>();
  for (const name of namesOf(report)) {
    for await (const item of table.query(`FIGURES#${name}`, { from: '0', to: '~' })) {
      const sk = String(item['sk']);
      if (item['dropped'] !== true && !found.has(sk)) found.set(sk, v.parse(figuresSchema, item));
    }
  }
  const all = [...found.values()].toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  const isBefore = (figures: StoredFigures): boolean => Date.parse(figures.start) < Date.parse(start);
  return {
    earlier: all.filter(isBefore),
    later: all.filter((figures) => Date.parse(figures.start) > Date.parse(start)),
  };
}

/** Marks the figures of a digest that was dropped as worth nothing. Those of another one, which the run may have meanwhile, stay. */
export async function dropFigures(table: Table, report: string, period: PeriodKey, digest: string): Promise<void> {
  const condition = { condition: '#digest = :digest', values: { ':digest': digest } };
  await table.update(keyOf(report, period), { set: { dropped: true }, ...condition });
}
