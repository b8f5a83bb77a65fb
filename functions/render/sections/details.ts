import { sumOfEngaged } from '../../domain/broadcasts.ts';
import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import type { DigestBroadcast, DigestContent, DigestDelivery, Engaged } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { anchorOf, sayCause } from '../texts/names.ts';
import { deliveriesOf, sayDate, viewBlock } from './block.ts';
import { lacksViews, responsesTo, sayOfAudience, viewBar, wholeOf, type Scale } from './figures.ts';
import { nameItem, sayMean, sayUnavailable, whyWithoutItems } from './items.ts';
import { findNeeds, sayAdvice } from './needs.ts';
import { sayAge } from './at-age.ts';

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const BARS = 11;
/** The most different ratings that are shown. */
const RATINGS = 101;

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
      anchor: anchorOf(broadcast, input.digest),
      count:
        broadcast.seen === null || lacksViews(broadcast)
          ? input.wording.say('figure.none')
          : sayOfAudience({ seen: broadcast.seen, audience: broadcast.audience }, input),
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
function sayInPeriod({ kind, asks, seen, responded, inPeriod, unavailable }: DigestBroadcast, input: SectionInput) {
  const { wording } = input;
  if (seen === null || kind === 'silent') return null;
  if (inPeriod === null) return wording.say('inPeriod.unavailable', { reason: sayCause(unavailable, input) });
  if (seen === inPeriod.seen && responded === inPeriod.responded) return null;
  return wording.say('inPeriod.line', { counts: sayCounts(inPeriod, asks, input) ?? '' });
}

function sayCounts({ seen, responded }: Engaged, asks: boolean | null, { wording }: Language): string | null {
  const counts = [
    wording.count('count.views', seen),
    asks === false ? null : wording.count('count.responses', responded),
  ];
  return joinFacts(counts, wording.say('separator.list'));
}

/** A row of a page's table, of a list of recipients or of several together. */
interface Listed {
  name: string;
  details: Array<string | null>;
  asks: boolean | null;
  figures: Pick<DigestDelivery, 'seen' | 'responded' | 'inPeriod'>;
  /** What its bar is a share of. */
  whole: number | null;
  audience: number | null;
  ratings: ReturnType<typeof viewRatings>;
}

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
    .map((each, index) => listDelivery(each, { index, of: several.length, asks: broadcast.asks }, input));
  const whole = wholeOf(broadcast, scale);
  const all = items.map((item) => Object.assign(item, { whole }));
  const [missingItems, missingRows] = [isRead ? contents.length - items.length : 0, several.length - rows.length];
  const none = broadcast.seen === null || broadcast.contents !== null;
  return {
    tables: [
      ...viewTable(wording.say('column.item'), all, scale, input),
      ...viewTable(wording.say('column.delivery'), rows, 'audience', input),
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
function listItems(
  { asks, contents }: DigestBroadcast,
  deliveries: readonly DigestDelivery[],
  input: SectionInput,
): Listed[] {
  const byId = Map.groupBy(
    deliveries.flatMap((delivery) => delivery.contents ?? []),
    ({ id }) => id,
  );
  return (contents ?? []).map((item, index) => {
    const same = byId.get(item.id) ?? [];
    return {
      name: nameItem(item, index + 1, input),
      details: [sayMean(item, input)],
      asks,
      figures: {
        seen: item.seen,
        responded: item.responded,
        inPeriod: sumOfEngaged(same.map(({ inPeriod }) => inPeriod)),
      },
      whole: null,
      audience: null,
      ratings: item.ratings == null ? null : viewRatings(same, input),
    };
  });
}

function listDelivery(
  delivery: DigestDelivery,
  { index, of, asks }: { index: number; of: number; asks: boolean | null },
  input: SectionInput,
): Listed {
  const { wording, figures } = input;
  const { seen, responded, unavailable } = delivery;
  const { audience } = delivery;
  return {
    name: wording.count('delivery.name', of, { number: figures.count(index + 1) }),
    details: [
      sayDate(delivery, input),
      seen === null || responded === null || unavailable !== undefined ? sayCause(unavailable, input) : null,
    ],
    asks,
    figures: delivery,
    whole: audience,
    audience,
    ratings: null,
  };
}

/** A table of a page; none without rows. Audiences have their columns where one is known. */
function viewTable(name: string, rows: readonly Listed[], scale: Scale, input: SectionInput) {
  const { wording, figures } = input;
  const none = wording.say('figure.none');
  const hasAudience = rows.some(({ audience }) => audience);
  if (rows.length === 0) return [];
  return [
    {
      columns: {
        name,
        seen: wording.say('column.people.seen'),
        audience: hasAudience ? wording.say('column.audience') : null,
        share: hasAudience ? wording.say('column.share') : null,
        responded: wording.say('column.people.responded'),
      },
      rows: rows.map(({ name, details, asks, figures: of, whole, audience, ratings }) => {
        const responded = responsesTo(asks, of);
        const views = lacksViews(of) ? null : of.seen;
        const isAll = of.seen === of.inPeriod?.seen && of.responded === of.inPeriod?.responded;
        const inPeriod =
          of.inPeriod === null || isAll
            ? null
            : wording.say('inPeriod.short', { counts: sayCounts(of.inPeriod, asks, input) ?? '' });
        return {
          name,
          details: joinFacts([...details, inPeriod], wording.say('separator.list')),
          seen: views === null ? none : figures.count(views),
          audience: hasAudience && audience ? figures.count(audience) : '',
          share: hasAudience && audience && views !== null ? figures.rate(views / audience) : '',
          hasAudience,
          responded: responded === null ? none : figures.count(responded),
          bar: viewBar(responded, views, whole, scale),
          ratings,
        };
      }),
    },
  ];
}

/** Earlier editions of a broadcast's series, with what they had when they were as old; `null` where none say anything. */
function viewEditions({ atAge }: DigestBroadcast, scale: Scale, input: SectionInput) {
  const { digest, wording, figures } = input;
  const { hours = 0, usual = null, earlier = null } = atAge ?? {};
  const editions = usual?.editions ?? earlier?.editions;
  if (editions === undefined) return null;
  const most = Math.max(1, ...editions.map(({ seen }) => seen));
  return {
    note: usual === null ? null : wording.count('editions.note', editions.length),
    columns: {
      name: wording.say('column.edition'),
      seen: wording.say('column.within', { age: sayAge(hours, wording) }),
      share: usual === null ? null : wording.say('column.share'),
      responded: wording.say('column.people.responded'),
    },
    rows: editions.map((edition) => {
      const { firstSign, seen, responded, audience } = edition;
      return {
        name: figures.day(firstSign, digest.period.start),
        seen: sayOfAudience(edition, input),
        share: usual === null ? null : figures.rate(seen / (audience ?? 1)),
        responded: figures.count(responded),
        bar: viewBar(responded, seen, scale === 'audience' ? audience : Math.max(most, scale), scale),
      };
    }),
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
      bar: hasBars ? (viewBar(0, count, most, most)?.second ?? null) : null,
    })),
    hasBars,
  };
}
