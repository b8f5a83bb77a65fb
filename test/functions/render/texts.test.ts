import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PeriodKind } from '../../../functions/domain/period.ts';
import { contrast, viewColours } from '../../../functions/render/sections/colours.ts';
import { clip, showForeignText } from '../../../functions/render/texts/foreign-text.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { showStatus, showType } from '../../../functions/render/texts/names.ts';
import { wrapLines } from '../../../functions/render/texts/text-lines.ts';
import words from '../../fixtures/words.json' with { type: 'json' };
import english from '../../../templates/locales/en.json' with { type: 'json' };
import french from '../../../templates/locales/fr.json' with { type: 'json' };
import german from '../../../templates/locales/de.json' with { type: 'json' };

const inEnglish = createLanguage('en', english, 'Europe/London');
const languages = [
  inEnglish,
  createLanguage('de', german, 'Europe/London'),
  createLanguage('fr', french, 'Europe/London'),
];
const { figures, wording } = inEnglish;

const times = (word: string, count: number): string => `${word} `.repeat(count).trim();

describe('a foreign text', () => {
  test.each([
    ['plain', 'Friday Five', 'Friday Five'],
    ['white space', ' a\t b\r\n\u2028c\u00a0d ', 'a b c d'],
    ['control characters', 'a\u0000b\u001bc\u007fd\u0085e', 'a b c d e'],
    ['direction characters', 'invoice\u202egpj\u202c.\u2066exe\u2069\u200e\u200f\u061c', 'invoicegpj.exe'],
    ['right to left', 'שלום', '\u2068שלום\u2069'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['an emoji of several code points', '👩‍👩‍👧 ok', '👩‍👩‍👧 ok'],
    ['nothing', null, null],
    ['not even null', undefined, null],
    ['white space alone', ' \t', null],
    ['nothing to see', '\u200b\ufeff', null],
    ['a direction character alone', '\u202e', null],
  ])('is shown as one harmless line: %s', (_, text, shown) => {
    expect(showForeignText(text)).toBe(shown);
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

  test.each([
    ['fits', 'abcde', 5, 'abcde'],
    ['is cut', 'abcdef', 5, 'abcd…'],
    ['has no space before the dots', 'abc def', 5, 'abc…'],
    ['never loses a part of a character', '🏊‍♀️🏊‍♀️', 7, '🏊‍♀️…'],
    ['is cut within a character that alone is too long', `a${'\u0301'.repeat(20)}`, 5, `a${'\u0301'.repeat(3)}…`],
  ])('that is too long: %s', (_, text, length, clipped) => {
    expect(clip(text, length)).toBe(clipped);
  });
});

describe('a word of the service', () => {
  test.each(Object.entries(words.types))(
    'for a type of items, "%s", is one of each language, or the service’s own',
    (type, shown) => {
      expect(languages.map((language) => showType(type, language))).toEqual(shown);
    },
  );

  test.each(Object.entries(words.statuses))(
    'for a status, "%s", is one of each language if it is documented',
    (status, shown) => {
      expect(languages.map((language) => showStatus(status, language))).toEqual(shown);
    },
  );
});

describe('a figure', () => {
  test.each([
    [0, '0%'],
    [0.0001, '<1%'],
    [0.0099, '<1%'],
    [0.01, '1%'],
    [0.99, '99%'],
    [0.996, '>99%'],
    [1, '100%'],
    [1.2, '120%'],
    [29 / 200, '15%'],
    [57 / 200, '29%'],
    [0.285, '29%'],
    [0.2849, '28%'],
  ])('that is a rate of %d is %s', (ratio, shown) => {
    expect(figures.rate(ratio)).toBe(shown);
  });

  test('that is a rate of some of all is rounded as on paper, a half upwards', () => {
    const some = fc
      .integer({ min: 1, max: 100_000 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(some, ([part, of]) => {
        fc.pre(part === 0 || part === of || (part / of >= 0.01 && part / of <= 0.99));
        expect(figures.rate(part / of)).toBe(`${Math.floor((200 * part + of) / (2 * of))}%`);
      }),
    );
  });

  test('that is a count is in the digits and the plural form of its language', () => {
    const arabic = createLanguage('ar-EG', english, 'Africa/Cairo').figures;
    expect([0, 7, 999, 1_000].map((count) => figures.count(count))).toEqual(['0', '7', '999', '1,000']);
    expect([0, 7, 999].map((count) => arabic.count(count))).toEqual(['٠', '٧', '٩٩٩']);
    const views = ['0 views', '1 view', '2 views', '1,234 views'];
    expect([0, 1, 2, 1234].map((count) => wording.count('count.views', count))).toEqual(views);
  });

  test('that is a date is one of the zone, with the year where it is another, and a period ends with its last day', () => {
    expect(figures.day('2026-06-30T23:30:00+00:00', '2026-11-09T00:00:00+00:00')).toBe('Jul 1');
    expect(figures.day('2026-12-31T23:30:00+00:00', '2027-01-04T00:00:00+00:00')).toBe('Dec 31, 2026');
    const days = (kind: PeriodKind, start: string, end: string, length: 'long' | 'short' = 'long') =>
      figures.period({ kind, start, end }, length).replaceAll('\u00a0', ' ');
    expect(days('day', '2026-10-25T00:00:00+01:00', '2026-10-26T00:00:00+00:00')).toBe('October 25, 2026');
    const newYear = ['2026-12-28T00:00:00+00:00', '2027-01-04T00:00:00+00:00'] as const;
    expect(days('week', ...newYear)).toBe('December 28, 2026 – January 3, 2027');
    expect(days('week', ...newYear, 'short')).toBe('Dec 28, 2026 – Jan 3, 2027');
    const quarter = ['2026-07-01T00:00:00+01:00', '2026-10-01T00:00:00+01:00'] as const;
    expect([days('quarter', ...quarter), days('quarter', ...quarter, 'short')]).toEqual([
      'July – September 2026',
      'July – September',
    ]);
    expect([figures.weekdayBefore(newYear[1]), figures.dayBefore(newYear[1])]).toEqual(['Sunday', 'Jan 3']);
  });
});

test('a message without a value for its brace is an error', () => {
  expect(() => wording.say('subject', { title: 'A', period: 'B' })).toThrow(
    new TypeError('The message "{figures} – {title}, {period}" needs a value for {figures}.'),
  );
});

test('contrast is that of WCAG, and the default accents are readable on both grounds', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#ffffff', '#ffffff')]).toEqual([21, 1]);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(viewColours({ accent: '#0b57a4', accentDark: '#7db7f0' })).toEqual({
    accent: '#0b57a4',
    accentPale: '#85abd2',
    accentText: '#0b57a4',
    onAccent: '#ffffff',
    accentDark: '#7db7f0',
    accentDarkPale: '#4c6d8e',
    accentDarkText: '#7db7f0',
    onAccentDark: '#17212b',
  });
});

describe('a line of the text part', () => {
  const address = `https://example.com/${'x'.repeat(80)}`;
  const local = `http://127.0.0.1:8080/${'x'.repeat(80)}`;

  test.each([
    [
      'too long goes on under its own beginning',
      `a\n  ${times('word', 20)}`,
      `a\n  ${times('word', 15)}\n  ${times('word', 5)}\n`,
    ],
    ['of one word is cut', 'y'.repeat(100), `${'y'.repeat(78)}\n${'y'.repeat(22)}\n`],
    ['that is an address is not cut', `a\n  ${address}\nb`, `a\n  ${address}\nb\n`],
    ['that is a local address is not cut', local, `${local}\n`],
    ['of wide characters counts them twice', times('日本', 20), `${times('日本', 15)}\n${times('日本', 5)}\n`],
    ['that is empty comes alone', 'a\n\n\n\nb\n\n', 'a\n\nb\n'],
  ])('%s', (_, text, wrapped) => {
    expect(wrapLines(text)).toBe(wrapped);
  });

  test('has never more than 78 columns, and no word is lost', () => {
    const someWords = fc.array(fc.constantFrom('a', 'word', '日本', '🏊', 'é', 'x'.repeat(90), '\n', '\n  '), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(someWords, (chosen) => {
        const text = chosen.join(' ');
        const wrapped = wrapLines(text);
        expect(wrapped.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        const widths = wrapped.split('\n').map((line) => line.replaceAll(/日|本|🏊/gu, '--').length);
        expect(Math.max(...widths)).toBeLessThanOrEqual(78);
      }),
    );
  });
});
