import { expect, test } from 'vitest';
import type { Digest, Missing } from '../../../../functions/domain/digest.ts';
import { mailLimits } from '../../../../functions/render/limits.ts';
import { viewIncomplete } from '../../../../functions/render/sections/incomplete.ts';
import { delivery, digest } from '../../../support/digests/pieces.ts';
import { language } from './entries.ts';

const view = (over: Partial<Digest>) => viewIncomplete(digest(over), mailLimits, language)?.lines;
const things = (what: 'content' | 'delivery', count: number, status: number) =>
  Array.from({ length: count }, () => ({ what, reason: 'refused' as const, status }));

test('what is missing is nothing where all was read', () => {
  expect(viewIncomplete(digest(), mailLimits, language)).toBeNull();
});

test('what is missing is not a delivery that was read and has dates that nobody can read', () => {
  const read = { ...delivery(), kind: null, seen: 1, undated: 1, firstSign: null, inPeriod: null };
  expect(view({ deliveries: [read] })).toBeUndefined();
});

test('what is missing is grouped by its reason, never a line each', () => {
  const totals = { ...digest().totals, seen: null };
  expect(view({ missing: [...things('content', 40, 401), ...things('delivery', 8, 401)], totals })).toEqual([
    '8 deliveries and 40 content items: the service refused the request (status 401).',
    'The totals are left out, because they would be too low.',
  ]);
});

test('what is missing names the broadcasts of a reason where there are three at most', () => {
  expect(view({ missing: [...named(2), ...named(2)] })).toEqual([
    '4 content items (“B0” and “B1”): the service refused the request (status 404).',
  ]);
  expect(view({ missing: named(4) })).toEqual(['4 content items: the service refused the request (status 404).']);
});

test('what is missing has a line for each of five reasons, and counts the others', () => {
  const missing = Array.from({ length: 7 }, (_, index) => things('delivery', 1, 400 + index)).flat();
  expect(view({ missing })?.slice(-2)).toEqual([
    '1 delivery: the service refused the request (status 404).',
    '2 more things are missing.',
  ]);
});

test.each([
  ['deliveries', 'list-empty', 'The list of deliveries: it was empty, although it was not the last time.'],
  ['deliveries', 'dates-unreadable', 'All deliveries together: too many dates could not be read.'],
  ['broadcast', 'cut-off', 'Name and content of 1 broadcast: the list may be cut off.'],
  ['ratings', 'cut-off', 'The ratings of 1 content item: the list may be cut off.'],
] as const)('what is missing may be %s, because of %s', (what, reason, line) => {
  expect(view({ missing: [{ what, reason }] })).toEqual([line]);
});

/** Content items that are not there, each of another broadcast. */
function named(count: number): Missing[] {
  return Array.from({ length: count }, (_, index) => ({
    what: 'content',
    name: `B${index}`,
    reason: 'refused',
    status: 404,
  }));
}
