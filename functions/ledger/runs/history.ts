import * as v from 'valibot';
import { putDocument, readDocument } from './documents.ts';
import type { Table } from '../table.ts';

const deliverySchema = v.object({
  /** The start of the last period whose run listed it, in epoch milliseconds. */
  listedIn: v.number(),
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
});

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
});

/** What later digests of a report have to know of one, and of all before it. */
export type History = v.InferOutput<typeof historySchema>;

/** Where a run's digest and its history are stored. */
export interface DigestKey {
  run: string;
  /** The digest's id. */
  digest: string;
}

/** Stores the history that a digest makes, beside it. It counts only once the digest is the run's. */
export async function putHistory(
  table: Table,
  { run, digest }: DigestKey,
  { listed, deliveries, gone }: History,
  expiresAt: number,
): Promise<void> {
  const value = { listed, deliveries: [...deliveries], gone: [...gone] };
  await putDocument(table, { pk: `HISTORY#${run}`, sk: digest }, value, expiresAt);
}

/** The history that a digest made; `null` where it has expired. */
export async function readHistory(table: Table, { run, digest }: DigestKey): Promise<History | null> {
  const document = await readDocument(table, { pk: `HISTORY#${run}`, sk: digest });
  return document === null ? null : v.parse(historySchema, document);
}
