import { expect, test } from 'vitest';
import { once } from '../../../../functions/run/send/once.ts';

test.each(['a value', undefined])('%s is computed when it is first needed, and once', (value) => {
  let computed = 0;
  const get = once(() => {
    computed += 1;
    return value;
  });
  expect(computed).toBe(0);
  expect([get(), get(), computed]).toEqual([value, value, 1]);
});
