import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  coverageSchema,
  createTally,
  emptyCoverage,
  mergeCoverage,
} from '../../../functions/reporting-service/coverage.ts';

test('a tally counts what happened, and coverages of several workers add up', () => {
  const one = createTally();
  one.request('auth', '200');
  one.request('recipients', '200');
  one.request('recipients', '500');
  one.retry();
  one.reading('dates', 'date only');
  const two = createTally();
  two.request('recipients', '200');
  two.retry();
  two.reading('dates', 'date only');
  two.reading('dates', 'unreadable');
  two.reading('paging', 'none');
  two.missingField('delivery.status');
  two.cutOff('recipients');
  expect(mergeCoverage([one.coverage, two.coverage])).toEqual({
    requests: { auth: { '200': 1 }, recipients: { '200': 2, '500': 1 } },
    retries: 2,
    readings: { dates: { 'date only': 2, unreadable: 1 }, paging: { none: 1 } },
    missingFields: { 'delivery.status': 1 },
    cutOff: { recipients: 1 },
  });
  expect(one.coverage.requests).toEqual({ auth: { '200': 1 }, recipients: { '200': 1, '500': 1 } });
});

test('the coverage is empty before the first request', () => {
  expect(mergeCoverage([])).toEqual(emptyCoverage());
  expect(createTally().coverage).toEqual({ requests: {}, retries: 0, readings: {}, missingFields: {}, cutOff: {} });
});

test('a word that comes again is counted on, as many times as it came, and a long one by its beginning', () => {
  const tally = createTally();
  const long = 'x'.repeat(100);
  for (const [word, times] of [
    ['array', 1],
    ['array', 3],
    [long, 2],
    [long, 5],
  ] as const) {
    tally.reading('wrapper', word, times);
  }
  expect(tally.coverage.readings).toEqual({ wrapper: { array: 4, [long.slice(0, 60)]: 7 } });
});

test('a service with ever new names for its wrappers does not make the receipt grow without end', () => {
  const tally = createTally();
  for (let word = 0; word < 100; word += 1) tally.reading('wrapper', `${word}${'x'.repeat(1_000)}`);
  const words = Object.entries(tally.coverage.readings['wrapper'] ?? {});
  expect(words).toHaveLength(21);
  expect(words.at(-1)).toEqual(['other', 80]);
  expect(Math.max(...words.map(([word]) => word.length))).toBe(60);
});

test('words of the service may be names of inherited properties, and are counted all the same', () => {
  const words = ['toString', '__proto__', 'constructor', 'valueOf', 'toString'];
  const tally = createTally();
  for (const word of words) {
    tally.reading('wrapper', word);
    tally.reading(word, 'array');
    tally.request(word, word);
    tally.missingField(word);
    tally.cutOff(word);
  }
  const stored: unknown = JSON.parse(JSON.stringify(tally.coverage));
  const merged = mergeCoverage([v.parse(coverageSchema, stored), v.parse(coverageSchema, stored)]);
  const counts = Object.entries({ toString: 4, ['__proto__']: 2, constructor: 2, valueOf: 2 });
  expect(Object.entries(merged.readings['wrapper'] ?? {})).toEqual(counts);
  expect(Object.entries(merged.missingFields)).toEqual(counts);
  expect(Object.entries(merged.cutOff)).toEqual(counts);
  expect(Object.entries(merged.requests).map(([word, inner]) => [word, Object.entries(inner)])).toEqual(
    counts.map(([word, count]) => [word, [[word, count]]]),
  );
});
