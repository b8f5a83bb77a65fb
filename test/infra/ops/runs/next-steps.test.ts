import { expect, test } from 'vitest';
import { describeNextSteps } from '../../../../infra/ops/runs/next-steps.ts';

const run = { run: 'weekly_2026-11-09' };
const flags = ['--local'];

test('a held run can be seen before it is sent', () => {
  expect(describeNextSteps(run, { state: 'held', balance: { sent: 0 } }, { hold: true, flags })).toEqual([
    'To see it: npm run ops -- show weekly_2026-11-09 --local',
    'To send it: npm run ops -- release weekly_2026-11-09 --local',
  ]);
});

test('a run that was to be held but is done already says so, and any other says nothing', () => {
  const sent = { state: 'done', balance: { sent: 3 } } as const;
  const nobody = { state: 'done', balance: { sent: 0 } } as const;
  expect(describeNextSteps(run, sent, { hold: true, flags })).toEqual(['Nothing was held: the run was sent before.']);
  expect(describeNextSteps(run, nobody, { hold: true, flags })).toEqual(['Nothing was held: the run was done before.']);
  expect(describeNextSteps(run, sent, { hold: false, flags })).toEqual([]);
});
