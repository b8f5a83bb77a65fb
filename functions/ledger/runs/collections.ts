import * as v from 'valibot';
import { engagedInPeriodSchema, engagedSchema } from '../../domain/figures.ts';
import { curveSchema } from '../../domain/curve.ts';
import { countsSchema } from '../../domain/counts-by-word.ts';
import { coverageSchema, type Coverage } from '../../reporting-service/coverage.ts';
import { unavailableSchema } from '../../domain/reasons.ts';
import { putDocument, readDocument, readDocuments } from './documents.ts';
import { expiresAfterDays, type Table } from '../table.ts';

/** Long enough to examine a run that failed. The figures themselves are in the stored digest. */
const keptDays = 30;

/** The counts of one recipient list. Instants are epoch milliseconds. */
const engagementSchema = v.object({
  listed: v.number(),
  engaged: v.number(),
  /** Rows with a date's field, and none that is set: only the list of an audience has them. */
  untouched: v.number(),
  seen: v.number(),
  responded: v.number(),
  /** Of those who saw it, how many responded. */
  answered: v.number(),
  /** Rows with a date that is set but cannot be read. */
  undated: v.number(),
  /** Rows without a `seenAt`, without a `respondedAt`, without either of them; absent where there are none. */
  lacking: v.exactOptional(v.object({ seenAt: v.number(), respondedAt: v.number(), neither: v.number() })),
  inPeriod: engagedInPeriodSchema,
  preceding: engagedSchema,
  before: engagedSchema,
  /** The earliest readable date that is no wrong clock's. */
  firstSign: v.nullable(v.number()),
  /** How many have given each rating, by its decimal text; absent where there are none. */
  ratings: v.exactOptional(countsSchema),
  /** Rows with a rating that cannot be read; absent where there are none. */
  unreadableRatings: v.exactOptional(v.number()),
});

const delivery = v.object({
  id: v.string(),
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()) }),
  status: v.string(),
});
const content = v.object({ id: v.string(), type: v.string() });
/** Its broadcast's creation, in epoch milliseconds; `null` where that is not known. */
const createdAt = v.nullable(v.number());

/** The list of recent deliveries: how many rows it has, its deliveries, and why some may be missing. */
const listSchema = v.object({
  rows: v.number(),
  deliveries: v.array(delivery),
  unavailable: v.exactOptional(unavailableSchema),
});

/** The items that one batch of a phase asks for. */
const workSchemas = {
  /** With the first sign that an earlier run counted, in epoch milliseconds. */
  recipients: v.array(v.object({ delivery, createdAt, firstSign: v.nullable(v.number()) })),
  broadcasts: v.array(v.string()),
  contents: v.array(v.object({ delivery: v.string(), content, createdAt })),
};

/** What was found for each item, or why it is unavailable. */
const foundSchemas = {
  recipients: v.array(
    v.object({
      delivery,
      engagement: v.exactOptional(engagementSchema),
      /** How it grew; absent where nobody has engaged, or a date cannot be read. */
      curve: v.exactOptional(curveSchema),
      unavailable: v.exactOptional(unavailableSchema),
    }),
  ),
  broadcasts: v.array(
    v.object({
      id: v.string(),
      broadcast: v.exactOptional(
        v.object({
          name: v.nullable(v.string()),
          createdAt,
          createdBy: v.nullable(v.string()),
          contents: v.array(content),
        }),
      ),
      unavailable: v.exactOptional(unavailableSchema),
    }),
  ),
  contents: v.array(
    v.object({
      delivery: v.string(),
      content: v.string(),
      engagement: v.exactOptional(engagementSchema),
      ratingsUnavailable: v.exactOptional(unavailableSchema),
      unavailable: v.exactOptional(unavailableSchema),
    }),
  ),
};

export type Engagement = v.InferOutput<typeof engagementSchema>;

export type Phase = keyof typeof workSchemas;
export type ListedDelivery = v.InferOutput<typeof delivery>;
export type DeliveryList = v.InferOutput<typeof listSchema>;
export type Work<P extends Phase> = v.InferOutput<(typeof workSchemas)[P]>[number];
export type Found<P extends Phase> = v.InferOutput<(typeof foundSchemas)[P]>[number];

/** One collection of one run, where the worker's batches store what they find. */
export interface CollectionKey {
  run: string;
  collection: string;
}

