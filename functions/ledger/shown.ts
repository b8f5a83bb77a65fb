import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Table } from './table.ts';

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
});

/** What earlier digests of a report said of a delivery, a broadcast or a content item. */
export type Shown = Omit<v.InferOutput<typeof shownSchema>, 'sk'>;

/** The key of a thing of the service. Identifiers are texts of any length, sort keys are not: it is a hash. */
export function shownKey(what: 'delivery' | 'broadcast' | 'content', ...ids: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([what, ...ids]))
    .digest('hex')
    .slice(0, 40);
}

/** What the digests of a report said of these, by their keys. Those that none showed are not in the map. */
export async function readShown(table: Table, report: string, keys: Iterable<string>): Promise<Map<string, Shown>> {
  const pk = `SHOWN#${report}`;
  const items = await table.getMany([...new Set(keys)].map((sk) => ({ pk, sk })));
  return new Map(items.map((item) => v.parse(shownSchema, item)).map(({ sk, ...shown }) => [sk, shown]));
}

/** Notes what the digest of the period that starts on `startDate` said, beside what earlier ones did. */
export async function recordShown(
  table: Table,
  report: string,
  entries: ReadonlyMap<string, Shown>,
  expiresAt: number,
): Promise<void> {
  const before = await readShown(table, report, entries.keys());
  await table.putMany(
    [...entries].map(([key, entry]) => {
      const known = before.get(key);
      return {
        pk: `SHOWN#${report}`,
        sk: key,
        shownIn: earliest(known?.shownIn, entry.shownIn),
        engagedIn: earliest(known?.engagedIn, entry.engagedIn),
        newIn: earliest(known?.newIn, entry.newIn),
        goneIn: earliest(known?.goneIn, entry.goneIn),
        expiresAt,
      };
    }),
  );
}

/**
 * Takes back what the digest of the period that starts on `startDate` said, because it was dropped. What digests of later
 * periods said of the same things is to be recorded again: only the earliest is kept.
 */
export async function unrecordShown(
  table: Table,
  report: string,
  keys: Iterable<string>,
  startDate: string,
): Promise<void> {
  const pk = `SHOWN#${report}`;
  for (const [sk, shown] of await readShown(table, report, keys)) {
    const said = Object.entries(shown).filter(([, value]) => value === startDate);
    if (said.length > 0) await table.update({ pk, sk }, { remove: said.map(([name]) => name) });
  }
}

function earliest(a?: string, b?: string): string | undefined {
  return a !== undefined && b !== undefined && b < a ? b : (a ?? b);
}
