import { expect, test } from 'vitest';
import { memoize } from '../../../functions/domain/memoize.ts';

test('what came before is not computed again, nothing found included', () => {
  const asked: string[] = [];
  const lengthOf = memoize((text: string) => {
    asked.push(text);
    return text === '' ? null : text.length;
  });
  expect(['a', '', 'a', ''].map(lengthOf)).toEqual([1, null, 1, null]);
  expect(asked).toEqual(['a', '']);
});

test('after very many others it is computed again: what is remembered has an end', () => {
  let computed = 0;
  const next = memoize((value: number) => {
    computed += 1;
    return value + 1;
  });
  for (let value = 0; value < 20_000; value += 1) next(value);
  expect([next(0), computed]).toEqual([1, 20_000]);
  expect([next(20_000), next(0), computed]).toEqual([20_001, 1, 20_002]);
});
