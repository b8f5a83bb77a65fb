import { expect, test } from 'vitest';
import { failedReceipt, type Receipt } from '../../../../functions/run/receipt/receipt.ts';
import { summarize } from '../../../../infra/local/output/outcome.ts';
import { week } from '../../../functions/run/compose/collected-samples.ts';

const run = 'weekly_2026-W46';

/** The first sentence of what is printed of a run in this state. */
function sentenceOf(state: Receipt['state'], options?: { dryRun: boolean }): string | undefined {
  const receipt = failedReceipt({ run, report: 'weekly', period: week }, { code: 'internal', message: 'It failed.' });
  return summarize({ ...receipt, state }, null, options)[0]?.split('. ')[0];
}

test.each([
  { state: 'done', says: 'done', dry: 'done' },
  { state: 'failed', says: 'failed', dry: 'failed' },
  { state: 'kept', says: 'digest stored, some messages not sent yet', dry: 'ready to be sent' },
  { state: 'held', says: 'held', dry: 'ready to be sent, but its settings would hold it' },
] as const)('a run that is $state reads "$says", and in a dry run "$dry"', ({ state, says, dry }) => {
  expect(sentenceOf(state)).toBe(`Run ${run}: ${says}`);
  expect(sentenceOf(state, { dryRun: true })).toBe(`Run ${run}: ${dry}`);
});
