import { comparable } from '../domain/folding.ts';
import type { BroadcastFacts } from '../domain/facts.ts';
import { filterFields, keyIn, type Filter, type FilterField } from '../domain/report-filter.ts';
import { broadcastOf, type Delivery } from './deliveries.ts';

/** What a report is about of the broadcasts of an account, what it leaves out, and what it cannot tell. */
export function sliceOf(
  broadcasts: ReadonlyArray<readonly Delivery[]>,
  { only, except }: { only?: Filter; except?: Filter },
) {
  const {
    about = [],
    leftOut = [],
    unsaid = [],
  } = Object.groupBy(broadcasts, (deliveries) => {
    const broadcast = broadcastOf(deliveries);
    const isAbout = only === undefined || meetsFilter(broadcast, only);
    if (isAbout === false) return 'others';
    if (except !== undefined && meetsFilter(broadcast, except) === true) return 'leftOut';
    return isAbout === true ? 'about' : 'unsaid';
  });
  const isEmpty = broadcasts.length > 0 && about.length + unsaid.length === 0;
  return {
    about,
    leftOut,
    /** Nothing says whether it is about these. */
    unsaid,
    /** It is about none of all that are known: what comes nearest. */
    noMatch: isEmpty ? { nearest: nearestTo(only ?? {}, broadcasts.map(broadcastOf)) } : null,
  };
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
  if (field !== 'broadcastName') return keyIn(field)(text) === keyIn(field)(wanted);
  const words = wordsOf(wanted);
  return words === '' ? comparable(text).includes(comparable(wanted)) : ` ${wordsOf(text)} `.includes(` ${words} `);
}

const wordsOf = (text: string): string => (comparable(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** The most texts that are quoted as coming near. */
const mostNearest = 3;

/** What broadcasts say in the fields of a filter that none of them meets: what has most in common with what it wants comes first. */
function nearestTo(filter: Filter, broadcasts: readonly BroadcastFacts[]): string[] {
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
  const byLikeness = [...near].toSorted(([, likeA], [, likeB]) => likeB - likeA);
  return byLikeness.slice(0, mostNearest).map(([text]) => text);
}

/** Each two letters that follow each other in a text: texts that are spelt alike have many of them in common. */
function pairsOf(text: string): Set<string> {
  const letters = Array.from(comparable(text));
  return new Set(letters.slice(1).map((letter, place) => `${letters[place]}${letter}`));
}
