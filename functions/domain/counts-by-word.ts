import * as v from 'valibot';
import { isObject } from '../json-object.ts';

/**
 * Counts by a word that the service may have chosen. The names of inherited properties are possible words, too:
 * `createCounts` makes objects that inherit nothing, and these schemas keep the words that `v.record` drops (`__proto__`,
 * `prototype`, `constructor`).
 */
export type Counts = Record<string, number>;

export const countsSchema = v.custom<Counts>(isCounts, 'Expected an object of numbers');
export const nestedCountsSchema = v.custom<Record<string, Counts>>(isNestedCounts, 'Expected an object of counts');

/** An empty object of counts, or of other values by words. */
export function createCounts<Value = number>(): Record<string, Value> {
  const counts: Record<string, Value> = Object.create(null);
  return counts;
}

/** Adds to the count of a word, in an object made by `createCounts`. */
export function addCount(into: Counts, word: string, times = 1): void {
  into[word] = (into[word] ?? 0) + times;
}

export function countWords(words: readonly string[]): Counts {
  const counts = createCounts();
  for (const word of words) addCount(counts, word);
  return counts;
}

function isCounts(value: unknown): value is Counts {
  return isObject(value) && Object.values(value).every((count) => typeof count === 'number');
}

function isNestedCounts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isCounts);
}
