import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import { figuresOf, type Figures } from '../../digest/figures.ts';
import type { DigestBroadcast, DigestDelivery } from '../../digest/schema.ts';
import { itemFiguresOf, rowsOf, type Row } from '../figures.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { capitalize } from '../texts/language.ts';
import { anchorOf, linkToBroadcast, sayCause, showStatus, showType } from '../texts/names.ts';
import { percentOf, scaleOf, viewLegend, width } from './bars.ts';
import { saySums } from './counts.ts';
import { sayMean, viewRow } from './new.ts';

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const mostBars = 11;

/** Every broadcast of the digest once, by its group, with as many rows in all as the limits allow: the first ones have theirs. */
export function viewDetails(input: SectionInput) {
  const { digest, limits, wording } = input;
  const rows = rowsOf(digest).slice(0, limits.broadcasts);
  const scale = scaleOf(rows);
  let room = limits.rows;
  const groups = (['new', 'unseen', 'earlier'] as const).flatMap((group) => {
    const broadcasts = rows
      .filter(({ broadcast }) => broadcast.group === group)
      .map((row) => {
        const { tables, notes, length } = viewTables(row, room, input);
        room -= length;
        return {
          row: viewRow(row, scale, input),
          link: linkToBroadcast(input.mail.broadcastLink, row.broadcast),
          anchor: anchorOf(digest.broadcasts.indexOf(row.broadcast) + 1),
          about: sayAbout(row.broadcast, input),
          tables,
          notes,
        };
      });
    return broadcasts.length === 0 ? [] : [{ heading: wording.count(`group.${group}`, broadcasts.length), broadcasts }];
  });
  const more = digest.broadcasts.length - rows.length;
  return {
    legend: viewLegend(rows, scale, input),
    groups,
    more: more > 0 ? wording.count('details.more', more) : null,
    open: wording.say('details.open'),
    top: wording.say('details.top'),
  };
}

/** When it was created and first seen, and by whom it is. */
function sayAbout(broadcast: DigestBroadcast, { digest, report, wording, figures, join }: SectionInput): string {
  const { createdAt, createdBy, deliveries } = broadcast;
  const author = report.authors === 'named' ? showForeignText(createdBy) : null;
  const [firstSign] = deliveries.flatMap((delivery) => delivery.firstSign ?? []).toSorted();
  const dateOf = (instant: string): string => figures.day(instant, digest.period.start);
  return join([
    createdAt === null ? null : wording.say('details.created', { date: dateOf(createdAt) }),
    author === null ? null : wording.say('details.by', { name: author }),
    firstSign === undefined ? null : wording.say('details.firstSeen', { date: dateOf(firstSign) }),
    broadcast.asks === false ? wording.say('details.asksNothing') : null,
  ]);
}

/** The tables of a broadcast: its content items, and its deliveries where there are several. */
function viewTables({ broadcast }: Row, room: number, input: SectionInput) {
  const { digest, limits, wording } = input;
  const items = itemFiguresOf(broadcast, digest, () => true);
  const several = broadcast.deliveries.length > 1 ? broadcast.deliveries : [];
  const shownItems = items.slice(0, Math.min(limits.items, room));
  const shownRows = several.slice(0, Math.min(limits.deliveries, room - shownItems.length));
  const moreItems = items.length - shownItems.length;
  const moreRows = several.length - shownRows.length;
  const isUnread = broadcast.deliveries.every(({ contents }) => contents === null);
  const gap = digest.unavailable.find((one) => one.what === 'broadcast' && one.broadcast?.id === broadcast.id);
  const ofItems = shownItems.map((item, place) => viewItem(item, place + 1, input));
  const ofRows = shownRows.map((delivery, place) => viewDelivery(delivery, place + 1, broadcast, input));
  return {
    tables: [...viewTable('column.item', ofItems, input), ...viewTable('column.delivery', ofRows, input)],
    length: shownItems.length + shownRows.length,
    notes: [
      isUnread ? wording.say('items.none', { reason: sayCause(gap, input) }) : null,
      moreItems > 0 ? wording.count('items.more', moreItems) : null,
      moreRows > 0 ? wording.count('deliveries.more', moreRows) : null,
    ].filter((note) => note !== null),
  };
}

