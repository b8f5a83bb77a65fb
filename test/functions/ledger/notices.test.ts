import { expect, test } from 'vitest';
import { readPublished, writePublished } from '../../../functions/ledger/notices.ts';
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
