import { expect, test } from 'vitest';
import { describeNextSteps } from '../../../../infra/ops/runs/next-steps.ts';

const run = { run: 'weekly_2026-W46' };
const flags = ['--local'];

test('a held run can be seen before it is sent, and of any other there is nothing to say', () => {
  expect(describeNextSteps(run, { state: 'held' }, flags)).toEqual([
    'To see it: npm run ops -- show weekly_2026-W46 --local',
    'To send it: npm run ops -- release weekly_2026-W46 --local',
  ]);
  expect(describeNextSteps(run, { state: 'done' }, flags)).toEqual([]);
});
