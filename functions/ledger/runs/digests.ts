import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { coverageSchema } from '../../reporting-service/coverage.ts';
import { curveSchema } from '../../domain/curve.ts';
import { judgementSchema } from '../../domain/check.ts';
import { digestSchema, missingSchema, periodFiguresSchema, warnedSchema } from '../../domain/digest.ts';
import { putDocument, readDocument } from './documents.ts';
import type { Table, Key } from '../table.ts';
import { periodKindNames, type Period } from '../../domain/period.ts';
import { periodSortKey, type PeriodKey } from './runs.ts';

const storedDigestSchema = v.object({
  digest: digestSchema,
  coverage: coverageSchema,
  /** All that was not available, also what an earlier digest had named as gone for good. */
  unavailable: v.array(missingSchema),
  account: v.string(),
  filters: v.string(),
  informingTypes: v.string(),
});

/** A digest with what it covers and how it was counted. */
export type StoredDigest = v.InferOutput<typeof storedDigestSchema>;

/** Stores a digest and returns its new id. It counts only once the run names it. */
export async function putDigest(table: Table, run: string, digest: StoredDigest, expiresAt: number): Promise<string> {
  const id = randomUUID();
  await putDocument(table, { pk: `DIGEST#${run}`, sk: id }, digest, expiresAt);
  return id;
}

/** A stored digest. Throws where there is none under this id. */
export async function readDigest(table: Table, run: string, id: string): Promise<StoredDigest> {
  const stored = await findDigest(table, run, id);
  if (stored === null) throw new Error(`The ledger has no digest of run "${run}" under the id that its run names.`);
  return stored;
}

/** A stored digest; `null` where there is none under this id, such as one that has expired. */
export async function findDigest(table: Table, run: string, id: string): Promise<StoredDigest | null> {
  return v.parse(v.nullable(storedDigestSchema), await readDocument(table, { pk: `DIGEST#${run}`, sk: id }));
}

const growthSchema = v.object({
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()) }),
  /** In epoch milliseconds. */
  firstSign: v.number(),
  /** How many people it is for; `null` where the service does not say it. */
  audience: v.nullable(v.number()),
  curve: curveSchema,
});

const deliverySchema = v.object({
  /** The start of the last period whose run listed it, in epoch milliseconds. */
  listedIn: v.number(),
  /** When the collection of the first run that listed it began, in epoch milliseconds. Not there: noted by no run. */
  listedAt: v.exactOptional(v.number()),
  /** Its broadcast's creation, in epoch milliseconds; `null` where the broadcast does not say it. Not there: not asked yet. */
  createdAt: v.exactOptional(v.nullable(v.number())),
  /**
   * What the last run that could read its recipients counted: rows with engagement, and those of them without a readable date;
   * and the most views and responses dated before the end of its period that any run counted. Not there: never read.
   */
  counted: v.exactOptional(
    v.object({ engaged: v.number(), undated: v.number(), seen: v.number(), responded: v.number() }),
  ),
  /** A digest showed it. */
  shown: v.exactOptional(v.literal(true)),
  /** A digest showed it as engaged with. */
  engaged: v.exactOptional(v.literal(true)),
  /** A digest counted it as new. */
  new: v.exactOptional(v.literal(true)),
  /** The starts of the periods whose digests named it as seen by nobody; instants with offset. */
  namedIn: v.exactOptional(v.array(v.string())),
  /** The report's first digest left it out: nobody had seen it, and nothing says when it was sent. */
  leftOut: v.exactOptional(v.literal(true)),
  /** It was still counting, or could not be read: the first digest that can judge it does. */
  pending: v.exactOptional(v.literal(true)),
  /** Not there: its recipients were never read, or not all of their dates. */
  growth: v.exactOptional(growthSchema),
  /** What the checks of a warning know of it. */
  check: v.exactOptional(
    v.object({
      /** Until when the first check looked that listed it with a wanted status; `null` of those that the very first listed. */
      listedAt: v.nullable(v.number()),
      /** It was judged, or it is too late for that. */
      done: v.exactOptional(v.literal(true)),
      /** Its warning. */
      warned: v.exactOptional(warnedSchema),
    }),
  ),
});

