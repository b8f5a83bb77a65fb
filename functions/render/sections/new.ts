import { itemFiguresOf, rowsOf, sumsOf, type Row } from '../row-figures.ts';
import type { SectionInput } from '../input.ts';
import { capitalize } from '../texts/language.ts';
import { linkToBroadcast, quoteDated, sayDateOf, sayReason, showName, showType } from '../texts/names.ts';
import { scaleOf, viewBar, viewLegend, type Scale } from './bars.ts';
import { sayOfAudience, saySums, viewCount } from './counts.ts';
import { lacksEverything } from './incomplete.ts';
import { newNeeds } from './needs.ts';

/** The broadcasts whose first sign was in the period, a row each; `null` for none. */
export function viewNew(input: SectionInput) {
  const { digest, limits, wording, figures } = input;
  const rows = inOrder(input);
  if (rows.length === 0 || digest.warning !== null || lacksEverything(digest)) return null;
  const shown = rows.slice(0, limits.broadcasts);
  const scale = scaleOf(shown);
  const count = figures.count(rows.length);
  return {
    heading: wording.say('new.heading'),
    note: wording.count(`new.note.${digest.period.kind}`, rows.length, {
      count: digest.totals.broadcasts === null ? wording.say('atLeast', { count }) : count,
    }),
    period: figures.period(digest.period, 'short'),
    rows: shown.map((row) => viewRow(row, scale, input)),
    legend: viewLegend(shown, scale, input),
    more: sayMore(rows.slice(shown.length), input),
  };
}

/** First what needs somebody, then by views; what lacks figures last. */
function inOrder(input: SectionInput): Row[] {
  const { needs } = input.digest;
  const rankOf = ({ deliveries, figures }: Row): number => {
    if (figures.seen === null) return 2;
    return needs.some((need) => deliveries.some((id) => need.deliveries.includes(id))) ? 0 : 1;
  };
  const news = rowsOf(input.digest).filter(({ broadcast }) => broadcast.group === 'new');
  return news.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || (other.figures.seen ?? 0) - (one.figures.seen ?? 0),
  );
}

/** A row of a broadcast: its name, how many saw it, its bar, and one line of what else is known. */
export function viewRow(row: Row, scale: Scale, input: SectionInput) {
  const { broadcast, figures } = row;
  const { mail, page, wording } = input;
  return {
    name: showName(broadcast, input),
    date: sayDateOf(row, input),
    /** Its own address, where there is no page that names everything. */
    link: page === null ? linkToBroadcast(mail.broadcastLink, broadcast) : null,
    still: broadcast.stillCounting ? wording.say('row.still') : null,
    count: viewCount(figures, input),
    bar: viewBar(figures, scale),
    line: sayRow(row, input),
  };
}

/** "50%, 45 responded. Video seen by 63; quiz by 51, 23 responded." */
function sayRow(row: Row, input: SectionInput): string {
  const { locale, wording, join } = input;
  const texts = [join(sayFacts(row, input)), sayItems(row, input)].filter(Boolean);
  const sentences = texts.map((text) => wording.say('sentence', { text: capitalize(text, locale) }));
  return join(sentences, 'sentences');
}

