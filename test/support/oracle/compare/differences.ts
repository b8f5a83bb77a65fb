import type { Gap } from '../lists.ts';

/**
 * Where two values differ, a sentence each. A function among what is expected says whether a value is right; numbers may
 * differ by what rounding makes of the order of a sum.
 */
export function differencesOf(expected: unknown, actual: unknown, at: string): string[] {
  if (typeof expected === 'function') return expected(actual) === true ? [] : [`${at}: found ${show(actual)}`];
  if (typeof expected === 'number' && typeof actual === 'number') {
    return Math.abs(expected - actual) <= 1e-9 * Math.max(1, Math.abs(expected)) ? [] : [differ(expected, actual, at)];
  }
  const [ours, theirs] = [entriesOf(expected), entriesOf(actual)];
  if (ours === null || theirs === null) return expected === actual ? [] : [differ(expected, actual, at)];
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  return [...keys].flatMap((key) => differencesOf(ours.get(key), theirs.get(key), `${at}.${key}`));
}

/** Whether a reason is one of those that are true; nothing where there are none. */
export function isOneOf(gaps: readonly Gap[]): (found: unknown) => boolean {
  return (found) => {
    if (gaps.length === 0 || found === null) return gaps.length === 0 && found === null;
    return gaps.some((gap) => gap.reason === 'any' || differencesOf(gap, found, '').length === 0);
  };
}

/** An instant of a digest in epoch milliseconds. */
export function epochOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
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
