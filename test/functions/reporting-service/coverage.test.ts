import * as v from 'valibot';
import { expect, test } from 'vitest';
import { coverageSchema, createTally, mergeCoverage } from '../../../functions/reporting-service/coverage.ts';

test('coverages of several workers add up, also where a word of the service is the name of an inherited property', () => {
  const [one, two] = [createTally(), createTally()];
  one.request('recipients', '200');
  one.request('recipients', '500');
  one.reading('dates', 'date only');
  two.request('recipients', '200');
  two.retry();
  two.reading('dates', 'date only');
  two.reading('paging', 'none');
  two.missingField('delivery.status');
  for (const tally of [one, two]) tally.request('__proto__', 'toString');
  two.cutOff('recipients');
  const sum = {
    requests: { recipients: { '200': 2, '500': 1 }, ['__proto__']: { toString: 2 } },
    retries: 1,
    readings: { dates: { 'date only': 2 }, paging: { none: 1 } },
    missingFields: { 'delivery.status': 1 },
    cutOff: { recipients: 1 },
  };
  const stored: unknown[] = [one, two].map(({ coverage }) => JSON.parse(JSON.stringify(coverage)));
  expect(mergeCoverage(stored.map((coverage) => v.parse(coverageSchema, coverage)))).toEqual(sum);
  expect(one.coverage.retries).toBe(0);
});

test('a service with ever new names for its wrappers does not make the receipt grow without end', () => {
  const tally = createTally();
  for (let word = 0; word < 100; word += 1) tally.reading('wrapper', `${word}${'x'.repeat(1_000)}`);
  tally.reading('wrapper', `0${'x'.repeat(1_000)}`);
  const words = Object.entries(tally.coverage.readings['wrapper'] ?? {});
  expect(words).toHaveLength(21);
  expect(words[0]).toEqual([`0${'x'.repeat(59)}`, 2]);
  expect(words.at(-1)).toEqual(['other', 80]);
});
