import { expect, test } from 'vitest';
import { recordKeepMonths, recordReportSeen, retireReport } from '../../../functions/ledger/reports.ts';
import { whyMaybeRenamed } from '../../../functions/ledger/renamed-reports.ts';
import { addMembers } from '../../../functions/ledger/persons/members.ts';
import { resumeCommand } from '../../../infra/program/commands/resume.ts';
import { requireReport } from '../../../functions/run/find-run.ts';
import { targetOf } from '../../infra/program/target.ts';
import { openLedger } from './open-ledger.ts';

const at = '2026-11-16T08:00:00Z';
const [weekly, news] = [{ name: 'weekly' }, { name: 'news' }];

test('a report without history waits while one with subscribers is gone from cdk.json and was not retired', async () => {
  const { table, scan, hashOf } = await openLedger();
  const why = (reports = [news]) => whyMaybeRenamed(table, news, reports);
  await recordReportSeen(table, weekly, at);
  expect(await why()).toBeNull();
  const ada = { hash: hashOf('ada@example.com'), address: 'ada@example.com' };
  await addMembers(table, 'weekly', [ada], { by: 'grace', at });
  expect(await why()).toMatch(/has subscribers of "weekly".*change its "title".*retire weekly$/);
  expect(await why([news, weekly])).toBeNull();

  // What is deployed is not switched on; on a laptop nobody is mailed.
  const target = targetOf({ table, scan });
  const configuration = { ...target.configuration, reports: target.configuration.reports.slice(1) };
  const report = requireReport(configuration, configuration.reports[0]?.name ?? '');
  const resume = (stack: string | null) => resumeCommand({ ...target, configuration, stack }, report);
  expect(await resume('the stack Digest')).toMatchObject({ code: 1, json: { resumed: false } });
  expect(await resume(null)).toMatchObject({ code: 0, json: { resumed: true } });

  const known = await recordReportSeen(table, news, at);
  await recordKeepMonths(table, news, known, 26);
  expect(await why()).toBeNull();
  await retireReport(table, weekly);
  expect(await whyMaybeRenamed(table, { name: 'board' }, [{ name: 'board' }, news])).toBeNull();
});
