import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { coverageSchema } from '../../reporting-service/coverage.ts';
import { growthSchema } from '../../domain/editions.ts';
import { engagedSchema } from '../../domain/figures.ts';
import { digestSchema, lastWarningSchema, missingSchema, periodFiguresSchema } from '../../domain/digest.ts';
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
  /** Rows that came since the run of the period before, without a readable date. */
  undated: v.number(),
});

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

const deliverySchema = v.object({
  /** The start of the last period whose run listed it, in epoch milliseconds. */
  listedIn: v.number(),
  /** When the collection of the first run began that listed it with a wanted status, in epoch milliseconds. */
  wantedAt: v.exactOptional(v.number()),
  /** The last wanted status that a run listed it with. */
  wantedAs: v.exactOptional(v.string()),
  /** Its broadcast's creation, in epoch milliseconds; `null` where the broadcast does not say it. Not there: not asked yet. */
  createdAt: v.exactOptional(v.nullable(v.number())),
  /** The first sign of somebody, in epoch milliseconds: once counted it stays. */
  firstSign: v.exactOptional(v.number()),
  /** What runs counted. Not there: its recipients were never read. */
  counted: v.exactOptional(
    v.object({
      /** The start of the period of the last run that read them, in epoch milliseconds. */
      in: v.number(),
      /** In that run: rows with engagement, those of them without a readable date, and views and responses of its period. */
      engaged: v.number(),
      undated: v.number(),
      inPeriod: engagedSchema,
      /** The most views and responses dated before the end of its period that any run counted. */
      seen: v.number(),
      responded: v.number(),
    }),
  ),
  shown: v.exactOptional(v.literal(true)),
  engaged: v.exactOptional(v.literal(true)),
  new: v.exactOptional(v.literal(true)),
  /** The starts of the periods whose digests named it as seen by nobody; instants with offset. */
  namedIn: v.exactOptional(v.array(v.string())),
  /** The last digest that named it as what needs somebody: the start of its period, in epoch milliseconds, and what it said of it. */
  needed: v.exactOptional(v.object({ in: v.number(), seen: v.number(), audience: v.nullable(v.number()) })),
  /** The report's first digest left it out: nobody had seen it, and nothing says when it was sent. */
  leftOut: v.exactOptional(v.literal(true)),
  /** A digest judged whether too few had seen it, or found nothing to hold it against. */
  judged: v.exactOptional(v.literal(true)),
  /** The last run showed it, and its judgement was still to come. */
  awaitsJudgement: v.exactOptional(v.literal(true)),
  /** Not there: its recipients were never read. */
  growth: v.exactOptional(growthSchema),
  warning: v.exactOptional(
    v.object({
      /** Up to when the first run looked that listed it with a wanted status, in epoch milliseconds. */
      listedAt: v.number(),
      /** It was judged, or it is too late for that. */
      done: v.exactOptional(v.literal(true)),
      /** The same of the last run that left it to a later one. */
      waiting: v.exactOptional(v.number()),
      /** Its last warning, and the day that is the period of that run, as `YYYY-MM-DD`. */
      last: v.exactOptional(v.object({ ...lastWarningSchema.entries, day: v.string() })),
    }),
  ),
});

/** What a report's digests said of a delivery, and what its runs counted of it. */
export type DeliveryHistory = v.InferOutput<typeof deliverySchema>;

/** A map as pairs, because a key may be any text. */
function mapOf<const S extends v.GenericSchema>(value: S) {
  return v.pipe(
    v.array(v.tuple([v.string(), value])),
    v.transform((entries): ReadonlyMap<string, v.InferOutput<S>> => new Map(entries)),
  );
}

/** Whether lists of one kind are read as audiences, and how many runs in a row said otherwise since. */
const keptReadingSchema = v.object({ isAudience: v.boolean(), against: v.number() });
export type KeptReading = v.InferOutput<typeof keptReadingSchema>;