/** A collection that is written to at `now`: what is stored of it expires 30 days later. */
type WritableCollection = CollectionKey & { now: Date };

const partition = ({ run, collection }: CollectionKey): string => `COLLECTION#${run}#${collection}`;
const number = (value: number): string => String(value).padStart(6, '0');

async function put(table: Table, key: WritableCollection, sk: string, value: unknown): Promise<void> {
  await putDocument(table, { pk: partition(key), sk }, value, expiresAfterDays(keptDays, key.now));
}

export async function putDeliveryList(table: Table, key: WritableCollection, list: DeliveryList): Promise<void> {
  await put(table, key, 'LIST', list);
}

export async function readDeliveryList(table: Table, key: CollectionKey): Promise<DeliveryList> {
  return v.parse(listSchema, await readDocument(table, { pk: partition(key), sk: 'LIST' }));
}

/** Stores the work of a phase in even batches of at most `largest` items, numbered from `from` on. Returns the number after the last. */
export async function putBatches<P extends Phase>(
  table: Table,
  key: WritableCollection,
  { phase, work, largest, from = 0 }: { phase: P; work: ReadonlyArray<Work<P>>; largest: number; from?: number },
): Promise<number> {
  const batches = Math.ceil(work.length / largest);
  const edge = (batch: number): number => Math.floor((batch * work.length) / batches);
  for (let batch = 0; batch < batches; batch += 1) {
    const part = work.slice(edge(batch), edge(batch + 1));
    await put(table, key, `WORK#${phase}#${number(from + batch)}`, part);
  }
  return from + batches;
}

interface BatchKey<P extends Phase> {
  phase: P;
  batch: number;
}

export async function readWork<P extends Phase>(table: Table, key: CollectionKey, { phase, batch }: BatchKey<P>) {
  const work = await readDocument(table, { pk: partition(key), sk: `WORK#${phase}#${number(batch)}` });
  return v.parse<v.GenericSchema<unknown, Work<P>[]>>(workSchemas[phase], work);
}

/** Stores what a batch found from its item `from` on. The same batch, asked for again, overwrites it. */
export async function putFound<P extends Phase>(
  table: Table,
  key: WritableCollection,
  { phase, batch, from }: BatchKey<P> & { from: number },
  found: ReadonlyArray<Found<P>>,
): Promise<void> {
  await put(table, key, `FOUND#${phase}#${number(batch)}#${number(from)}`, found);
}

/** What a phase found, in the order of its batches. */
export async function readFound<P extends Phase>(table: Table, key: CollectionKey, phase: P): Promise<Array<Found<P>>> {
  const schema: v.GenericSchema<unknown, Found<P>[]> = foundSchemas[phase];
  const documents = readDocuments(table, partition(key), `FOUND#${phase}#`);
  return (await Array.fromAsync(documents, (found) => v.parse(schema, found))).flat();
}

/** The phases of a collection that have batches, in their order. */
export const phases: readonly Phase[] = ['broadcasts', 'recipients', 'contents'];

/**
 * How many items of a phase are stored so far: as work that is asked for, or as found. Those of a batch that is under way
 * are not found yet.
 */
export async function countItems(table: Table, key: CollectionKey, as: 'WORK' | 'FOUND', phase: Phase) {
  let items = 0;
  for await (const found of readDocuments(table, partition(key), `${as}#${phase}#`)) {
    items += v.parse(v.array(v.unknown()), found).length;
  }
  return items;
}

export async function putCoverage(table: Table, key: WritableCollection, part: string, coverage: Coverage) {
  await put(table, key, `COVERAGE#${part}`, coverage);
}

/** Leaves what the worker waits for, in words; `null` once that is over. */
export async function putWait(table: Table, key: WritableCollection, wait: string | null): Promise<void> {
  await put(table, key, 'WAIT', wait);
}

/** What the worker waits for; `null` where it works. */
export async function readWait(table: Table, key: CollectionKey): Promise<string | null> {
  return v.parse(v.nullable(v.string()), await readDocument(table, { pk: partition(key), sk: 'WAIT' }));
}

export async function readCoverages(table: Table, key: CollectionKey): Promise<Coverage[]> {
  const parts = readDocuments(table, partition(key), 'COVERAGE#');
  return await Array.fromAsync(parts, (part) => v.parse(coverageSchema, part));
}
