import { describe, expect, test } from 'vitest';
import { createWording, localeOf } from '../../../functions/domain/wording.ts';
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
