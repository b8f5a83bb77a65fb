import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PeriodKind } from '../../../functions/domain/period.ts';
import { contrast, viewColours } from '../../../functions/render/colours.ts';
import { clip } from '../../../functions/domain/wording.ts';
import { showForeignText } from '../../../functions/render/texts/foreign-text.ts';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { showStatus, showType } from '../../../functions/render/texts/names.ts';
import { alignRows, wrapLines } from '../../../functions/render/texts/text-lines.ts';
import { locales } from '../../support/words.ts';
import { keyLanguage, readable } from './outputs/key-locale.ts';

const { figures } = keyLanguage;
const words = (count: number): string => 'word '.repeat(count).trim();

describe('a foreign text', () => {
  test.each([
    ['white space', ' a\t b\r\n\u2028c\u00a0d ', 'a b c d'],
    ['control characters', 'a\u0000b\u001bc\u007fd\u0085e', 'a b c d e'],
    ['direction characters', 'invoice\u202egpj\u202c.\u2066exe\u2069\u200e\u200f\u061c', 'invoicegpj.exe'],
    ['right to left', 'שלום', '\u2068שלום\u2069'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['nothing to see', ' \t\u200b\ufeff\u202e', null],
  ])('is shown as one harmless line: %s', (_, text, shown) => expect(showForeignText(text)).toBe(shown));

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
    ['is cut', 'abcdef', 5, 'abcd…'],
    ['has no space before the dots', 'abc def', 5, 'abc…'],
    ['never loses a part of a character', '🏊‍♀️🏊‍♀️', 7, '🏊‍♀️…'],
  ])('that is too long: %s', (_, text, length, clipped) => expect(clip(text, length)).toBe(clipped));
});

test('a word of the service is one of the language where it is widespread, else it is made readable', () => {
  const types = ['image', 'RATING', 'multiple_choice', 'pulse_check', 'pollResult', 'élan', 'FAQ', 'constructor', ''];
  expect(types.map((type) => readable(showType(type, keyLanguage))).join(', ')).toBe(
    'type.image, type.rating, type.multipleChoice, pulse check, poll result, élan, FAQ, constructor, name.none',
  );
  const statuses = ['delivered', 'Cancelled', 'partly_delivered', 'inProgress'];
  expect(statuses.map((status) => readable(showStatus(status, keyLanguage))).join(', ')).toBe(
    'status.delivered, status.cancelled, partly delivered, in progress',
  );
});

