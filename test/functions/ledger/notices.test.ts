import { beforeEach, expect, test } from 'vitest';
import {
  markNoticed,
  markOver,
  openNotice,
  readNotices,
  recordSuppressed,
  renewNotice,
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

test('a matter is recorded once: what operators know of it stays', async () => {
  await openNotice(table(), failed, { since, expiresAt });
  await markNoticed(table(), failed, '2026-11-16T08:15:01Z');
  await openNotice(table(), failed, { since: '2026-11-16T08:30:00Z', expiresAt: 1 });
  expect(await readNotices(table())).toEqual([{ ...failed, since, noticedAt: '2026-11-16T08:15:01Z', expiresAt }]);
});

test('a matter that is over begins anew, and nobody knows of it yet', async () => {
  await openNotice(table(), failed, { since, expiresAt });
  await markNoticed(table(), failed, since);
  await markOver(table(), failed, '2026-11-16T09:00:00Z');
  expect(await readNotices(table())).toEqual([
    { ...failed, since, noticedAt: since, overAt: '2026-11-16T09:00:00Z', expiresAt },
  ]);
  await openNotice(table(), failed, { since: '2026-11-17T08:15:00Z', expiresAt });
  expect(await readNotices(table())).toEqual([{ ...failed, since: '2026-11-17T08:15:00Z', expiresAt }]);
});

test('a matter expires as other items do, and later where it lasts', async () => {
  await openNotice(table(), failed, { since, expiresAt });
  await renewNotice(table(), failed, expiresAt + 1);
  expect(await ledger?.items('NOTICES')).toEqual([
    { pk: 'NOTICES', sk: 'NOTICE#weekly_2026-W46#failed', v: 2, ...failed, since, expiresAt: expiresAt + 1 },
  ]);
});

test('nothing is marked of a matter that has expired', async () => {
  await markNoticed(table(), failed, since);
  await markOver(table(), failed, since);
  await renewNotice(table(), failed, expiresAt);
  expect(await ledger?.items('NOTICES')).toEqual([]);
});

test('matters of one run, of other runs and of each suppressed address are kept apart', async () => {
  const run = 'weekly_2026-W46';
  await openNotice(table(), failed, { since, expiresAt });
  await openNotice(table(), { kind: 'overdue', subject: run }, { since, expiresAt });
  await openNotice(table(), { kind: 'failed', subject: 'weekly_2026-W45' }, { since, expiresAt });
  for (const message of ['ses-1', 'ses-2', 'ses-1'])
    await recordSuppressed(table(), { run, message, reason: 'bounce' }, { since, expiresAt });
  expect((await readNotices(table())).map(({ kind, subject, message }) => [kind, subject, message])).toEqual([
    ['failed', 'weekly_2026-W45', undefined],
    ['failed', run, undefined],
    ['overdue', run, undefined],
    ['suppressed', run, 'ses-1'],
    ['suppressed', run, 'ses-2'],
  ]);
});

test('an event that comes again does not undo that operators know of the address', async () => {
  const key = { kind: 'suppressed', subject: 'weekly_2026-W46', message: 'ses-1' } as const;
  const suppressed = { run: key.subject, message: key.message, reason: 'complaint' } as const;
  await recordSuppressed(table(), suppressed, { since, expiresAt });
  await markNoticed(table(), key, since);
  await recordSuppressed(table(), suppressed, { since, expiresAt });
  expect(await readNotices(table())).toEqual([{ ...key, reason: 'complaint', since, noticedAt: since, expiresAt }]);
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
