import { expect, test } from 'vitest';
import { withNamesOf, withPresentNames } from '../../../functions/collect/earlier-protocol.ts';
import { parseCollectRequest } from '../../../functions/collect/protocol.ts';

const bounds = { precedingStart: 1, start: 2, end: 3, timeZone: 'Europe/London' };
const common = { run: 'weekly_2026-11-09', collection: 'c1', report: 'weekly', batch: 4, from: 5, concurrency: 8 };

// As the first release sends it.
const earlier = { ...common, pass: 'contents', again: [1, 2], workers: 2, window: bounds };

test('a request of the first release is read', () => {
  const request = { ...common, phase: 'contents', interrupted: [1, 2], bounds };
  expect(parseCollectRequest(withPresentNames(earlier))).toEqual(request);
  expect(withPresentNames(request)).toBe(request);
});

test('a request of the first release that interrupts nothing is read', () => {
  const { again: _, ...others } = earlier;
  expect(parseCollectRequest(withPresentNames(others))).toEqual({ ...common, phase: 'contents', bounds });
});

test('a request of the first release is answered by its own names, one of this release by the present ones', () => {
  const batch = { asked: 3, next: null, interrupted: [7] };
  expect(withNamesOf(earlier, batch)).toEqual({ pass: 'contents', asked: 3, next: null, again: [7] });
  expect(withNamesOf({ ...earlier, pass: 'list' }, { batches: 2 })).toEqual({
    pass: 'list',
    listed: 0,
    wanted: 0,
    batches: 2,
  });
  expect(withNamesOf({ ...common, phase: 'contents', bounds }, batch)).toBe(batch);
});

test('a failure is the same for both', () => {
  const failure = { failure: { code: 'service-unavailable', message: 'The list is unavailable.' } } as const;
  expect(withNamesOf(earlier, failure)).toBe(failure);
});

test('anything else is left to the check of a request', () => {
  expect(withPresentNames({ pass: 'list' })).toEqual({ pass: 'list' });
  expect(withPresentNames(null)).toBeNull();
});
