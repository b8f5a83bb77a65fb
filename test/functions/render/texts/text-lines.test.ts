import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapLines } from '../../../../functions/render/texts/text-lines.ts';

function times(word: string, count: number): string {
  return `${word} `.repeat(count).trim();
}

test('a line that is too long goes on under its own beginning', () => {
  const text = `a\n  ${times('word', 20)}`;
  expect(wrapLines(text)).toBe(`a\n  ${times('word', 15)}\n  ${times('word', 5)}\n`);
});

test('a word longer than a line is cut, an address is not, and no line comes before it', () => {
  const address = `https://example.com/${'x'.repeat(80)}`;
  expect(wrapLines('y'.repeat(100))).toBe(`${'y'.repeat(78)}\n${'y'.repeat(22)}\n`);
  expect(wrapLines(`a\n  ${address}\nb`)).toBe(`a\n  ${address}\nb\n`);
});

test('wide characters count twice, and empty lines come one at a time', () => {
  expect(wrapLines(times('日本', 20))).toBe(`${times('日本', 15)}\n${times('日本', 5)}\n`);
  expect(wrapLines('a\n\n\n\nb\n\n')).toBe('a\n\nb\n');
});

test('no line has more than 78 columns, and no word is lost', () => {
  const words = fc.array(fc.constantFrom('a', 'word', '日本', '🏊', 'é', 'x'.repeat(90), '\n', '\n  '), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(words, (chosen) => {
      const text = chosen.join(' ');
      const wrapped = wrapLines(text);
      expect(wrapped.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      const widths = wrapped.split('\n').map((line) => line.replaceAll(/日|本|🏊/gu, '--').length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(78);
    }),
  );
});