function sayFacts(whole: Row, input: SectionInput): Array<string | null> {
  const { digest, wording, figures } = input;
  const { broadcast, figures: row } = whole;
  const { share, responded, unopened, unread, unseen, later, seen, atLeast } = row;
  const partOf = (part: number) => ({ part: figures.count(part) });
  const reason = broadcast.deliveries.find((delivery) => delivery.seen === null)?.unavailable;
  const isUntouched = row.unseen === row.deliveries;
  const sums = broadcast.group === 'earlier' ? saySums(row.all.inPeriod, input) : null;
  return [
    share === null || isUntouched ? null : wording.say('row.share', { rate: figures.rate(share) }),
    responded === null || seen === null || isUntouched ? null : wording.count('count.responded', responded),
    unopened === null ? null : wording.count('row.unopened', unopened),
    unseen > 0 && !isUntouched ? wording.count('row.unseen', row.deliveries, partOf(unseen)) : null,
    sayFew(whole, input),
    atLeast === null ? null : wording.count('row.unread', row.deliveries, partOf(unread)),
    seen === null && atLeast === null ? wording.say('row.reason', { reason: sayReason(reason, input) }) : null,
    sums === null ? null : wording.say('inPeriod', { counts: sums }),
    later === null ? null : wording.say('row.later', { count: sayOfAudience(later, input) }),
    broadcast.createdAt !== null && (isUntouched || Date.parse(broadcast.createdAt) < Date.parse(digest.coveredSince))
      ? wording.say('row.created', { date: figures.day(broadcast.createdAt, digest.period.start) })
      : null,
  ];
}

/** Of how many of its several deliveries too few have seen it, where no box says so; `null` where it is of none. */
function sayFew({ deliveries, figures: row }: Row, { digest, limits, wording, figures }: SectionInput) {
  const boxes = new Set(newNeeds(digest).slice(0, limits.needs));
  const few = digest.needs.find(
    (need) => need.reason === 'too-few' && !boxes.has(need) && deliveries.some((id) => need.deliveries.includes(id)),
  );
  if (few === undefined || row.deliveries < 2) return null;
  return wording.count('row.few', row.deliveries, { part: figures.count(few.deliveries.length) });
}

/** Its content items in the author's order: "video seen by 63; quiz by 51, 23 responded". */
function sayItems({ broadcast, figures: row }: Row, input: SectionInput): string {
  const { digest, limits, wording, join, countIfAny } = input;
  if (row.unseen === row.deliveries) return '';
  const items = itemFiguresOf(broadcast, digest);
  const known = items.filter(({ seen, responded }) => seen !== null || responded !== null);
  const said = known.slice(0, limits.items).map((item, place) => sayItem(item, place === 0, input));
  const missing = items.length - known.length;
  const unsaid = countIfAny('items.more', known.length - said.length);
  const unread = missing > 0 && row.seen !== null ? wording.count('items.unavailable', missing) : null;
  return join([...said, unsaid, unread], 'items');
}

type Item = ReturnType<typeof itemFiguresOf>[number];

function sayItem(item: Item, isFirst: boolean, input: SectionInput): string {
  const { wording, join } = input;
  const { seen, responded } = item;
  const type = showType(item.type, input);
  const name = seen === null ? type : wording.count(isFirst ? 'item.first' : 'item.next', seen, { type });
  const facts = join([responded ? wording.count('count.responded', responded) : null, sayMean(item, input)]);
  return facts === '' ? name : wording.say('item.facts', { item: name, facts });
}

/** The mean of an item's ratings, or that it is not known; `null` where nobody rated. */
export function sayMean({ ratings, areRatingsUnread }: Item, { wording, figures }: SectionInput): string | null {
  if (areRatingsUnread) return wording.say('item.noMean');
  return ratings?.mean == null ? null : wording.say('item.mean', { mean: figures.mean(ratings.mean) });
}

/** How many broadcasts are not shown, with their views and responses, and the one that reached least; `null` where all are. */
function sayMore(rows: readonly Row[], input: SectionInput): string | null {
  if (rows.length === 0) return null;
  const { wording, join } = input;
  const sums = saySums(sumsOf(rows), input);
  const more = wording.count(sums === null ? 'more.unknown' : 'more.sums', rows.length, { sums: sums ?? '' });
  const [least] = rows
    .filter(({ broadcast, figures }) => figures.share !== null && !broadcast.stillCounting)
    .toSorted((one, other) => (one.figures.share ?? 0) - (other.figures.share ?? 0));
  if (least === undefined || rows.length === 1) return more;
  const values = { name: quoteDated(least, input), count: sayOfAudience(least.figures, input) };
  return join([more, wording.say('more.least', values)], 'sentences');
}
