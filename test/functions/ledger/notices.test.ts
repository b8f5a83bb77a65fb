import { expect, test } from 'vitest';
import { readPublished, readSuppressed, recordSuppressed, writePublished } from '../../../functions/ledger/notices.ts';
import { openLedger } from './open-ledger.ts';

const { table } = await openLedger();
const failed = { kind: 'failed', subject: 'weekly_2026-W46' } as const;
const suppressed = { kind: 'suppressed', subject: 'weekly_2026-W46', count: 2 } as const;

test('the matters that operators know of are written over those that were read alone', async () => {
  expect(await readPublished(table)).toEqual({ version: 0, matters: [] });
  expect(await writePublished(table, 0, [failed])).toBe(true);
  expect(await writePublished(table, 0, [suppressed])).toBe(false);
  expect(await readPublished(table)).toEqual({ version: 1, matters: [failed] });
  expect(await writePublished(table, 1, [failed, suppressed])).toBe(true);
  expect(await readPublished(table)).toEqual({ version: 2, matters: [failed, suppressed] });
});

test('an address is suppressed once by a message, for the first reason', async () => {
  const [first, second] = ['2026-11-16T08:15:00.000Z', '2026-11-16T08:16:00.000Z'] as const;
  const rest = { run: 'weekly_2026-W46', expiresAt: 2_000_000_000 };
  await recordSuppressed(table, { ...rest, message: 'ses-1', reason: 'complaint', at: first });
  await recordSuppressed(table, { ...rest, message: 'ses-2', reason: 'bounce', at: first });
  await recordSuppressed(table, { ...rest, message: 'ses-1', reason: 'bounce', at: second });
  expect(await readSuppressed(table)).toEqual([
    { run: rest.run, reason: 'complaint', at: first },
    { run: rest.run, reason: 'bounce', at: first },
  ]);
});
