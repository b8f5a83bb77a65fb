import { expect, test } from 'vitest';
import { judge } from '../../../functions/warnings/judge.ts';

const limits = { belowUsual: 0.5, belowShare: 0.5, belowViews: 50 };
const [met, not] = ['met', 'not-met'];

test.each<[what: string, seen: number, seenToDate: number, audience: number | null, usual: number | null, string[]]>([
  ['far below what is usual, and below half of its audience', 41, 60, 210, 96, [met, met, 'has-audience']],
  ['exactly half of what is usual', 48, 48, 210, 96, [not, met, 'has-audience']],
  ['half of its audience, and less than usual', 105, 105, 210, 211, [met, not, 'has-audience']],
  ['its usual is too little to compare with', 1, 1, 210, 9.9, ['no-usual', met, 'has-audience']],
  ['its usual is just enough', 4, 4, 210, 10, [met, met, 'has-audience']],
  ['nothing is usual', 150, 150, 210, null, ['no-usual', not, 'has-audience']],
  ['an unknown audience, and few views', 49, 80, null, null, ['no-usual', 'no-audience', met]],
  ['an unknown audience, and enough views', 50, 50, null, 101, [met, 'no-audience', not]],
  ['a small team that all saw it', 12, 12, 12, 30, [not, not, 'has-audience']],
  ['nobody of a team too small for a warning', 0, 0, 9, null, ['no-usual', not, 'has-audience']],
  ['nobody of ten', 0, 0, 10, null, ['no-usual', met, 'has-audience']],
  ['nearly everybody since then', 41, 201, 210, 96, [not, not, 'has-audience']],
  ['nobody, of nobody knows how many', 0, 0, null, 12, [met, 'no-audience', met]],
])('%s: %i views, %i to date, of %s, usually %s', (_what, seen, seenToDate, audience, usual, verdicts) => {
  const [belowUsual, belowShare, belowViews] = verdicts;
  const received = { seen, seenToDate, audience, usual };
  expect(judge(limits, received)).toEqual({ belowUsual, belowShare, belowViews });
  expect(judge({ belowViews: 50 }, received)).toEqual({ belowViews });
});
