import type { Gap } from '../lists.ts';

/**
 * Where a value differs from what is expected of it, a sentence each. Of an object, the expected fields are compared alone, and a
 * field that is not there is `null`; maps and arrays have the same entries, a set in any order. A function among what is expected
 * says whether a value is right; an instant is expected in epoch milliseconds; numbers may differ by what rounding makes of the
 * order of a sum.
 */
export function differencesOf(expected: unknown, actual: unknown, at: string): string[] {
  if (typeof expected === 'function') return expected(actual ?? null) === true ? [] : [`${at}: found ${show(actual)}`];
  if (expected instanceof Set && Array.isArray(actual)) return differencesOf(inOrder(expected), inOrder(actual), at);
  if (typeof expected === 'number' && typeof actual === 'string')
    return Date.parse(actual) === expected ? [] : [differ(expected, actual, at)];
  if (typeof expected === 'number' && typeof actual === 'number') {
    return Math.abs(expected - actual) <= 1e-9 * Math.max(1, Math.abs(expected)) ? [] : [differ(expected, actual, at)];
  }
  const [ours, theirs] = [entriesOf(expected), entriesOf(actual)];
  if (ours === null || theirs === null) {
    return (expected ?? null) === (actual ?? null) ? [] : [differ(expected, actual, at)];
  }
  const areEntries = expected instanceof Map || Array.isArray(expected);
  const keys = new Set([...ours.keys(), ...(areEntries ? theirs.keys() : [])]);
  return [...keys].flatMap((key) => differencesOf(ours.get(key), theirs.get(key), `${at}.${key}`));
}

/** Whether a reason is one of those that are true; nothing where there are none. */
export function isOneOf(gaps: readonly Gap[]): (actual: unknown) => boolean {
  return (actual) => {
    if (gaps.length === 0 || actual === null) return gaps.length === 0 && actual === null;
    return gaps.some((gap) => differencesOf({ status: null, ...gap }, actual, '').length === 0);
  };
}

function inOrder(values: Iterable<unknown>): string[] {
  return Array.from(values, String).toSorted();
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (value instanceof Map) return value;
  if (typeof value !== 'object' || value === null) return null;
  return new Map(Object.entries(value));
}

function differ(expected: unknown, actual: unknown, at: string): string {
  return `${at}: expected ${show(expected)}, found ${show(actual)}`;
}

function show(value: unknown): string {
  return (JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value) ?? 'nothing').slice(0, 200);
}
