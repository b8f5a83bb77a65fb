import * as v from 'valibot';
import { expect, test } from 'vitest';
import { coverageSchema, createTally, mergeCoverage } from '../../../functions/reporting-service/coverage.ts';

test('a tally counts what happened, from nothing, and coverages of several workers add up', () => {
  const [one, two] = [createTally(), createTally()];
  one.request('recipients', '200');
  one.request('recipients', '500');
  one.reading('dates', 'date only');
  two.request('recipients', '200');
  two.retry();
  two.reading('dates', 'date only');
  two.reading('paging', 'none');
  two.missingField('delivery.status');
  two.cutOff('recipients');
  const sum = {
    requests: { recipients: { '200': 2, '500': 1 } },
    retries: 1,
    readings: { dates: { 'date only': 2 }, paging: { none: 1 } },
    missingFields: { 'delivery.status': 1 },
    cutOff: { recipients: 1 },
  };
  expect(mergeCoverage([one.coverage, two.coverage])).toEqual(sum);
  expect(one.coverage.retries).toBe(0);
});

test('a service with ever new names for its wrappers does not make the receipt grow without end', () => {
  const tally = createTally();
  for (let word = 0; word < 100; word += 1) tally.reading('wrapper', `${word}${'x'.repeat(1_000)}`);
  tally.reading('wrapper', `0${'x'.repeat(1_000)}`);
  const words = Object.entries(tally.coverage.readings['wrapper'] ?? {});
  expect(words).toHaveLength(21);
  expect([words[0], words.at(-1)]).toEqual([
    [`0${'x'.repeat(59)}`, 2],
    ['other', 80],
  ]);
});

test('words of the service may be names of inherited properties, and are counted all the same', () => {
  const tally = createTally();
  for (const word of ['toString', '__proto__', 'constructor', 'toString']) {
    tally.request(word, word);
    tally.missingField(word);
  }
  const stored: unknown = JSON.parse(JSON.stringify(tally.coverage));
  const { requests, missingFields } = mergeCoverage([stored, stored].map((each) => v.parse(coverageSchema, each)));
  const counts = Object.entries({ toString: 4, ['__proto__']: 2, constructor: 2 });
  expect(Object.entries(missingFields)).toEqual(counts);
  expect(Object.entries(requests).map(([word, inner]) => [word, Object.entries(inner)])).toEqual(
    counts.map(([word, count]) => [word, [[word, count]]]),
  );
});
