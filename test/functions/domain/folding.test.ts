import { expect, test } from 'vitest';
import { comparable, comparableType } from '../../../functions/domain/folding.ts';

test.each([
  ['O’Neill', "O'Neill"],
  ['“Stores” «News»', '"stores" "news"'],
  ['Rota – north', 'Rota - north'],
  ['José Núñez', 'Jose\u0301 NUNEZ'],
  ['Łukasz Søren Đorđe', 'lukasz soren dorde'],
  ['Straße', 'STRASSE'],
  ['Ｎｅｗｓ　①', 'news 1'],
  ['Tom\u00a0 Baker ', 'tom baker'],
  ['\u200eNe\u00adws\u200b\ufeff', 'news'],
])('%j and %j compare as one text', (text, other) => {
  expect(comparable(text)).toBe(comparable(other));
});

test.each([
  ['Мой', 'Мои'],
  ['News+', 'News'],
])('%j and %j are two texts', (text, other) => {
  expect(comparable(text)).not.toBe(comparable(other));
});

test('a type compares as the service writes it and as mails show it', () => {
  const types = ['multiple_choice', 'multipleChoice', 'Multiple choice', 'MULTIPLE-CHOICE'];
  expect(new Set(types.map(comparableType))).toEqual(new Set(['multiplechoice']));
});
