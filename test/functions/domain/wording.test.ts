import { expect, test } from 'vitest';
import { createWording, localeOf } from '../../../functions/domain/wording.ts';
import french from '../../../templates/locales/fr.json' with { type: 'json' };

test.each([
  ['de', 'de'],
  ['de-CH', 'de'],
  ['en-GB', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', null],
  ['d_e', null],
  ['ada@example.com', null],
])('the messages of the locale %j are those of %j', (locale, expected) => {
  expect(localeOf(locale, ['de', 'en', 'pt-BR'])).toBe(expected);
});

test('a message has the plural form of its language, and no thin space in its number', () => {
  const messages = { ...french, 'count.views': { one: 'one {count}', other: 'other {count}' } };
  const wording = createWording('fr', messages);
  // In French nothing is singular.
  expect([0, 1234].map((views) => wording.count('count.views', views))).toEqual(['one 0', 'other 1\u00a0234']);
});
