import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, showCapitalWord, showForeignText, showWord } from '../../../functions/render/texts/foreign-text.ts';

describe('a foreign text', () => {
  test.each([
    ['plain', 'Friday Five', 'Friday Five'],
    ['white space', ' a\t b\r\n\u2028c\u00a0d ', 'a b c d'],
    ['control characters', 'a\u0000b\u001bc\u007fd\u0085e', 'a b c d e'],
    ['direction characters', 'invoice\u202egpj\u202c.\u2066exe\u2069\u200e\u200f\u061c', 'invoicegpj.exe'],
    ['right to left', 'שלום', '\u2068שלום\u2069'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['an emoji of several code points', '👩‍👩‍👧 ok', '👩‍👩‍👧 ok'],
  ])('is shown as one harmless line: %s', (_, text, shown) => {
    expect(showForeignText(text)).toBe(shown);
  });

  test.each([null, undefined, '', ' \t', '\u200b\ufeff', '\u202e'])('without anything to see is null: %j', (text) => {
    expect(showForeignText(text)).toBeNull();
  });

  test('never holds control or direction characters and is never longer than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 10, max: 120 }), (text, length) => {
        const shown = showForeignText(text, length) ?? '';
        expect(shown).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066\u2067\u2028\u2029]/u);
        expect(shown.replaceAll(/[\u2068\u2069]/g, '').length).toBeLessThanOrEqual(length);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('a clipped text', () => {
  test.each([
    ['fits', 'abcde', 5, 'abcde'],
    ['is cut', 'abcdef', 5, 'abcd…'],
    ['has no space before the dots', 'abc def', 5, 'abc…'],
    ['never loses a part of a character', '🏊‍♀️🏊‍♀️', 7, '🏊‍♀️…'],
    ['is cut within a character that alone is too long', `a${'\u0301'.repeat(20)}`, 5, `a${'\u0301'.repeat(3)}…`],
  ])('%s', (_, text, length, clipped) => {
    expect(clip(text, length)).toBe(clipped);
  });
});

describe('a word of the service', () => {
  test.each([
    ['multiple_choice', 'Multiple choice'],
    ['multiple-choice', 'Multiple choice'],
    ['multipleChoice', 'Multiple choice'],
    ['FAQ', 'FAQ'],
    ['élan', 'Élan'],
    ['rating', 'Rating'],
  ])('%s is made readable', (word, shown) => {
    expect(showCapitalWord(word)).toBe(shown);
    expect(showWord(word)?.slice(1)).toBe(shown.slice(1));
  });

  test('keeps its small letter within a sentence', () => {
    expect([showWord('in_progress'), showWord('inProgress'), showWord('FAQ')]).toEqual([
      'in progress',
      'in progress',
      'FAQ',
    ]);
  });

  test('without a visible character is null', () => {
    expect(showWord('__')).toBeNull();
  });
});
