import { beforeEach, expect, test } from 'vitest';
import {
  markNotice,
  openNotice,
  readNotices,
  recordSuppressed,
  takeNoticeLease,
} from '../../../functions/ledger/notices.ts';
import { openLedger, type Ledger } from './open-ledger.ts';

const failed = { kind: 'failed', subject: 'weekly_2026-W46' } as const;
const since = '2026-11-16T08:15:00Z';
const expiresAt = 2_000_000_000;
let ledger: Ledger;

beforeEach(async () => {
  ledger = await openLedger();
});

const table = (): Ledger['table'] => ledger.table;

test('a matter is recorded once, what operators know of it stays, and it expires later where it lasts', async () => {
  await openNotice(table(), failed, { since, expiresAt });
  await markNotice(table(), failed, { noticedAt: since });
  await openNotice(table(), failed, { since: '2026-11-16T08:30:00Z', expiresAt: 1 });
  await markNotice(table(), failed, { expiresAt: expiresAt + 1 });
  expect(await readNotices(table())).toEqual([{ ...failed, since, noticedAt: since, expiresAt: expiresAt + 1 }]);
});

test('a matter that is over begins again, and nobody knows of it yet', async () => {
  await openNotice(table(), failed, { since, expiresAt });
  const marks = { noticedAt: since, overAt: '2026-11-16T09:00:00Z' };
  await markNotice(table(), failed, marks);
  expect(await readNotices(table())).toEqual([{ ...failed, since, ...marks, expiresAt }]);
  await openNotice(table(), failed, { since: '2026-11-17T08:15:00Z', expiresAt });
  expect(await readNotices(table())).toEqual([{ ...failed, since: '2026-11-17T08:15:00Z', expiresAt }]);
});

test('nothing is marked of a matter that has expired', async () => {
  await markNotice(table(), failed, { noticedAt: since });
  expect(await ledger.items('NOTICES')).toEqual([]);
});

test('matters of one run, of other runs and of each suppressed address are kept apart, and what is known of them stays', async () => {
  const run = 'weekly_2026-W46';
  const suppressed = { kind: 'suppressed', subject: run } as const;
  await openNotice(table(), failed, { since, expiresAt });
  await openNotice(table(), { kind: 'overdue', subject: run }, { since, expiresAt });
  await openNotice(table(), { kind: 'failed', subject: 'weekly_2026-W45' }, { since, expiresAt });
  for (const message of ['ses-1', 'ses-2', 'ses-1']) {
    await recordSuppressed(table(), { run, message, reason: 'complaint' }, { since, expiresAt });
    if (message === 'ses-2') await markNotice(table(), { ...suppressed, message: 'ses-1' }, { noticedAt: since });
  }
  expect(await readNotices(table())).toEqual([
    { kind: 'failed', subject: 'weekly_2026-W45', since, expiresAt },
    { kind: 'failed', subject: run, since, expiresAt },
    { kind: 'overdue', subject: run, since, expiresAt },
    { ...suppressed, message: 'ses-1', reason: 'complaint', since, noticedAt: since, expiresAt },
    { ...suppressed, message: 'ses-2', reason: 'complaint', since, expiresAt },
  ]);
});

test('one of two invocations at once publishes, and the next one after it, or after its time', async () => {
  const lease = await takeNoticeLease(table(), { now: 1_000, forMs: 500 });
  expect(lease).not.toBeNull();
  expect(await takeNoticeLease(table(), { now: 1_500, forMs: 500 })).toBeNull();
  const next = await takeNoticeLease(table(), { now: 1_501, forMs: 500 });
  expect(next).not.toBeNull();
  // The first one's end does not take it from the next one.
  await lease?.release();
  expect(await takeNoticeLease(table(), { now: 1_502, forMs: 500 })).toBeNull();
  await next?.release();
  expect(await takeNoticeLease(table(), { now: 1_503, forMs: 500 })).not.toBeNull();
  expect(await readNotices(table())).toEqual([]);
});
