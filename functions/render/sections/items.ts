import type { BroadcastContent, DigestBroadcast, DigestContent, DigestDelivery } from '../../domain/digest.ts';
import { sumOf, sumOfEngaged } from '../../domain/broadcasts.ts';
import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import { pageLimits, type SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { sayReason, showType } from '../texts/names.ts';
import { sayMedian } from './deliveries.ts';
import { lacksViews, viewBar, viewEnds, viewFigures, viewTable } from './figures.ts';
import { sayElsewhere } from './more.ts';

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const BARS = 11;
/** The most different ratings that are shown. */
const RATINGS = 101;

/** A content item with figures, and its place among those of its broadcast, from 1. */
interface CountedItem {
  item: BroadcastContent;
  number: number;
  seen: number;
  responded: number;
}

/** The content items of a broadcast that has several, for a mail, and what is not available or not shown of them. */
export function viewItems(
  broadcast: DigestBroadcast,
  input: SectionInput,
  withItems: boolean,
): { items: ReturnType<typeof viewRows> | null; notes: string[] } {
  const { contents } = broadcast;
  if (contents === null) return { items: null, notes: sayNoContents(broadcast, input) };
  const counted = contents.flatMap((item, index): CountedItem[] => {
    const { seen, responded } = item;
    return seen === null || responded === null ? [] : [{ item, number: index + 1, seen, responded }];
  });
  const shown = withItems ? counted.slice(0, input.limits.items) : [];
  const isAlone = contents.length < 2;
  return {
    items: isAlone || shown.length === 0 ? null : viewRows(shown, input),
    notes: [
      ...(isAlone ? counted.flatMap(({ item }) => sayRatings(item, input) ?? []) : []),
      ...sayUnavailable(contents, input),
      ...(isAlone ? [] : sayNotShown(counted, shown.length, input)),
    ],
  };
}

/** The bar of an item is its share of the most seen one, so that it shows where people stop. */
function viewRows(shown: readonly CountedItem[], language: Language) {
  const mostSeen = Math.max(1, ...shown.map(({ seen }) => seen));
  const rows = shown.map(({ item, number, seen, responded }) => ({
    name: nameItem(item, number, language),
    detail: sayRatings(item, language),
    bar: viewBar(responded, seen, mostSeen),
    seen: lacksViews({ seen, responded }) ? null : seen,
    responded,
  }));
  return viewTable(language.wording.say('column.item'), rows, language);
}

function nameItem({ type }: BroadcastContent, number: number, language: Language): string {
  const { wording, figures } = language;
  return wording.say('item.name', { number: figures.count(number), type: showType(type, language) });
}

/** The mean of an item's ratings and how many there are; `null` where nobody rated it. */
function sayRatings({ ratings }: BroadcastContent, { wording, figures }: Language): string | null {
  if (ratings === undefined || ratings === null || ratings.count === 0) return null;
  const { count, mean } = ratings;
  return mean === null
    ? wording.count('ratings.count', count)
    : wording.count('ratings.mean', count, { mean: figures.mean(mean) });
}

/** Items that are not available, a line for each reason. */
function sayUnavailable(contents: readonly BroadcastContent[], language: Language): string[] {
  const lacking = contents.filter(({ seen, responded }) => seen === null || responded === null);
  const byReason = Map.groupBy(lacking, ({ unavailable }) => sayReason(unavailable, language));
  return [...byReason].map(([reason, items]) => language.wording.count('items.unavailable', items.length, { reason }));
}

function sayNotShown(all: readonly CountedItem[], shown: number, input: SectionInput): string[] {
  const count = all.length - shown;
  if (count === 0) return [];
  const onPage = all.filter(({ number }) => number <= pageLimits.items).length - shown;
  return [sayElsewhere(input.wording.count(shown === 0 ? 'items.all' : 'items.more', count), { count, onPage }, input)];
}

/** Why there are no content items, where the broadcast was read at all. */
export function sayNoContents({ id, seen, unavailable }: DigestBroadcast, input: SectionInput): string[] {
  if (seen === null) return [];
  const why = input.digest.missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === id);
  return [input.wording.say('items.none', { reason: sayReason(why ?? unavailable, input) })];
}

/** The first content items of a broadcast over some of its deliveries, as rows of a page's table, in the author's order. */
export function viewItemRows(
  { contents }: DigestBroadcast,
  { deliveries, most }: { deliveries: readonly DigestDelivery[]; most: number },
  input: SectionInput,
) {
  if (contents === null || most === 0) return [];
  const byId = Map.groupBy(
    deliveries.flatMap((delivery) => delivery.contents ?? []),
    ({ id }) => id,
  );
  const mostSeen = Math.max(1, ...contents.map(({ seen }) => seen ?? 0));
  return contents
    .slice(0, most)
    .map((item, index) => viewItemRow(item, { number: index + 1, same: byId.get(item.id) ?? [], mostSeen }, input));
}

/** A content item, with what each of the deliveries says of it, and the views of the most seen item. */
function viewItemRow(
  item: BroadcastContent,
  { number, same, mostSeen }: { number: number; same: readonly DigestContent[]; mostSeen: number },
  input: SectionInput,
) {
  const { digest, wording } = input;
  const { seen, responded } = item;
  const [only, ...others] = same;
  const isUnread = seen === null || responded === null;
  // The medians of several deliveries say nothing of all.
  const median = only === undefined || others.length > 0 ? null : only.medianResponseSeconds;
  const details = isUnread ? [sayReason(item.unavailable, input)] : [sayMedian(median, input), sayRatings(item, input)];
  const counted = {
    seen,
    responded,
    answered: sumOf(same.map(({ answered }) => answered)),
    inPeriod: sumOfEngaged(same.map(({ inPeriod }) => inPeriod)),
    // A list that is not the audience has no reach.
    audience: sumOf(same.map(({ reach, listed }) => (reach === null ? null : listed))),
  };
  return {
    name: nameItem(item, number, input),
    details: joinFacts(details, wording.say('separator.details')),
    bar: isUnread ? null : viewEnds(responded, seen, mostSeen),
    ...viewFigures(counted, { kind: digest.period.kind, namesAudience: false }, input),
    ratings: item.ratings === undefined || item.ratings === null ? null : viewRatings(same, input),
  };
}

/** How often each rating was given to an item, the highest first; `null` where nobody gave one. */
function viewRatings(same: readonly DigestContent[], { wording, figures }: Language) {
  const histogram = createCounts();
  for (const { ratings } of same) {
    for (const [rating, count] of Object.entries(ratings?.histogram ?? {})) addCount(histogram, rating, count);
  }
  const given = Object.entries(histogram).toSorted(([one], [other]) => Number(other) - Number(one));
  if (given.length === 0) return null;
  const most = Math.max(1, ...given.map(([, count]) => count));
  const hasBars = given.length <= BARS;
  return {
    label: wording.say('csv.ratings'),
    rows: given.slice(0, RATINGS).map(([rating, count]) => ({
      rating: wording.say('csv.rating', { rating: showForeignText(rating, 20) ?? wording.say('name.none') }),
      count: figures.count(count),
      /** Against the rating that was given most often; `null` for none. */
      bar: hasBars ? viewBar(0, count, most).seen : null,
    })),
    hasBars,
  };
}
