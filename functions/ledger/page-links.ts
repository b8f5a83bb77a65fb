import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { dayMs } from '../domain/period.ts';
import { expiresAfterDays, kept } from './retention.ts';
import type { Named } from './reports.ts';
import type { Key, Table } from './table.ts';

/** The ids of links: 128 random bits in base64url. */
export const pageLinkId = /[\w-]{22}/;

const pageLinkSchema = v.object({
  report: v.string(),
  run: v.string(),
  /** The id of the stored digest. A run that was discarded and collected again has another one. */
  digest: v.string(),
  /** ISO 8601. */
  end: v.string(),
});

/** What a link leads to: the page of a stored digest, until `end`. It names no subscriber: all of a run may have the same. */
export type PageLink = v.InferOutput<typeof pageLinkSchema>;
/** The digest that a link leads to. */
export type LinkedDigest = Omit<PageLink, 'end'>;

const pk = 'PAGE_LINKS';
/** The ledger knows a hash of the id, so that nobody who reads the ledger has a link. */
const pageLinkKey = (id: string): Key => ({ pk, sk: createHash('sha256').update(id).digest('hex') });

/** Makes a link that is good for so many days from `now`. Returns its id. */
export async function insertPageLink(table: Table, link: LinkedDigest, { days, now }: { days: number; now: Date }) {
  const id = randomBytes(16).toString('base64url');
  const end = new Date(now.getTime() + days * dayMs).toISOString();
  await table.insert(pageLinkKey(id), { ...link, end, expiresAt: expiresAfterDays(days + kept.endedLinkDays, now) });
  return id;
}

/** What a link leads to; `null` where there is none, or it was revoked. */
export async function readPageLink(table: Table, id: string): Promise<PageLink | null> {
  return v.parse(v.nullable(pageLinkSchema), await table.get(pageLinkKey(id)));
}

export async function revokePageLinks(table: Table, { name }: Named): Promise<void> {
  for await (const { report, sk } of table.query(pk)) {
    if (report === name) await table.remove({ pk, sk: String(sk) });
  }
}
