import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { namesOf, type ReportNames } from '../../domain/report-names.ts';
import type { Table } from '../table.ts';

const shownSchema = v.object({
  sk: v.string(),
  /** Start date of the earliest period whose digest showed it. */
  shownIn: v.exactOptional(v.string()),
  /** Start date of the earliest period whose digest showed it as engaged with: new or active. */
  engagedIn: v.exactOptional(v.string()),
  /** Start date of the earliest period whose digest counted it as new. */
  newIn: v.exactOptional(v.string()),
  /** Start date of the earliest period whose digest named it as gone for good. */
  goneIn: v.exactOptional(v.string()),
  /** Start date of the period whose digest, the report's first, left it out as too old to name as seen by nobody. */
  leftOutIn: v.exactOptional(v.string()),
  /** Start dates of the periods whose digests named it as seen by nobody. */
  namedIn: v.exactOptional(v.array(v.string())),
});

/** What earlier digests of a report said of a delivery, a broadcast or a content item. */
export type DeliveryHistory = Omit<v.InferOutput<typeof shownSchema>, 'sk'>;

/**
 * Start dates of the periods whose digests named a delivery as seen by nobody, earliest first. An earlier release named it once and
 * did not keep the date by itself: what it showed and nobody had engaged with was named.
 */
export function namingsOf({ namedIn = [], shownIn, engagedIn }: DeliveryHistory = {}): string[] {
  const byEarlierRelease = shownIn !== undefined && engagedIn === undefined ? [shownIn] : [];
  return [...new Set([...namedIn, ...byEarlierRelease])].toSorted();
}

/** The key of a thing of the service. Identifiers are texts of any length, sort keys are not: it is a hash. */
export function historyKey(what: 'delivery' | 'broadcast' | 'content', ...ids: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([what, ...ids]))
    .digest('hex')
    .slice(0, 40);
}

/**
 * What the digests of a report said of these under any of its names, by their keys. Those that none showed are not in the
 * map.
 */
export async function readDeliveryHistory(
  table: Table,
  report: ReportNames,
  keys: Iterable<string>,
): Promise<Map<string, DeliveryHistory>> {
  const asked = [...new Set(keys)];
  const items = await table.getMany(
    namesOf(report).flatMap((name) => asked.map((sk) => ({ pk: `SHOWN#${name}`, sk }))),
  );
  const shown = new Map<string, DeliveryHistory>();
  for (const item of items) {
    const { sk, ...said } = v.parse(shownSchema, item);
    shown.set(sk, mergeHistory(shown.get(sk), said));
  }
  return shown;
}

/** Notes what the digest of the period that starts on `startDate` said, beside what earlier ones did. */
export async function recordDeliveryHistory(
  table: Table,
  report: string,
  entries: ReadonlyMap<string, DeliveryHistory>,
  expiresAt: number,
): Promise<void> {
  const before = await readDeliveryHistory(table, { name: report, formerly: [] }, entries.keys());
  await table.putMany(
    [...entries].map(([key, entry]) => {
      const item = { pk: `SHOWN#${report}`, sk: key, expiresAt };
      return Object.assign(item, mergeHistory(before.get(key), entry));
    }),
  );
}

/**
 * Takes back what the digest of the period that starts on `startDate` said, because it was dropped. What digests of later
 * periods said of the same things is to be recorded again: only the earliest is kept.
 */
export async function removeDeliveryHistory(
  table: Table,
  report: string,
  keys: Iterable<string>,
  startDate: string,
): Promise<void> {
  const pk = `SHOWN#${report}`;
  for (const [sk, shown] of await readDeliveryHistory(table, { name: report, formerly: [] }, keys)) {
    const { namedIn = [], ...dates } = shown;
    const said = Object.entries(dates).filter(([, value]) => value === startDate);
    const remove = said.map(([name]) => name);
    const others = namedIn.filter((date) => date !== startDate);
    if (remove.length === 0 && others.length === namedIn.length) continue;
    const set = others.length === 0 ? {} : { namedIn: others };
    await table.update({ pk, sk }, { set, remove: others.length === 0 ? [...remove, 'namedIn'] : remove });
  }
}

/** The earliest digest of each kind that said something, and all that named it. */
function mergeHistory(known: DeliveryHistory | undefined, said: DeliveryHistory): DeliveryHistory {
  const merged: DeliveryHistory = { ...known };
  for (const name of ['shownIn', 'engagedIn', 'newIn', 'goneIn', 'leftOutIn'] as const) {
    const date = earliest(known?.[name], said[name]);
    if (date !== undefined) merged[name] = date;
  }
  const namedIn = new Set([...(known?.namedIn ?? []), ...(said.namedIn ?? [])]);
  return namedIn.size === 0 ? merged : { ...merged, namedIn: [...namedIn].toSorted() };
}

function earliest(a?: string, b?: string): string | undefined {
  return a !== undefined && b !== undefined && b < a ? b : (a ?? b);
}