const historySchema = v.object({
  list: v.object({
    rows: v.number(),
    /** How many runs in a row it was exactly as long as before, and more than a third of it new. */
    steady: v.number(),
    /** It had none of the deliveries that the one before had. */
    lostAll: v.boolean(),
    /** In how many digests it was said that deliveries had left it. */
    leftSaid: v.number(),
  }),
  /** Who is on the lists, by their kind. */
  readings: mapOf(keptReadingSchema),
  deliveries: mapOf(deliverySchema),
  /** The keys of broadcasts that ask because people responded to them: they keep asking. */
  asking: v.array(v.string()),
  /** The keys of what was named as gone for good. */
  gone: v.pipe(
    v.array(v.string()),
    v.transform((keys): ReadonlySet<string> => new Set(keys)),
  ),
  warning: v.exactOptional(
    v.object({
      /** What had reached the age by then is never judged; in epoch milliseconds. */
      since: v.number(),
      /** Up to when its first run looked: nobody knows since when what that listed had been sent. */
      firstRun: v.number(),
    }),
  ),
});

/** What later digests of a report have to know of one, and of all before it. */
export type History = v.InferOutput<typeof historySchema>;

interface DigestKey {
  run: string;
  digest: string;
}

/** Stores the history that a digest makes, beside it. It counts only once the digest is the run's. */
export async function putHistory(
  table: Table,
  { run, digest }: DigestKey,
  { deliveries, readings, gone, ...rest }: History,
  expiresAt: number,
): Promise<void> {
  const value = { ...rest, deliveries: [...deliveries], readings: [...readings], gone: [...gone] };
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
  /** Rows that came since the run of the period before, without a readable date. */
  undated: v.number(),
});

/** The figures of one period in a report's digest, stored to compare later ones with. */
export type StoredFigures = v.InferOutput<typeof figuresSchema>;

/** What is kept of a digest to compare later ones with, and where what else they have to know is. */
export function figuresOf(
  { digest, account, filters, informingTypes, undated }: StoredDigest,
  key: DigestKey,
): StoredFigures {
  const { deliveries, broadcasts, seen, responded, asked, responseRate, series } = digest.totals;
  const { kind, start, end } = digest.period;
  const totals = { deliveries, broadcasts, seen, responded, asked, responseRate, series };
  return { kind, start, end, ...key, account, filters, informingTypes, totals, undated };
}

function figuresKey(report: string, period: PeriodKey): Key {
  return { pk: `FIGURES#${report}`, sk: periodSortKey(period) };
}

/** Keeps the figures of a report's periods. They are a digest's, which is kept once; writing them again changes nothing. */
export async function putFigures(
  table: Table,
  report: string,
  kept: ReadonlyArray<readonly [PeriodKey, StoredFigures]>,
  expiresAt: number,
): Promise<void> {
  await table.putMany(kept.map(([period, figures]) => ({ ...figuresKey(report, period), ...figures, expiresAt })));
}

/** The figures of a report for the periods before and after one, oldest first. */
export async function readOtherFigures(table: Table, { name }: { name: string }, { start }: Pick<Period, 'start'>) {
  const items = await Array.fromAsync(table.query(`FIGURES#${name}`));
  const stored = items
    .filter(({ dropped }) => dropped !== true)
    .map((item) => v.parse(figuresSchema, item))
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  return {
    earlier: stored.filter((figures) => Date.parse(figures.start) < Date.parse(start)),
    later: stored.filter((figures) => Date.parse(figures.start) > Date.parse(start)),
  };
}

/** Marks the figures of a digest that was dropped as worth nothing. Those of another one, which the run may have meanwhile, stay. */
export async function dropFigures(table: Table, report: string, period: PeriodKey, digest: string): Promise<void> {
  const condition = { condition: '#digest = :digest', values: { ':digest': digest } };
  await table.update(figuresKey(report, period), { set: { dropped: true }, ...condition });
}