describe('a figure', () => {
  test.each([
    [0.0001, 'rate.under(1%)'],
    [0.996, 'rate.over(99%)'],
    [0.145, '15%'],
  ])('that is a rate of %d is %s', (ratio, shown) => expect(readable(figures.rate(ratio))).toBe(shown));

  test('that is a rate of some of all is rounded as on paper, a half upwards', () => {
    const some = fc.integer({ min: 1, max: 100_000 }).chain((all) => fc.tuple(fc.nat({ max: all }), fc.constant(all)));
    fc.assert(
      fc.property(some, ([part, all]) => {
        fc.pre(part === 0 || part === all || (part / all >= 0.01 && part / all <= 0.99));
        expect(figures.rate(part / all)).toBe(`${Math.floor((200 * part + all) / (2 * all))}%`);
      }),
    );
  });

  test('that is a count is in the digits of its language', () => {
    const arabic = createLanguage('ar-EG', locales.en, 'Africa/Cairo').figures;
    expect([0, 999, 1_000].map(figures.count)).toEqual(['0', '999', '1,000']);
    expect([0, 7, 999].map(arabic.count)).toEqual(['٠', '٧', '٩٩٩']);
  });

  test('that is a date is one of the zone, with the year where it is another, and a period ends with its last day', () => {
    expect(figures.day('2026-06-30T23:30:00+00:00', '2026-11-09T00:00:00+00:00')).toBe('July\u00a01');
    expect(figures.day('2026-12-31T23:30:00+00:00', '2027-01-04T00:00:00+00:00')).toBe('December\u00a031,\u00a02026');
    const { figures: berlin } = createLanguage('en', locales.en, 'Europe/Berlin');
    expect(readable(berlin.day('2027-01-14T09:00:00+01:00', '2027-01-01T00:00:00+01:00'))).toBe('January 14');
    const days = (kind: PeriodKind, start: string, end: string, length: 'long' | 'short' = 'long') =>
      readable(figures.period({ kind, start, end }, length));
    expect(days('day', '2026-10-25T00:00:00+01:00', '2026-10-26T00:00:00+00:00')).toBe('October 25, 2026');
    const newYear = ['2026-12-28T00:00:00+00:00', '2027-01-04T00:00:00+00:00'] as const;
    expect(days('week', ...newYear)).toBe('December 28, 2026 – January 3, 2027');
    expect(days('week', ...newYear, 'short')).toBe('December 28, 2026 – January 3, 2027');
  });

  test('is written as its language writes it', () => {
    const messages = { ...locales.fr, 'date.first': '1er', 'separator.time': ' h ' };
    const french = createLanguage('fr', messages, 'Europe/Paris');
    const october = { kind: 'week', start: '2026-10-01T00:00:00+02:00', end: '2026-10-08T00:00:00+02:00' } as const;
    const { day, weekday, time, rate, mean, period } = french.figures;
    const shown = [day(october.start, october.end), period(october, 'short'), rate(0.36), mean(3.7)];
    expect(readable(shown)).toEqual(['1er octobre', '1er–7 octobre', '36 %', '3,7']);
    expect(readable([weekday('2026-11-01T08:05:00+00:00'), time('2026-11-16T08:05:00+00:00')])).toEqual([
      'dimanche 1er novembre',
      '09 h 05',
    ]);
    const { figures: british } = createLanguage('en-GB', locales.en, 'Europe/London');
    const week = ['2026-11-09T00:00:00+00:00', '2026-11-16T00:00:00+00:00'] as const;
    expect(british.period({ kind: 'week', start: week[0], end: week[1] }, 'short')).toBe('9–15\u00a0November');
  });
});

test('a message without a value for its brace is an error', () => {
  const { wording } = createLanguage('en', { ...locales.en, subject: '{figures}: {title}' }, 'Europe/London');
  expect(() => wording.say('subject', { title: 'A' })).toThrow(
    new TypeError('The message "{figures}: {title}" needs a value for {figures}.'),
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
    accentDarkPale: '#567ba1',
    accentDarkText: '#7db7f0',
    onAccentDark: '#17212b',
  });
});

describe('a line of the text part', () => {
  const address = `https://example.com/${'x'.repeat(80)}`;

  test.each([
    ['too long goes on under its own beginning', `a\n  ${words(20)}`, `a\n  ${words(15)}\n  ${words(5)}\n`],
    ['of one word, such as an address, is not cut', `a\n  ${address}\nb`, `a\n  ${address}\nb\n`],
    ['that is empty comes alone', 'a\n\n\nb\n\n\n\nc\n\n', 'a\n\nb\n\nc\n'],
  ])('%s', (_, text, wrapped) => expect(wrapLines(text)).toBe(wrapped));

  test('has never more than 78 characters save in one word, and no word is lost', () => {
    const words = fc.array(fc.constantFrom('a', 'word', 'é', 'x'.repeat(90), '\n', '\n  '), { maxLength: 80 });
    fc.assert(
      fc.property(words, (chosen) => {
        const wrapped = wrapLines(chosen.join(' '));
        expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(chosen.join(' ').split(/\s+/).filter(Boolean));
        expect(wrapped.split('\n').filter((line) => line.length > 78 && /\S\s+\S/.test(line))).toEqual([]);
      }),
    );
  });

  test('of a table has its first cell to the left, unless it is long, and the others to the right', () => {
    const long = 'x'.repeat(50);
    const rows = ['a 1', 'bcd 200', `${long} 3`].map((row) => row.split(' '));
    expect(alignRows(rows)).toEqual([`${'a'.padEnd(44)}    1`, `${'bcd'.padEnd(44)}  200`, `${long}    3`]);
  });
});
