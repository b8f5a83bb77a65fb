import * as v from 'valibot';
import type { Named } from '../reports.ts';
import type { StoredItem, Table } from '../table.ts';

/** What a person gets no mail of: all that the public function for unsubscribing may read and write. It never expires. */
export const unsubscribedKey = (hash: string, report: string) => ({
  pk: `OPTOUT#${hash}`,
  sk: `UNSUBSCRIBED#${report}`,
});
export const suppressedKey = (hash: string) => ({ pk: `OPTOUT#${hash}`, sk: 'SUPPRESSED' });

export const unsubscribedSchema = v.object({
  report: v.string(),
  left: v.boolean(),
  /** When the person last unsubscribed or subscribed again, ISO 8601. */
  at: v.string(),
  /** When they did the other of the two before that. */
  previousAt: v.exactOptional(v.string()),
  /** The report that who has left takes in place of this one: while it stands here, they are a member of that one. */
  instead: v.exactOptional(v.string()),
});

/** Why SES's events suppress a person. */
export const suppressionReasons = ['bounce', 'complaint'] as const;

/**
 * The decisions about a person that concern all mail, each ended by its own owner: SES's event by `lift`, the operator's erasure by
 * `endForgotten`. The release before wrote a person who was forgotten as one who is suppressed for that reason.
 */
export const stoppedSchema = v.pipe(
  v.object({
    reason: v.exactOptional(v.picklist([...suppressionReasons, 'forgotten'])),
    at: v.exactOptional(v.string()),
    forgottenAt: v.exactOptional(v.string()),
    knownAgainAt: v.exactOptional(v.string()),
  }),
  v.transform(({ reason, at = '', forgottenAt, knownAgainAt }) => {
    const erasedAt = forgottenAt ?? (reason === 'forgotten' ? at : null);
    return {
      suppression: reason === undefined || reason === 'forgotten' ? null : { reason, at },
      forgottenAt: erasedAt !== null && isAfter(erasedAt, knownAgainAt) ? erasedAt : null,
      /** When the person was last forgotten, also where they are known again: nothing from before it counts. */
      erasedAt,
    };
  }),
);
/** What keeps all mail from a person. */
export type Stopped = Omit<v.InferOutput<typeof stoppedSchema>, 'erasedAt'>;
/** Since when, ISO 8601, and why SES's events keep all mail from a person: until an operator lifts it. */
type Suppression = NonNullable<Stopped['suppression']>;

/**
 * Suppresses a person by an event of SES at an instant, ISO 8601 in UTC with milliseconds. Changes nothing where the person is
 * suppressed already, save that a complaint, the person's own word, takes the place of a bounce, or where an operator has lifted
 * it since. Returns whether the person is suppressed now.
 */
export async function suppress(table: Table, hash: string, { reason, at }: Suppression): Promise<boolean> {
  const isWritten = await table.update(suppressedKey(hash), {
    set: { reason, at },
    condition:
      '(attribute_not_exists(#reason) OR #reason = :weaker) AND (attribute_not_exists(#liftedAt) OR #liftedAt < :at)',
    values: { ':at': at, ':weaker': reason === 'complaint' ? 'bounce' : 'none' },
  });
  return isWritten || (await readStopped(table, hash)).suppression !== null;
}

/** Takes back that one event suppressed a person, by its instant: what an earlier one did stays. */
export async function takeBack(table: Table, hash: string, { reason, at }: Suppression): Promise<void> {
  await table.update(suppressedKey(hash), { remove: ['reason', 'at'], where: { reason, at } });
}

/** Ends that SES's events suppress a person. `at` as above: an event from before it suppresses nobody any more. */
export async function lift(table: Table, hash: string, at: string): Promise<void> {
  const { erasedAt } = await readStopped(table, hash);
  const set = { liftedAt: at, forgottenAt: erasedAt ?? undefined };
  await table.update(suppressedKey(hash), { set, remove: ['reason', 'at'] });
}

/** Records that a person is forgotten: the address is not written down again. */
export async function markForgotten(table: Table, hash: string, at: string): Promise<void> {
  await table.update(suppressedKey(hash), { set: { forgottenAt: at } });
}

