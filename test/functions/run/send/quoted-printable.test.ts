import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeQuotedPrintable } from '../../../../functions/run/send/quoted-printable.ts';

function encode(text: string): string {
  return encodeQuotedPrintable(Buffer.from(text)).toString('latin1');
}

/** Decodes as RFC 2045 says. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

test.each([
  { text: '', encoded: '' },
  { text: 'a=b', encoded: 'a=3Db' },
  { text: 'ends \nin space ', encoded: 'ends=20\r\nin space=20' },
  { text: 'tab\there\u0001\u007f', encoded: 'tab=09here=01=7F' },
  { text: 'é€🏊', encoded: '=C3=A9=E2=82=AC=F0=9F=8F=8A' },
  { text: '\n\n', encoded: '\r\n\r\n' },
])('$text becomes $encoded', ({ text, encoded }) => {
  expect(encode(text)).toBe(encoded);
});

test('a line that is too long is broken softly after 75 characters, and no character of more bytes in two', () => {
  expect(encode('x'.repeat(160))).toBe(`${'x'.repeat(75)}=\r\n${'x'.repeat(75)}=\r\n${'x'.repeat(10)}`);
  expect(encode(`${'x'.repeat(70)}🏊`)).toBe(`${'x'.repeat(70)}=\r\n=F0=9F=8F=8A`);
  expect(encode(`${'x'.repeat(75)}\ny`)).toBe(`${'x'.repeat(75)}\r\ny`);
});

test('any text comes back as it went in, from ASCII in lines of at most 76 characters that end with nothing white', () => {
  const pieces = fc.constantFrom('x', ' ', '=', '\n', 'é', '€', '🏊', 'word ', '.', '\t', 'xxxxxxxxxxxxxxxxxxxxxxxx');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 300 }), (chosen) => {
      const text = chosen.join('');
      const encoded = encode(text);
      expect(decode(encoded)).toBe(text);
      for (const line of encoded.split('\r\n')) expect(line).toMatch(/^(?:[\u0020-\u007e]{0,75}[!-~])?$/);
    }),
  );
});
