import { expect, test } from 'vitest';
import { insertPageLink, pageLinkId, readPageLink } from '../../../functions/ledger/page-links.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();
const { table } = ledger;
const now = new Date('2026-11-16T08:00:00.250Z');
const link = { report: 'weekly', run: 'weekly_2026-W46', digest: '1c9f6a52' };

test('a link is another one each time, leads to its digest for the configured days, and the ledger does not have its id', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => insertPageLink(table, link, { days: 90, now })));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) {
    expect(id).toMatch(new RegExp(`^${pageLinkId.source}$`));
    expect(await readPageLink(table, id)).toEqual({ ...link, end: '2027-02-14T08:00:00.250Z' });
  }
  const stored = await ledger.items('PAGE_LINKS');
  // Beyond its end, so that it can be said that it has ended.
  expect(stored.map(({ expiresAt }) => expiresAt)).toEqual(ids.map(() => Date.parse('2028-02-14T08:00:00Z') / 1000));
  expect(ids.filter((id) => JSON.stringify(stored).includes(id))).toEqual([]);
  expect(await readPageLink(table, 'A'.repeat(22))).toBeNull();
});