/** How a delivery grew, which later editions of its series are compared with. */
export type Growth = v.InferOutput<typeof growthSchema>;

/** What a report's digests said of a delivery, and what its runs counted of it. */
export type DeliveryHistory = v.InferOutput<typeof deliverySchema>;

const historySchema = v.object({
  /** The rows of the list of deliveries. */
  listed: v.number(),
  /** By the delivery's id. Pairs, because an id may be any text. */
  deliveries: v.pipe(
    v.array(v.tuple([v.string(), deliverySchema])),
    v.transform((entries): ReadonlyMap<string, DeliveryHistory> => new Map(entries)),
  ),
  /** The keys of what was named as gone for good. */
  gone: v.pipe(
    v.array(v.string()),
    v.transform((keys): ReadonlySet<string> => new Set(keys)),
  ),
  /** Of a warning's check. */
  check: v.exactOptional(
    v.object({
      /** Until when the first check looked, in epoch milliseconds: nothing older is warned of. */
      since: v.number(),
      /** The warnings that wait for a working day. */
      waiting: v.array(judgementSchema),
    }),
  ),
});

/** What later digests of a report have to know of one, and of all before it. */
export type History = v.InferOutput<typeof historySchema>;

/** Where a run's digest and its history are stored. */
interface DigestKey {
  run: string;
  /** The digest's id. */
  digest: string;
}

/** Stores the history that a digest makes, beside it. It counts only once the digest is the run's. */
export async function putHistory(
  table: Table,
  { run, digest }: DigestKey,
  { deliveries, gone, ...rest }: History,
  expiresAt: number,
): Promise<void> {
  const value = { ...rest, deliveries: [...deliveries], gone: [...gone] };
  await putDocument(table, { pk: `HISTORY#${run}`, sk: digest }, value, expiresAt);
}

/** The history that a digest made; `null` where it has expired. */
export async function readHistory(table: Table, { run, digest }: DigestKey): Promise<History | null> {
  return v.parse(v.nullable(historySchema), await readDocument(table, { pk: `HISTORY#${run}`, sk: digest }));
}

const figuresSchema = v.object({
  kind: v.picklist(periodKindNames),
  start: v.string(),
  end: v.string(),
  /** The run and its digest: what later digests have to know beside the figures is stored under them. */
  run: v.string(),
  digest: v.string(),
  /** What was counted, of which account: figures that were counted otherwise are not compared. */
  account: v.string(),
  filters: v.string(),
  /** Which types of content items asked nothing. */
  informingTypes: v.string(),
  totals: periodFiguresSchema,
});

/** The figures of one period in a report's digest, stored to compare later ones with. */
export type StoredFigures = v.InferOutput<typeof figuresSchema>;

/** What is kept of a digest to compare later ones with, and where what else they have to know is. */
export function figuresOf({ digest, account, filters, informingTypes }: StoredDigest, key: DigestKey): StoredFigures {
  const { deliveries, broadcasts, seen, responded, asked, responseRate } = digest.totals;
  const { kind, start, end } = digest.period;
  const totals = { deliveries, broadcasts, seen, responded, asked, responseRate };
  return { kind, start, end, ...key, account, filters, informingTypes, totals };
}

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

/** The figures of a report for the periods before and after one, oldest first. */
export async function readOtherFigures(table: Table, { name }: { name: string }, { start }: Pick<Period, 'start'>) {
  const items = await Array.fromAsync(table.query(`FIGURES#${name}`));
  const found = items.filter(({ dropped }) => dropped !== true).map((item) => v.parse(figuresSchema, item));
  const all = found.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  return {
    earlier: all.filter((figures) => Date.parse(figures.start) < Date.parse(start)),
    later: all.filter((figures) => Date.parse(figures.start) > Date.parse(start)),
  };
}

/** Marks the figures of a digest that was dropped as worth nothing. Those of another one, which the run may have meanwhile, stay. */
export async function dropFigures(table: Table, report: string, period: PeriodKey, digest: string): Promise<void> {
  const condition = { condition: '#digest = :digest', values: { ':digest': digest } };
  await table.update(keyOf(report, period), { set: { dropped: true }, ...condition });
}
