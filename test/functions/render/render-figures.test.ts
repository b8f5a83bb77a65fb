import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguage } from '../../../functions/render/texts/language.ts';
import { contrast, viewColours } from '../../../functions/render/sections/colours.ts';
import english from '../../../templates/locales/en.json' with { type: 'json' };

const { figures, wording } = createLanguage('en', english, 'Europe/London');

describe('a rate', () => {
  test.each([
    [0, '0%'],
    [0.0001, '<1%'],
    [0.0099, '<1%'],
    [0.01, '1%'],
    [0.5, '50%'],
    [0.99, '99%'],
    [0.996, '>99%'],
    [1, '100%'],
    [1.2, '120%'],
  ])('of %d is %s', (ratio, shown) => {
    expect(figures.rate(ratio)).toBe(shown);
  });

  test('of some of all is rounded as on paper, a half upwards', () => {
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

  test.each([
    [29 / 200, '15%'],
    [57 / 200, '29%'],
    [0.285, '29%'],
    [0.2849, '28%'],
  ])('of %d, at or near a half, is %s', (ratio, shown) => {
    expect(figures.rate(ratio)).toBe(shown);
  });
});

test('a count is in the digits of its language', () => {
  const { figures: arabic } = createLanguage('ar-EG', english, 'Africa/Cairo');
  expect([0, 7, 999, 1_000].map((count) => figures.count(count))).toEqual(['0', '7', '999', '1,000']);
  expect([0, 7, 999].map((count) => arabic.count(count))).toEqual(['٠', '٧', '٩٩٩']);
});

describe('a change of rates', () => {
  test.each([
    [0.481, 0.517, '\u22124 pts'],
    [0.5, 0.49, '+1 pt'],
    [0.49, 0.5, '\u22121 pt'],
    // What is shown as 34% and 33% differs by 1, however close the two are.
    [0.3351, 0.3349, '+1 pt'],
  ])('from %d to %d is the difference of what is shown', (now, before, shown) => {
    expect(figures.points(now, before)).toBe(shown);
  });
});

describe('dates', () => {
  test('are those of the zone, with the year where it is another', () => {
    expect(figures.day('2026-06-30T23:30:00+00:00', '2026-11-09T00:00:00+00:00')).toBe('Jul 1');
    expect(figures.day('2026-12-31T23:30:00+00:00', '2027-01-04T00:00:00+00:00')).toBe(
      'Dec 31,\u00a02026'.replace('\u00a0', ' '),
    );
  });

  test('of a period end with its last day', () => {
    expect(days('2026-11-09T00:00:00+00:00', '2026-11-16T00:00:00+00:00')).toBe('November 9 – 15, 2026');
    expect(days('2026-10-25T00:00:00+01:00', '2026-10-26T00:00:00+00:00')).toBe('October 25, 2026');
    expect(days('2026-12-28T00:00:00+00:00', '2027-01-04T00:00:00+00:00')).toBe('December 28, 2026 – January 3, 2027');
  });
});

test('a message without a value for its brace is an error', () => {
  expect(() => wording.say('subject', { title: 'A', period: 'B' })).toThrow(
    new TypeError('The message "{figures} – {title}, {period}" needs a value for {figures}.'),
  );
});

test('a count has the plural form of its number', () => {
  expect([0, 1, 2, 1234].map((count) => wording.count('count.views', count))).toEqual([
    '0 views',
    '1 view',
    '2 views',
    '1,234 views',
  ]);
});

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('the default accents are readable on both grounds', () => {
  expect(viewColours({ accent: '#0b57a4', accentDark: '#7db7f0' })).toEqual({
    accent: '#0b57a4',
    accentPale: '#85abd2',
    accentText: '#0b57a4',
    accentDark: '#7db7f0',
    accentDarkPale: '#4c6d8e',
    accentDarkText: '#7db7f0',
  });
});

function days(start: string, end: string): string {
  return figures.days(start, end, 'long').replaceAll('\u00a0', ' ');
}
