import { expect, test } from 'vitest';
import { parseExactJson } from '../../../../functions/reporting-service/requests/http.ts';

test.each([
  { json: '[9007199254740993, -9007199254740993]', value: ['9007199254740993', '-9007199254740993'] },
  {
    json: '{"id":"9007199254740993","n":9007199254740991}',
    value: { id: '9007199254740993', n: 9_007_199_254_740_991 },
  },
  {
    json: '[1234567890123456789012, 1.5, 1e30, 12345678901234567.5]',
    value: ['1234567890123456789012', 1.5, 1e30, 12_345_678_901_234_568],
  },
  { json: '{"a": [null, true, "x", -1.5e3]}', value: { a: [null, true, 'x', -1500] } },
])('$json keeps every digit', ({ json, value }) => {
  expect(parseExactJson(json)).toEqual(value);
});
