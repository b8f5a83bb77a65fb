import { describe, expect, test } from 'vitest';
import { memoize, createWording, localeOf } from '../../../functions/domain/wording.ts';
import french from '../../../templates/locales/fr.json' with { type: 'json' };

describe('the messages of a locale', () => {
  const locales = ['de', 'en', 'pt-BR'];

  test.each([
    ['de', 'de'],
    ['de-CH', 'de'],
    ['en-GB', 'en'],
    ['pt-BR', 'pt-BR'],
    ['pt-PT', null],
    ['fr', null],
    ['fr-CA', null],
    ['de-', null],
    ['d_e', null],
    ['ada@example.com', null],
    ['', null],
  ])('of %j are those of %j', (locale, expected) => {
    expect(localeOf(locale, locales)).toBe(expected);
  });
});

test('numbers in a message have no thin spaces', () => {
  expect(createWording('fr', french).count('count.views', 1234)).toBe('1\u00a0234 vues');
});

test('a plural has the form of its language: in French nothing is singular', () => {
  expect(createWording('fr', french).count('count.views', 0)).toBe('0 vue');
});

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
