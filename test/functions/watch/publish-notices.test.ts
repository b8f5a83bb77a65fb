import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { recordSuppressed } from '../../../functions/ledger/notices.ts';
import { resumeReport } from '../../../functions/ledger/reports.ts';
import { insertRun, recordOutcome, type RunState } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import type { NoticeText } from '../../../functions/watch/notice-text.ts';
import { publishNotices } from '../../../functions/watch/publish-notices.ts';
import { configurationWith } from '../../support/template.ts';
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
      return publishNotices({ table, reports, place, publish, now: Temporal.Instant.from(at) });
    },
    runEnds: async (state: RunState, finishedAt = now): Promise<void> =>
      void (await recordOutcome(ledger, runOf(), { state, sentNow: 0, finishedAt })),
    bounces: (message: string): Promise<void> =>
      recordSuppressed(ledger, { run, message, reason: 'bounce', at: now, expiresAt: 2_000_000_000 }),
  };
}

test('a report that is off is not overdue; once it is on it may be', async () => {
  const { titles, ledger, look } = await operators();
  for (const at of ['2026-11-16T07:00:00Z', '2026-11-23T14:00:00Z']) await look({ at });
  for (const report of reports) await resumeReport(ledger, report, '2026-11-24T08:00:00Z');
  for (const at of ['2026-11-24T08:15:00Z', '2026-11-30T13:59:59Z']) await look({ at });
  expect(titles()).toEqual([]);
  await look({ at: '2026-11-30T14:00:00Z' });
  expect(titles()).toEqual(['Run overdue: weekly, 23 to 29 November 2026']);
});

test('a matter that lasts for years is mailed once, and once when it is over', async () => {
  const { titles, ledger, look, runEnds } = await operators();
  for (const report of reports) await resumeReport(ledger, report, '2040-01-01T00:00:00Z');
  await runEnds('failed');
  for (const at of [now, '2026-11-16T08:30:00Z', '2028-12-16T08:15:00Z']) await look({ at });
  await runEnds('done', '2028-12-21T08:05:00Z');
  for (const at of ['2028-12-21T08:15:00Z', '2028-12-21T08:30:00Z']) await look({ at });
  expect(titles()).toEqual(['Run failed', 'Over: Run failed']);
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

type Step = 'failed' | 'held' | 'done' | 'bounced' | 'look' | 'refused' | 'died' | 'twice';
const steps: Step[] = ['failed', 'held', 'done', 'bounced', 'bounced', 'look', 'refused', 'died', 'twice'];

/** What operators believe who heard these notices, and how many of them they had heard before. */
function believe(heard: readonly NoticeText[]) {
  const believed = { failed: false, held: false, bounced: 0, repeated: 0 };
  for (const { subject, body } of heard) {
    const before = JSON.stringify(believed);
    if (subject.startsWith('Run failed')) believed.failed = true;
    if (subject.startsWith('Digest held')) believed.held = true;
    if (/^Over: .*Run failed/.test(subject)) believed.failed = false;
    if (/^Over: .*Digest held/.test(subject)) believed.held = false;
    believed.bounced = Number(/(\d+) bounced/.exec(body)?.[1] ?? believed.bounced);
    if (JSON.stringify(believed) === before) believed.repeated += 1;
  }
  return believed;
}

test('whatever is refused, dies or looks twice in between, operators hear of all that is open, and again only of what was cut off', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 16 }), async (history) => {
      const { heard, ledger, look, runEnds, bounces } = await operators();
      const dying: Table = { ...ledger, update: ({ sk }) => Promise.reject(new Error(`died before writing ${sk}`)) };
      let state: RunState = 'planned';
      let bounced = 0;
      for (const [index, step] of [...history, 'look' as const].entries()) {
        if (step === 'bounced') await bounces(`ses-${++bounced}`);
        else if (step === 'refused') await look({ refused: '' }).catch(() => undefined);
        else if (step === 'died') await look({ table: dying }).catch(() => undefined);
        else if (step === 'twice') await Promise.all([look(), look()]);
        else if (step !== 'look') {
          // A run that is done stays done where a later trigger fails.
          if (step !== 'failed' || state !== 'done') state = step;
          await runEnds(step);
        } else {
          await look();
          const cutOff = history.slice(0, index).filter((past) => past === 'died' || past === 'twice').length;
          const { repeated, ...believed } = believe(heard);
          expect(believed.bounced).toBe(bounced);
          // What was cut off, and is over at the next look, is not said to be. A run that failed and is held now is not done.
          const isExact = cutOff === 0;
          if (state === 'held' || isExact) expect(believed.held).toBe(state === 'held');
          if (state === 'failed' || (isExact && state !== 'held')) expect(believed.failed).toBe(state === 'failed');
          expect(repeated).toBeLessThanOrEqual(cutOff);
        }
      }
    }),
    { numRuns: 30 },
  );
});