/** Ends that a person is forgotten, at an instant, ISO 8601. Whatever else keeps mail away stays. */
export async function endForgotten(table: Table, hash: string, at: string): Promise<void> {
  const { erasedAt } = await readStopped(table, hash);
  await table.update(suppressedKey(hash), { set: { knownAgainAt: at, forgottenAt: erasedAt ?? undefined } });
  await table.update(suppressedKey(hash), { remove: ['reason', 'at'], where: { reason: 'forgotten' } });
}

/** What two ledgers have of the same opt-out as one: of each decision the later word, also of its end. */
export function mergeOptOuts(one: StoredItem, other: StoredItem): StoredItem {
  if (one['sk'] !== suppressedKey('').sk) return laterOf(one, other);
  const both = [one, other];
  const stops = both.map((item) => v.parse(stoppedSchema, item));
  const [liftedAt, knownAgainAt] = ['liftedAt', 'knownAgainAt'].map((name) => latestOf(both.map((item) => item[name])));
  const forgottenAt = latestOf(stops.map(({ erasedAt }) => erasedAt));
  // A complaint, the person's own word, stands before a bounce.
  const [suppression] = stops
    .flatMap((stop) => stop.suppression ?? [])
    .filter(({ at }) => isAfter(at, liftedAt))
    .toSorted((a, b) => b.reason.localeCompare(a.reason));
  return { liftedAt, forgottenAt, knownAgainAt, ...suppression };
}

function latestOf(instants: readonly unknown[]): string | undefined {
  const known = instants.filter((at) => typeof at === 'string');
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

const isAfter = (at: string, end: string | undefined): boolean => end === undefined || Date.parse(at) > Date.parse(end);

/** Of two items the one that was written later, by their `at`; the second where both were at once. */
export function laterOf(one: StoredItem, other: StoredItem): StoredItem {
  return Date.parse(String(one['at'])) > Date.parse(String(other['at'])) ? one : other;
}

/** Unsubscribes a person from a report, or subscribes the person again. Changes nothing where it is so already. */
export async function recordLeft(
  table: Table,
  hash: string,
  { name: report }: Named,
  { left, at }: { left: boolean; at: string },
): Promise<void> {
  const before = v.parse(v.nullable(unsubscribedSchema), await table.get(unsubscribedKey(hash, report)));
  if ((before?.left ?? false) === left) return;
  const set = { report, left, at, previousAt: before?.at };
  await table.update(unsubscribedKey(hash, report), { set, remove: ['instead'] });
}

/** Whether a person has unsubscribed from a report. */
export async function isUnsubscribed(table: Table, hash: string, report: Named): Promise<boolean> {
  const item = await table.get(unsubscribedKey(hash, report.name));
  return item !== null && v.parse(unsubscribedSchema, item).left;
}

/** What keeps all mail from a person. */
export async function readStopped(table: Table, hash: string) {
  return v.parse(stoppedSchema, (await table.get(suppressedKey(hash))) ?? {});
}

/** What a person gets no mail of: all mail, and the reports that the person has unsubscribed from; and to which they have `returned`. */
export async function readOptOuts(table: Table, hash: string) {
  const { pk, sk: stoppedAt } = suppressedKey(hash);
  const items = await Array.fromAsync(table.query(pk));
  const stopped = v.parse(stoppedSchema, items.find(({ sk }) => sk === stoppedAt) ?? {});
  const unsubscriptions = items.filter(({ sk }) => sk !== stoppedAt).map((item) => v.parse(unsubscribedSchema, item));
  const { true: left = [], false: returned = [] } = Object.groupBy(unsubscriptions, (item) => `${item.left}`);
  return { ...stopped, left, returned };
}

/** The hashes of those of these persons who are forgotten. */
export async function readForgotten(table: Table, persons: ReadonlyArray<{ hash: string }>) {
  const stops = await readErasures(table, new Set(persons.map(({ hash }) => hash)));
  return new Set(stops.flatMap(({ hash, forgottenAt }) => (forgottenAt === null ? [] : [hash])));
}

/** When those of these persons who were ever forgotten last were, and whether they are. */
export async function readErasures(table: Table, hashes: ReadonlySet<string>) {
  const items = await table.getMany([...hashes].map(suppressedKey));
  return items.flatMap((item) => {
    const { erasedAt, forgottenAt } = v.parse(stoppedSchema, item);
    return erasedAt === null ? [] : [{ hash: String(item['pk']).slice('OPTOUT#'.length), erasedAt, forgottenAt }];
  });
}
