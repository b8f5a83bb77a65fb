import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../../../functions/reporting-service/requests/http.ts';

test.each([
  { json: '[9007199254740993]', value: ['9007199254740993'] },
  { json: '[-9007199254740993]', value: ['-9007199254740993'] },
  {
    json: '{"id": 9007199254740993, "n": 9007199254740991}',
    value: { id: '9007199254740993', n: 9_007_199_254_740_991 },
  },
  { json: '{"id":"9007199254740993"}', value: { id: '9007199254740993' } },
  {
    json: '[1234567890123456789012, 1.5, 1e30, 12345678901234567.5]',
    value: ['1234567890123456789012', 1.5, 1e30, 12_345_678_901_234_568],
  },
])('$json keeps every digit', ({ json, value }) => {
  expect(parseExactJson(json)).toEqual(value);
});

test('any other JSON is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const beyond = /\d{16,}/.test(text);
      fc.pre(!beyond);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each(['', '<html>', '{"a":', '[1]x'])('%o is no JSON', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

test('JSON that is nested too deeply for its long integers to be kept is no JSON', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(() => parseExactJson(`{"id":12345678901234567890,"x":${deep}}`)).toThrow(SyntaxError);
});
