import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import type { DigestBroadcast, DigestContent, DigestDelivery } from '../../domain/digest.ts';
import { figuresOf, sumOfEngaged, type Figures } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { anchorOf, sayCause, showName } from '../texts/names.ts';
import { deliveriesOf, sayDate, viewBlock, viewUsual } from './block.ts';
import { sayOfAudience, sayViewsAndResponses, viewBar, viewTable, wholeOf, type Scale } from './figures.ts';
import { nameItem, sayMean, sayUnavailable, whyWithoutItems } from './items.ts';
import { findNeeds, sayAdvice } from './needs.ts';
import { sayAge } from './at-age.ts';

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const mostBars = 11;

/**
 * The broadcasts of a page as blocks, with as many rows of content items and deliveries in all as the limits allow: the first
 * ones have theirs.
 */
export function viewDetails(broadcasts: readonly DigestBroadcast[], scale: Scale, input: SectionInput) {
  const needs = new Map(findNeeds(input.digest).map((need) => [need.broadcast, need]));
  let room = input.limits.rows;
  return broadcasts.map((broadcast) => {
    const need = needs.get(broadcast);
    const { tables, rows, notes } = viewTables(broadcast, { scale, room }, input);
    room -= rows;
    return {
      ...viewBlock(broadcast, scale, input),
      anchor: anchorOf(input.digest.broadcasts.indexOf(broadcast) + 1),
      count: sayOfAudience(figuresOf(broadcast, input.digest), input),
      date: sayDate(broadcast, input),
      advice: need === undefined ? null : sayAdvice(need, input),
      inPeriod: sayInPeriod(broadcast, input),
      tables,
      editions: viewEditions(broadcast, scale, input),
      notes,
    };
  });
}

/** What came in the period, where that is not what came to date. */
function sayInPeriod(broadcast: DigestBroadcast, input: SectionInput) {
  const { kind, seen, inPeriod, unavailable } = broadcast;
  const { wording } = input;
  if (seen === null || kind === 'silent') return null;
  if (inPeriod === null) return wording.say('inPeriod.unavailable', { reason: sayCause(unavailable, input) });
  const counts = sayCounts(figuresOf(broadcast, input.digest), input);
  return counts === null ? null : wording.say('inPeriod.line', { counts });
}

/** Views and responses of the period; `null` where they are those to date, and where nothing of it is known. */
function sayCounts({ seen, responded, inPeriod }: Figures, language: Language): string | null {
  if (inPeriod === null || (seen === inPeriod.seen && responded === inPeriod.responded)) return null;
  return sayViewsAndResponses(inPeriod, language);
}

/** A row of a page's table, of a list of recipients or of several together. */
type Listed = ReturnType<typeof listItems>[number];

/** The tables of a broadcast: its content items, and its deliveries where there are several. */
function viewTables(broadcast: DigestBroadcast, { scale, room }: { scale: Scale; room: number }, input: SectionInput) {
  const { limits, wording } = input;
  const deliveries = deliveriesOf(broadcast, input);
  const contents = broadcast.contents ?? [];
  const isRead = broadcast.seen !== 0 || broadcast.responded !== 0;
  const items = isRead ? listItems(broadcast, deliveries, input).slice(0, Math.min(limits.items, room)) : [];
  const several = deliveries.length > 1 ? deliveries : [];
  const rows = several
    .slice(0, Math.min(limits.deliveries, room - items.length))
    .map((delivery, index) => listDelivery(delivery, { index, count: several.length, asks: broadcast.asks }, input));
  const whole = wholeOf(figuresOf(broadcast, input.digest), scale);
  const [missingItems, missingRows] = [isRead ? contents.length - items.length : 0, several.length - rows.length];
  const none = broadcast.seen === null || broadcast.contents !== null;
  return {
    tables: [
      ...viewRows('column.item', items, { scale, whole }, input),
      ...viewRows('column.delivery', rows, { scale: 'audience' }, input),
    ],
    rows: items.length + rows.length,
    notes: [
      ...(none ? [] : [wording.say('items.none', { reason: sayCause(whyWithoutItems(broadcast, input), input) })]),
      ...sayUnavailable(contents, input),
      ...(missingItems > 0 ? [wording.count('items.more', missingItems)] : []),
      ...(missingRows > 0 ? [wording.count('deliveries.more', missingRows)] : []),
    ],
  };
}

/** The content items of a broadcast over some of its deliveries, in the author's order. */
function listItems({ asks, contents }: DigestBroadcast, deliveries: readonly DigestDelivery[], input: SectionInput) {
  const byId = Map.groupBy(
    deliveries.flatMap((delivery) => delivery.contents ?? []),
    ({ id }) => id,
  );
  return (contents ?? []).map((item, index) => {
    const same = byId.get(item.id) ?? [];
    const inPeriod = sumOfEngaged(same.map((item) => item.inPeriod));
    const figures = figuresOf({ ...item, asks, inPeriod }, input.digest);
    return {
      name: nameItem(item, index + 1, input),
      details: [sayMean(item, input)],
      figures,
      ratings: item.ratings != null && figures.hasHistogram ? viewRatings(same, input) : null,
    };
  });
}

function listDelivery(
  delivery: DigestDelivery,
  { index, count, asks }: { index: number; count: number; asks: boolean | null },
  input: SectionInput,
): Listed {
  const { wording, figures } = input;
  const { seen, responded, unavailable } = delivery;
  return {
    name: wording.count('delivery.name', count, { number: figures.count(index + 1) }),
    details: [
      sayDate(delivery, input),
      seen === null || responded === null || unavailable !== undefined ? sayCause(unavailable, input) : null,
    ],
    figures: figuresOf({ ...delivery, asks }, input.digest),
    ratings: null,
  };
}

