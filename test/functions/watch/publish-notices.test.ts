import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { recordSuppressed } from '../../../functions/ledger/notices.ts';
import { noteDaily } from '../../../functions/ledger/observations.ts';
import { resumeReport } from '../../../functions/ledger/reports.ts';
import { insertRun, recordOutcome, type RunState } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import type { NoticeText } from '../../../functions/watch/notice-text.ts';
import { publishNotices } from '../../../functions/watch/publish-notices.ts';
import { configurationWith } from '../../support/configuration.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { runOf } from './inspected-samples.ts';

const reports = configurationWith().reports.filter(({ name }) => name === 'weekly');
const place = { environment: undefined, flags: [] };
const now = '2026-11-16T08:15:00Z';

/** A ledger with one run, and operators who hear what is published of it. */
async function operators() {
  const { table: ledger } = await openLedger();
  const { run, report, period, scheduledTime, plannedAt } = runOf();
  await insertRun(ledger, { run, report, period, scheduledTime, plannedAt }, 2_000_000_000);
  const heard: NoticeText[] = [];
  return {
    heard,
    ledger,
    titles: (): string[] => heard.map(({ subject }) => subject.replace(': weekly, 9 to 15 November 2026', '')),
    /** A look, in which notices are refused whose titles begin so. */
    look: ({ at = now, table = ledger, refused = 'none' } = {}): Promise<void> => {
      const publish = async (text: NoticeText): Promise<void> => {
        if (text.subject.startsWith(refused)) throw new Error('refused');
        heard.push(text);
      };
      return publishNotices({ table, reports, account: 'account', place, publish, now: Temporal.Instant.from(at) });
    },
    runEnds: async (state: RunState, finishedAt = now): Promise<void> =>
      void (await recordOutcome(ledger, runOf(), { state, sentNow: 0, finishedAt })),
    bounces: (message: string): Promise<void> =>
      recordSuppressed(ledger, { run, message, reason: 'bounce', at: now, expiresAt: 2_000_000_000 }),
  };
}

test('a matter that lasts for years is mailed once, and once when it is over', async () => {
  const { titles, ledger, look, runEnds, bounces } = await operators();
  await bounces('ses-1');
  for (const report of reports) await resumeReport(ledger, report, '2040-01-01T00:00:00Z');
  await runEnds('failed');
  for (const at of [now, '2026-11-16T08:30:00Z', '2028-12-16T08:15:00Z']) await look({ at });
  await runEnds('done', '2028-12-21T08:05:00Z');
  for (const at of ['2028-12-21T08:15:00Z', '2028-12-21T08:30:00Z']) await look({ at });
  expect(titles()).toEqual(['Run failed', 'Address suppressed', 'Over: Run failed']);
});

test('a notice that is refused holds up no other, makes the look fail, and is published by the next one', async () => {
  const { titles, look, runEnds, bounces } = await operators();
  await runEnds('failed');
  await bounces('ses-1');
  await expect(look({ refused: 'Run failed' })).rejects.toThrow('1 notices could not be published.');
  expect(titles()).toEqual(['Address suppressed']);
  await look();
  expect(titles()).toEqual(['Address suppressed', 'Run failed']);
});

test('a look that ends before it has written what it published repeats that notice, and no other', async () => {
  const { titles, ledger, look, runEnds } = await operators();
  await runEnds('failed');
  const update: Table['update'] = (key, change) =>
    key.pk === 'NOTICES' ? Promise.reject(new Error('died')) : ledger.update(key, change);
  await expect(look({ table: { ...ledger, update } })).rejects.toThrow('died');
  for (const at of [now, '2026-11-16T08:30:00Z']) await look({ at });
  await runEnds('held');
  await Promise.all([look(), look()]);
  await look();
  expect(titles().filter((title) => title === 'Run failed').length).toBe(2);
  expect(titles().filter((title) => title === 'Digest held').length).toBeLessThanOrEqual(2);
});

test('daily observations that fail are a matter from the third in a row, until one succeeds', async () => {
  const { heard, ledger, look } = await operators();
  const failure = { code: 'service-unavailable', message: 'It does not answer.' } as const;
  const fail = (execution: string) => noteDaily(ledger, 'account', { ...failure, execution });
  for (const execution of ['first', 'first', 'second']) await fail(execution);
  await look();
  expect(heard).toEqual([]);
  await fail('third');
  for (const execution of ['fourth', 'fifth']) await look().then(() => fail(execution));
  expect(heard).toMatchObject([
    {
      subject: 'Daily observation failed: three days in a row',
      body: expect.stringMatching(/It does not answer\. \(service-unavailable\)\n[^]* doctor\n/),
    },
  ]);
  await noteDaily(ledger, 'account', null);
  await look();
  for (const execution of ['sixth', 'seventh', 'eighth']) await fail(execution);
  await look();
  expect(heard).toHaveLength(2);
});
