import { test } from 'vitest';
import { checkDecisions } from './decisions.ts';

test(
  'of a hundred orders of acts, none mails somebody whose last own decision was no, or loses a yes without a word',
  () => checkDecisions(100),
  400_000,
);
