import { hash, randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { deliveryFactsSchema, type DeliveryFacts } from '../domain/facts.ts';
import { putDocument, readDocument } from './documents.ts';
import { expiresAfterMonths, kept } from './retention.ts';
import type { Table } from './table.ts';

/** A month's facts are several documents, because a first observation finds everything in one month. */
const buckets = 4;

/** Which of the documents facts are in. */
export interface FactsKey {
  account: string;
  /** The month of the first listing, in UTC: `2026-11`. */
  month: string;
  bucket: string;
}

const headSchema = v.object({ document: v.string() });
const factsSchema = v.array(deliveryFactsSchema);

const partition = ({ account, month }: Pick<FactsKey, 'account' | 'month'>): string => `FACTS#${account}#${month}`;
/** Names the document that counts. */
const headOf = (key: FactsKey) => ({ pk: partition(key), sk: `${headPrefix}${key.bucket}` });
const headPrefix = 'HEAD#';

/** The month that an instant, in epoch milliseconds, lies in: `2026-11`. */
export function monthOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 'YYYY-MM'.length);
}

/** The month so many months after another one. */
function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** Whether the facts of a month may have expired. */
export function areForgotten({ month }: Pick<FactsKey, 'month'>, atMs: number): boolean {
  return month < monthAfter(monthOf(atMs), -kept.factsMonths);
}

/** What the place of a delivery's facts follows from: its ids, as they were when it was first listed, and the month of that. */
export const placeSchema = v.object({ id: v.string(), broadcastId: v.string(), month: v.string() });
type Placed = v.InferOutput<typeof placeSchema>;

/** Where the facts of a delivery are: those of one broadcast are together. */
export function bucketOf({ id, broadcastId }: Omit<Placed, 'month'>): string {
  return String(Number.parseInt(hash('sha256', broadcastId || id).slice(0, 2), 16) % buckets);
}

/** Deliveries by the documents that their facts are in. */
export function byDocument<T extends Placed>(account: string, deliveries: readonly T[]): Array<[FactsKey, T[]]> {
  const groups = Map.groupBy(deliveries, (delivery) => `${delivery.month}#${bucketOf(delivery)}`);
  return [...groups].map(([place, group]) => {
    const [month = '', bucket = ''] = place.split('#');
    return [{ account, month, bucket }, group];
  });
}

/** The facts under a key, and the document that they are in; none where there is none. */
async function readDocumentOf(table: Table, key: FactsKey) {
  const headNow = async () => v.parse(v.nullable(headSchema), await table.get(headOf(key)))?.document ?? null;
  for (let document = await headNow(); document !== null;) {
    try {
      const found = await readDocument(table, { pk: partition(key), sk: document });
      if (found === null) throw new Error(`The ledger lacks the facts of ${key.month} that it names.`);
      return { document, facts: v.parse(factsSchema, found) };
    } catch (error) {
      const now = await headNow();
      if (now === document) throw error;
      // It was replaced in between, and taken away.
      document = now;
    }
  }
  return { document: null, facts: [] };
}

export async function readFactsOf(table: Table, key: FactsKey): Promise<DeliveryFacts[]> {
  return (await readDocumentOf(table, key)).facts;
}

/**
 * Puts facts in place of what is stored of the same deliveries, where that is no later reading. Where somebody else has replaced the
 * document since it was read, it is read again: no write undoes another one.
 */
export async function putFacts(table: Table, key: FactsKey & { now: Date }, facts: readonly DeliveryFacts[]) {
  const pk = partition(key);
  const expiresAt = expiresAfterMonths(kept.factsMonths, key.now);
  for (let isDone = false; !isDone;) {
    const before = await readDocumentOf(table, key);
    const merged = new Map(before.facts.map((delivery) => [delivery.id, delivery]));
    for (const delivery of facts) {
      if (!isLater(merged.get(delivery.id), delivery)) merged.set(delivery.id, delivery);
    }
    const document = randomUUID();
    await putDocument(table, { pk, sk: document }, [...merged.values()], expiresAt);
    isDone = await table.update(headOf(key), { set: { document, expiresAt }, where: { document: before.document } });
    const left = isDone ? before.document : document;
    const parts = left === null ? [] : await Array.fromAsync(table.query(pk, { prefix: `${left}#` }));
    await table.removeMany(parts.map(({ sk }) => ({ pk, sk: String(sk) })));
  }
}

/** Whether a later observation, or another worker of the same one, knows more. */
function isLater(stored: DeliveryFacts | undefined, { lastListedMs, askedMs = 0 }: DeliveryFacts): boolean {
  return stored !== undefined && (stored.lastListedMs > lastListedMs || (stored.askedMs ?? 0) > askedMs);
}

/** Reads the facts of what was first listed in the months from `fromMs` to `untilMs`, both included. */
export async function readFacts(
  table: Table,
  { account, fromMs, untilMs }: { account: string; fromMs: number; untilMs: number },
): Promise<DeliveryFacts[]> {
  const facts: DeliveryFacts[] = [];
  for (let month = monthOf(fromMs); month <= monthOf(untilMs); month = monthAfter(month, 1)) {
    // Most months of a young ledger have none.
    for await (const { sk } of table.query(partition({ account, month }), { prefix: headPrefix })) {
      const key = { account, month, bucket: String(sk).slice(headPrefix.length) };
      for (const delivery of await readFactsOf(table, key)) facts.push(delivery);
    }
  }
  return facts;
}