/** A content item of a broadcast, over all of its deliveries. */
function viewItem(item: ReturnType<typeof itemFiguresOf>[number], number: number, input: SectionInput) {
  const { wording, figures, locale } = input;
  const { ratings, unavailable } = item;
  const type = capitalize(showType(item.type, input), locale);
  const details = [
    ratings === null || ratings.count === 0 ? null : wording.count('ratings.count', ratings.count),
    sayMean(item, input),
    unavailable === undefined && item.seen !== null ? null : sayCause(unavailable, input),
  ];
  return {
    name: wording.say('item.name', { number: figures.count(number), type }),
    ...viewFigures(item, details, input),
    ratings: ratings?.hasHistogram ? viewRatings(item.histograms, input) : null,
  };
}

function viewDelivery(delivery: DigestDelivery, number: number, broadcast: DigestBroadcast, input: SectionInput) {
  const { digest, wording, figures } = input;
  const { firstSign, status, isLater, unavailable, seen } = delivery;
  const { asks, deliveries } = broadcast;
  const details = [
    firstSign && wording.say('details.firstSeen', { date: figures.day(firstSign, digest.period.start) }),
    isLater ? wording.say('delivery.later') : null,
    wording.say('details.status', { status: showStatus(status, input) ?? wording.say('name.none') }),
    seen === null || unavailable !== undefined ? sayCause(unavailable, input) : null,
  ];
  return {
    name: wording.count('delivery.name', deliveries.length, { number: figures.count(number) }),
    ...viewFigures(figuresOf([delivery], { minimumGroup: digest.minimumGroup, asks }), details, input),
    ratings: null,
  };
}

/** The figures of a row of a table, and beside them what came in the period, where that is not what there is by its end. */
function viewFigures(row: Figures, details: ReadonlyArray<string | null>, { wording, figures, join }: SectionInput) {
  const { seen, responded, audience, share, inPeriod } = row;
  const isAll = inPeriod.seen === null || (seen === inPeriod.seen && responded === inPeriod.responded);
  const counts = isAll ? null : saySums(inPeriod, { wording });
  return {
    detail: join([...details, counts && wording.say('inPeriod', { counts })]),
    seen: figures.count(seen),
    audience: figures.count(audience),
    share: figures.rate(share),
    responded: figures.count(responded),
    hasAudience: audience !== null,
  };
}

/** A table of a page; none without rows. Those whom it is for have columns where they are known of one. */
function viewTable<TableRow extends { hasAudience: boolean }>(
  name: 'column.item' | 'column.delivery',
  rows: readonly TableRow[],
  { wording }: SectionInput,
) {
  const columns = {
    name: wording.say(name),
    seen: wording.say('column.seen'),
    audience: rows.some(({ hasAudience }) => hasAudience) ? wording.say('column.audience') : null,
    share: wording.say('column.share'),
    responded: wording.say('column.responded'),
  };
  return rows.length === 0 ? [] : [{ columns, rows }];
}

/** How often each rating was given to an item, the highest first; `null` where nobody gave one. */
function viewRatings(histograms: ReadonlyArray<Record<string, number>>, { wording, figures }: SectionInput) {
  const sum = createCounts();
  for (const histogram of histograms) {
    for (const [rating, count] of Object.entries(histogram)) addCount(sum, rating, count);
  }
  const ratings = Object.entries(sum).toSorted(([one], [other]) => Number(other) - Number(one));
  if (ratings.length === 0) return null;
  const most = Math.max(1, ...ratings.map(([, count]) => count));
  const hasBars = ratings.length <= mostBars;
  return {
    label: wording.say('ratings.heading'),
    rows: ratings.map(([rating, count]) => ({
      rating: wording.say('ratings.of', { rating: showForeignText(rating, 20) ?? wording.say('name.none') }),
      count: figures.count(count),
      /** Against the rating that was given most often; `null` for none. */
      bar: hasBars ? width(percentOf(count, most)) : null,
    })),
    hasBars,
  };
}
