import * as v from 'valibot';
import type { Period } from '../period.ts';
import type { Key, Table } from './table.ts';

/** Where a run is. Whatever triggers it again goes on from there. */
export type RunState = 'planned' | 'kept' | 'held' | 'sending' | 'done' | 'failed';

const runSchema = v.object({
  run: v.string(),
  report: v.string(),
  period: v.object({
    kind: v.picklist(['day', 'week', 'month']),
    start: v.string(),
    end: v.string(),
    timeZone: v.string(),
    startDate: v.string(),
  }),
  state: v.picklist(['planned', 'kept', 'held', 'sending', 'done', 'failed']),
  scheduledTime: v.string(),
  plannedAt: v.string(),
  /** Subscribers whose row was planned. */
  intended: v.optional(v.number(), 0),
  /** The kept digest's id, once it is kept. */
  digest: v.optional(v.string()),
  /** The last collection, for what it covered where no digest was kept. */
  collection: v.optional(v.string()),
  /** Why the run's messages are not sent although there is a digest: nothing to say, or held. */
  withheld: v.optional(v.picklist(['empty', 'held'])),
  error: v.optional(v.object({ code: v.string(), message: v.string() })),
  /** Messages that the last trigger sent. */
  sentNow: v.optional(v.number(), 0),
  finishedAt: v.optional(v.string()),
});

/** A run's own item. */
export type Run = v.InferOutput<typeof runSchema>;

function keyOf({ report, period }: { report: string; period: { startDate: string } }): Key {
  return { pk: `RUNS#${report}`, sk: period.startDate };
}

/** Writes down a run that is planned, if nobody has; whether it did. */
export function insertRun(
  table: Table,
  run: { run: string; report: string; period: Period; scheduledTime: string; plannedAt: string },
  expiresAt: number,
): Promise<boolean> {
  return table.insert(keyOf(run), { ...run, state: 'planned', expiresAt });
}

/** The run of a report for the period that starts on `startDate`; `null` where there is none. */
export async function readRun(table: Table, report: string, startDate: string): Promise<Run | null> {
  const item = await table.get(keyOf({ report, period: { startDate } }));
  return item === null ? null : v.parse(runSchema, item);
}

/** Raises the number of subscribers whose row was planned. */
export async function recordIntended(table: Table, run: Run, intended: number): Promise<void> {
  await table.update(keyOf(run), {
    set: { intended },
    condition: 'attribute_not_exists(#intended) OR #intended < :intended',
    values: { ':intended': intended },
  });
}

/** Names the collection that is under way. */
export async function recordCollection(table: Table, run: Run, collection: string): Promise<void> {
  await table.update(keyOf(run), { set: { collection } });
}

/**
 * Keeps the digest `digest` as the run's, if it has none yet; whether it did. From then on every trigger of the run sends
 * this one.
 */
export function keepDigest(
  table: Table,
  run: Run,
  digest: string,
  withheld: 'empty' | 'held' | null,
): Promise<boolean> {
  return table.update(keyOf(run), {
    set: { digest, state: withheld === 'held' ? 'held' : 'kept', ...(withheld === null ? {} : { withheld }) },
    remove: ['error'],
    condition: 'attribute_not_exists(#digest)',
  });
}

/** Notes that a run's messages are being sent. */
export async function recordSending(table: Table, run: Run): Promise<void> {
  await table.update(keyOf(run), { set: { state: 'sending' }, remove: ['error'] });
}

/** Notes what a trigger of a run came to. A run that is done stays done, whatever a later trigger met. */
export async function recordOutcome(
  table: Table,
  run: Run,
  outcome: { state: RunState; sentNow: number; finishedAt: string; error?: { code: string; message: string } },
): Promise<void> {
  const failed = outcome.state === 'failed';
  await table.update(keyOf(run), {
    set: outcome,
    ...(outcome.error === undefined ? { remove: ['error'] } : {}),
    ...(failed ? { condition: '#state <> :done', values: { ':done': 'done' } } : {}),
  });
}