/** A table of a page; none without rows. */
function viewRows(
  name: 'column.item' | 'column.delivery',
  listed: readonly Listed[],
  { scale, whole }: { scale: Scale; whole?: number | null },
  input: SectionInput,
) {
  const { wording } = input;
  if (listed.length === 0) return [];
  const rows = listed.map((row) => {
    const counts = sayCounts(row.figures, input);
    const inPeriod = counts === null ? null : wording.say('inPeriod.short', { counts });
    const detail = joinFacts([...row.details, inPeriod], wording.say('separator.list'));
    return Object.assign({}, row, { detail });
  });
  return [viewTable(wording.say(name), { rows, scale, ...(whole !== undefined && { whole }) }, input)];
}

/** Earlier editions of a broadcast's series, with what they had when they were as old; `null` where none say anything. */
function viewEditions({ atAge }: DigestBroadcast, scale: Scale, input: SectionInput) {
  const { digest, wording, figures } = input;
  const { hours = 0, usual = null, earlier = null } = atAge ?? {};
  const editions = usual?.editions ?? earlier?.editions;
  if (editions === undefined) return null;
  const most = Math.max(1, ...editions.map(({ seen }) => seen));
  const rows = editions.map(({ firstSign, seen, responded, audience }) => ({
    name: figures.day(firstSign, digest.period.start),
    detail: null,
    figures: figuresOf({ seen, responded, audience }, digest),
    ratings: null,
  }));
  const widest = scale === 'audience' ? scale : Math.max(most, scale);
  const { columns, ...table } = viewTable(wording.say('column.edition'), { rows, scale: widest }, input);
  return {
    note: usual === null ? null : wording.count('editions.note', editions.length),
    ...table,
    columns: { ...columns, seen: wording.say('column.within', { age: sayAge(hours, wording) }) },
  };
}

/** How often each rating was given to an item, the highest first; `null` where nobody gave one. */
function viewRatings(same: readonly DigestContent[], { wording, figures }: Language) {
  const histogram = createCounts();
  for (const { ratings } of same) {
    for (const [rating, count] of Object.entries(ratings?.histogram ?? {})) addCount(histogram, rating, count);
  }
  const ratings = Object.entries(histogram).toSorted(([one], [other]) => Number(other) - Number(one));
  if (ratings.length === 0) return null;
  const most = Math.max(1, ...ratings.map(([, count]) => count));
  const hasBars = ratings.length <= mostBars;
  return {
    label: wording.say('csv.ratings'),
    rows: ratings.map(([rating, count]) => ({
      rating: wording.say('csv.rating', { rating: showForeignText(rating, 20) ?? wording.say('name.none') }),
      count: figures.count(count),
      /** Against the rating that was given most often; `null` for none. */
      bar: hasBars ? (viewBar(0, count, most, most)?.second ?? null) : null,
    })),
    hasBars,
  };
}

/** The lowest share of its audience first; then, by views, those whose audience is not known; what lacks figures last. */
export function sortForPage(broadcasts: readonly DigestBroadcast[]): DigestBroadcast[] {
  return broadcasts.toSorted((one, other) => {
    // Also a share that is not shown, of few people, has its place among the others.
    const [a, b] = [figuresOf(one, { minimumGroup: 0 }), figuresOf(other, { minimumGroup: 0 })];
    if (a.share !== null && b.share !== null) return a.share - b.share || (b.audience ?? 0) - (a.audience ?? 0);
    return rankOf(a) - rankOf(b) || (other.seen ?? -1) - (one.seen ?? -1);
  });
}

/** What is for nobody knows how many comes last. */
function rankOf({ share, audience }: Figures): number {
  return Number(share === null) + Number(audience === null);
}

/** All broadcasts of a page, a row each, to find one by eye. */
export function viewIndex(broadcasts: readonly DigestBroadcast[], scale: Scale, input: SectionInput) {
  const { digest, wording } = input;
  const names = Map.groupBy(broadcasts, (broadcast) => showName(broadcast, input));
  const rows = broadcasts.map((broadcast) => {
    const name = showName(broadcast, input);
    const usual = viewUsual(broadcast, input);
    return {
      name,
      detail: null,
      figures: figuresOf(broadcast, digest),
      link: `#${anchorOf(digest.broadcasts.indexOf(broadcast) + 1)}`,
      date: (names.get(name)?.length ?? 0) > 1 ? sayDate(broadcast, input) : null,
      /** At the age that it is compared at: "57% in 2 days". */
      usual: usual === null ? '' : wording.say('usual.short', usual),
      /** What is said above the first of those whose audience is not known. */
      above: null as string | null,
    };
  });
  const firstUnknown = rows.find(({ figures }) => figures.audience === null);
  if (scale === 'audience' && firstUnknown !== undefined) firstUnknown.above = wording.say('index.unknown');
  const { columns, ...table } = viewTable(wording.say('column.broadcast'), { rows, scale }, input);
  return {
    heading: wording.count('index.heading', digest.broadcasts.length),
    note: wording.say(scale === 'audience' ? 'index.byShare' : 'index.byViews'),
    ...table,
    columns: { ...columns, usual: rows.some(({ usual }) => usual !== '') ? wording.say('column.usual') : null },
  };
}
