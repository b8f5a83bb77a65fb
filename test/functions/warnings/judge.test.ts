import { expect, test } from 'vitest';
import { judge } from '../../../functions/warnings/warning.ts';

const limits = { belowUsual: 0.5, belowShare: 0.55, belowViews: 50 };
const [met, not] = ['met', 'not-met'];
const minimumGroup = 10;

type Usual = [expected: number, seenAtAge: number, engaged: number] | null;

test.each<[what: string, seen: number, engaged: number, audience: number | null, usual: Usual, verdicts: string[]]>([
  ['far below half of what is usual', 41, 41, 210, [96, 41, 41], [met, 'has-usual', 'has-audience']],
  ['exactly half of what is usual', 48, 48, 210, [96, 48, 48], [not, 'has-usual', 'has-audience']],
  ['half of it since it was that old', 48, 48, 210, [96, 40, 48], [not, 'has-usual', 'has-audience']],
  ['half of it when it was that old, as an edition', 41, 41, 210, [96, 48, 48], [not, 'has-usual', 'has-audience']],
  ['nine fewer than usual', 6, 6, 210, [15, 6, 6], [not, 'has-usual', 'has-audience']],
  ['ten fewer than usual', 7, 7, 210, [17, 7, 7], [met, 'has-usual', 'has-audience']],
  ['nothing is usual, and half of its audience', 50, 50, 100, null, ['no-usual', met, 'has-audience']],
  ['exactly at the limit of its audience', 55, 55, 100, null, ['no-usual', not, 'has-audience']],
  ['more responded than saw it', 5, 70, 100, null, ['no-usual', not, 'has-audience']],
  ['nobody', 0, 0, 100, null, [met, met, 'has-audience']],
  ['nine left to reach', 5, 5, 14, null, [not, not, 'has-audience']],
  ['a small group', 0, 0, 9, null, ['small-group', 'small-group', 'has-audience']],
  ['an unknown audience, and few views', 49, 49, null, null, ['no-audience', 'no-audience', met]],
  ['an unknown audience, and exactly enough views', 50, 50, null, null, ['no-audience', 'no-audience', not]],
])('%s: %i views, %i engaged of %s', (_what, seen, engaged, audience, usual, verdicts) => {
  const [expected = 0, seenAtAge = 0, ofEdition = 0] = usual ?? [];
  const received = { audience, seen, engaged, usual: usual && { expected, seenAtAge, engaged: ofEdition } };
  const [belowUsual, belowShare, belowViews] = verdicts;
  expect(judge(limits, received, minimumGroup)).toEqual({ belowUsual, belowShare, belowViews });
});

test('a limit that there is not judges nothing, and without one of what is usual a share judges', () => {
  const received = { audience: 100, seen: 30, engaged: 30, usual: { expected: 40, seenAtAge: 30, engaged: 30 } };
  expect(judge({ belowShare: 0.5 }, received, minimumGroup)).toEqual({ belowShare: met });
  expect(judge({ belowViews: 50 }, 'too-late', minimumGroup)).toEqual({ belowViews: 'too-late' });
});
