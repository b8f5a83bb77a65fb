import { test } from 'vitest';
import { checkDecisions } from './decisions.ts';

// More of them: decisions.long.test.ts.
test(
  'nobody is mailed whose last own decision was no, and nobody loses a yes without a word',
  () => checkDecisions(3),
  60_000,
);
