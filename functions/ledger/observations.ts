import * as v from 'valibot';
import { observationFactsSchema } from '../domain/facts.ts';
import { failureSchema, type Failure } from '../domain/failures.ts';
import { unavailableSchema } from '../domain/reasons.ts';
import { coverageSchema } from '../reporting-service/coverage.ts';
import { putDocument, readDocument, readDocuments } from './documents.ts';
import { placeSchema } from './facts.ts';
import { expiresAfterDays, expiresAfterMonths, kept } from './retention.ts';
import type { Table } from './table.ts';

/** One observation of one account. */
export interface ObservationKey {
  account: string;
  observation: string;
}

/** What an observation is known by beside its id. Instants are epoch milliseconds. */
const beginningSchema = v.object({
  id: v.string(),
  /** The account's present when it began, and our clock then: a service may say its own. */
  atMs: v.number(),
  begunMs: v.number(),
  /** A hash of what decides what it reads. */
  settings: v.string(),
});

const currentSchema = v.object({
  ...beginningSchema.entries,
  /** The execution that makes it, and until when nobody else takes it over. */
  owner: v.string(),
  leaseMs: v.number(),
  state: v.picklist(['open', 'closed', 'failed']),
  failure: v.exactOptional(failureSchema),
  /** The newest that was closed, and whether everything could be read. */
  closed: v.exactOptional(v.object({ ...beginningSchema.entries, isComplete: v.boolean() })),
});

/** The observation that an account has now, and the newest that was closed. */
export type CurrentObservation = v.InferOutput<typeof currentSchema>;

const partition = (account: string): string => `OBSERVATIONS#${account}`;
const currentKey = (account: string) => ({ pk: partition(account), sk: 'CURRENT' });

/** The account's current observation; `null` where it never had one. */
export async function readCurrent(table: Table, account: string): Promise<CurrentObservation | null> {
  return v.parse(v.nullable(currentSchema), await table.get(currentKey(account)));
}

/** Changes the current observation, where it is still as it was read. Returns whether it did. */
export function changeCurrent(
  table: Table,
  account: string,
  seen: Pick<CurrentObservation, 'id' | 'owner' | 'state'> | null,
  set: Partial<CurrentObservation>,
): Promise<boolean> {
  const { id, owner, state } = seen ?? {};
  const remove = set.failure === undefined ? ['failure'] : [];
  return table.update(currentKey(account), { set, remove, where: { id, owner, state } });
}

const listedSchema = v.object({
  broadcast: v.object({ id: v.string(), name: v.nullable(v.string()) }),
  status: v.string(),
});

/** A delivery that an observation follows: what the list says of it, `null` where it is not on it. */
const followedSchema = v.object({ ...placeSchema.entries, listed: v.nullable(listedSchema) });
export type Followed = v.InferOutput<typeof followedSchema>;

/** A batch's deliveries; all of a broadcast are in one. */
const workSchema = v.object({ unlistedMs: v.nullable(v.number()), deliveries: v.array(followedSchema) });

/** What an observation found the list to be. */
const listSchema = v.object({
  rows: v.number(),
  /** How many of its deliveries no observation had listed. */
  added: v.number(),
  deliveries: v.number(),
  batches: v.number(),
  unavailable: v.exactOptional(unavailableSchema),
});
export type ObservedList = v.InferOutput<typeof listSchema>;

/** What later observations have to know of it without them. */
const knownSchema = v.object({
  ...placeSchema.entries,
  isListed: v.boolean(),
  /** Its first sign, and the best that is known of when it began. */
  firstSignMs: v.nullable(v.number()),
  begunMs: v.number(),
  /** Until when it is read by its id once it has left the list. */
  followedUntilMs: v.number(),
  /** Its list, its broadcast or a content item could not be read, for a reason that may pass. */
  mayBeReadLater: v.boolean(),
});
export type KnownDelivery = v.InferOutput<typeof knownSchema>;

/** What an observation leaves at its end, beside facts. */
const closingSchema = v.object({
  facts: observationFactsSchema,
  rows: v.number(),
  /** How many times in a row the list was exactly as long as before, and more than a third of it new. */
  steady: v.number(),
  /** The last observation, up to this one, of a whole list; `null` where there was none. */
  wholeMs: v.nullable(v.number()),
  deliveries: v.array(knownSchema),
  coverage: coverageSchema,
});
export type Closing = v.InferOutput<typeof closingSchema>;

const endOfWork = (now: Date): number => expiresAfterDays(kept.workDays, now);

/** The documents of one kind that observations store; `part` names one of several that an observation has. */
function documentsOf<T>(kind: string, schema: v.GenericSchema<unknown, T>, expiresAt = endOfWork) {
  const placeOf = ({ account, observation }: ObservationKey, part?: number | string) => {
    const name = typeof part === 'number' ? String(part).padStart(6, '0') : part;
    return { pk: partition(account), sk: `${observation}#${kind}${name === undefined ? '' : `#${name}`}` };
  };
  return {
    /** Stores a document in place of the same one before. */
    put: (table: Table, key: ObservationKey & { now: Date }, document: T, part?: number | string): Promise<void> =>
      putDocument(table, placeOf(key, part), document, expiresAt(key.now)),
    /** The document; `null` where it was not stored, or has expired. */
    read: async (table: Table, key: ObservationKey, part?: number): Promise<T | null> =>
      v.parse(v.nullable(schema), await readDocument(table, placeOf(key, part))),
    readParts: async (table: Table, key: ObservationKey): Promise<T[]> => {
      const { pk, sk } = placeOf(key, '');
      return await Array.fromAsync(readDocuments(table, pk, sk), (part) => v.parse(schema, part));
    },
  };
}

/** What the list is. It is stored after the batches of work that follow from it, which it makes count. */
export const observedLists = documentsOf('LIST', listSchema);
export const batchesOfWork = documentsOf('WORK', workSchema);
/** What each batch's deliveries are known by. */
export const knownDeliveries = documentsOf('KNOWN', v.array(knownSchema));
/** What each worker asked. */
export const requestsOfWorkers = documentsOf('REQUESTS', coverageSchema);
/** How observations ended. One counts once it is the account's newest that was closed. */
export const closings = documentsOf('END', closingSchema, (now) => expiresAfterMonths(kept.factsMonths, now));

const dailySchema = v.object({ failures: v.number(), code: v.string(), message: v.string() });

/** How the daily observations of an account went: how many failed in a row, and why the last one did. */
export type DailyObservations = v.InferOutput<typeof dailySchema>;

const dailyKey = (account: string) => ({ pk: partition(account), sk: 'DAILY' });

/** `null` where the last daily observation did not fail. */
export async function readDaily(table: Table, account: string): Promise<DailyObservations | null> {
  const daily = v.parse(v.nullable(dailySchema), await table.get(dailyKey(account)));
  return daily === null || daily.failures === 0 ? null : daily;
}

/** Notes that a daily observation failed, or with `null` that it did not. The same execution's failure counts once. */
export async function noteDaily(table: Table, account: string, failure: (Failure & { execution: string }) | null) {
  if (failure === null) {
    await table.update(dailyKey(account), { set: { failures: 0, code: '', message: '' } });
    return;
  }
  const failures = ((await readDaily(table, account))?.failures ?? 0) + 1;
  await table.update(dailyKey(account), {
    set: { failures, ...failure },
    condition: 'attribute_not_exists(#execution) OR #execution <> :execution',
    values: { ':execution': failure.execution },
  });
}
