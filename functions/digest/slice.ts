import { comparable, comparableType } from '../domain/folding.ts';
import type { BroadcastFacts } from '../domain/facts.ts';
import { filterFields, type Filter, type FilterField } from '../domain/report-filter.ts';
import { broadcastOf, type Delivery } from './account.ts';

type ByBroadcast = ReadonlyMap<string, readonly Delivery[]>;

/** The broadcasts of an account as a report sees them, by their keys. */
export interface Slice {
  about: ByBroadcast;
  leftOut: ByBroadcast;
  /** Nothing says whether it is about these. */
  unsaid: ByBroadcast;
  /** It is about none of all that are known. */
  isEmpty: boolean;
}

/** What a report is about, what it leaves out, and what it cannot tell. */
export function sliceOf(
  byBroadcast: ByBroadcast,
  { only, except }: { only: Filter | null; except: Filter | null },
): Slice {
  const parts = Map.groupBy(byBroadcast, ([, deliveries]): keyof Slice | 'others' => {
    const broadcast = broadcastOf(deliveries);
    const isAbout = only === null || meetsFilter(broadcast, only);
    if (isAbout === false) return 'others';
    if (except !== null && meetsFilter(broadcast, except) === true) return 'leftOut';
    return isAbout === true ? 'about' : 'unsaid';
  });
  const [about, leftOut, unsaid] = (['about', 'leftOut', 'unsaid'] as const).map((part) => new Map(parts.get(part)));
  const none = new Map<string, readonly Delivery[]>();
  const isEmpty = (only ?? except) !== null && byBroadcast.size > 0 && !parts.has('about') && !parts.has('unsaid');
  return { about: about ?? none, leftOut: leftOut ?? none, unsaid: unsaid ?? none, isEmpty };
}

/**
 * Whether a filter is true of a broadcast, or the first field of it that the service does not say: nothing then says whether it
 * is. Names match by whole words, authors and types as a whole; case, accents and the like make no difference.
 */
export function meetsFilter(broadcast: BroadcastFacts, filter: Filter): boolean | FilterField {
  let unsaid: FilterField | null = null;
  for (const field of filterFields) {
    const wanted = filter[field];
    if (wanted === undefined) continue;
    const texts = textsOf(broadcast, field);
    if (texts === null) unsaid ??= field;
    else if (!texts.some((text) => matches(field, text, wanted))) return false;
  }
  return unsaid ?? true;
}

/** What a broadcast says in a field; `null` where it says nothing. */
function textsOf({ name, createdBy, contents }: BroadcastFacts, field: FilterField): readonly string[] | null {
  if (field === 'contentType') return contents?.map(({ type }) => type) ?? null;
  const text = field === 'createdBy' ? createdBy : name;
  return text === null || comparable(text) === '' ? null : [text];
}

function matches(field: FilterField, text: string, wanted: string): boolean {
  if (field === 'contentType') return comparableType(text) === comparableType(wanted);
  if (field === 'createdBy') return comparable(text) === comparable(wanted);
  const words = wordsOf(wanted);
  return words === '' ? comparable(text).includes(comparable(wanted)) : ` ${wordsOf(text)} `.includes(` ${words} `);
}

const wordsOf = (text: string): string =>
  comparable(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');

/** The most texts that are quoted as coming near. */
const mostNearest = 3;

/** What broadcasts say in the fields of a filter that none of them meets: what has most in common with what it wants comes first. */
export function nearestTo(filter: Filter, broadcasts: readonly BroadcastFacts[]): string[] {
  const near = new Map<string, number>();
  for (const field of filterFields) {
    const wanted = filter[field];
    if (wanted === undefined) continue;
    const pairs = pairsOf(wanted);
    for (const text of broadcasts.flatMap((broadcast) => textsOf(broadcast, field) ?? [])) {
      const found = pairsOf(text);
      const common = [...pairs].filter((pair) => found.has(pair)).length;
      if (common > 0) near.set(text, (2 * common) / (pairs.size + found.size));
    }
  }
  const byLikeness = [...near].toSorted(([a, likeA], [b, likeB]) => likeB - likeA || (a < b ? -1 : 1));
  return byLikeness.slice(0, mostNearest).map(([text]) => text);
}

/** Each two letters that follow each other in a text: texts that are spelt alike have many of them in common. */
function pairsOf(text: string): Set<string> {
  const letters = Array.from(comparable(text));
  return new Set(letters.slice(1).map((letter, place) => `${letters[place]}${letter}`));
}
