import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import { figuresOf, type Figures } from '../../digest/figures.ts';
import type { DigestBroadcast, DigestDelivery } from '../../digest/schema.ts';
import { itemFiguresOf, rowsOf } from '../figures.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { capitalize } from '../texts/language.ts';
import { anchorOf, linkToBroadcast, sayCause, showStatus, showType } from '../texts/names.ts';
import { percentOf, scaleOf, viewLegend, width } from './bars.ts';
import { saySums } from './counts.ts';
import { viewRow } from './new.ts';

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
        const { tables, notes, length } = viewTables(row.broadcast, room, input);
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
function sayAbout(broadcast: DigestBroadcast, { digest, mail, wording, figures, join }: SectionInput): string {
  const { createdAt, createdBy, deliveries } = broadcast;
  const author = mail.authors === 'named' ? showForeignText(createdBy) : null;
  const [firstSign] = deliveries.flatMap((delivery) => delivery.firstSign ?? []).toSorted();
  const dateOf = (instant: string): string => figures.day(instant, digest.period.start);
  return join([
    createdAt === null ? null : wording.say('details.created', { date: dateOf(createdAt) }),
    author === null ? null : wording.say('details.by', { name: author }),
    firstSign === undefined ? null : wording.say('details.firstSeen', { date: dateOf(firstSign) }),
    broadcast.asks === false ? wording.say('details.asksNothing') : null,
  ]);
}

/** What came in the period, where that is not what there is by its end. */
function sayPartOf({ seen, responded, inPeriod }: Figures, input: SectionInput): string | null {
  if (seen === inPeriod.seen && responded === inPeriod.responded) return null;
  const counts = saySums(inPeriod, input);
  return counts === null ? null : input.wording.say('inPeriod', { counts });
}

interface Listed {
  name: string;
  details: ReadonlyArray<string | null>;
  figures: Figures;
  ratings: ReturnType<typeof viewRatings>;
}

/** The tables of a broadcast: its content items, and its deliveries where there are several. */
function viewTables(broadcast: DigestBroadcast, room: number, input: SectionInput) {
  const { limits, wording } = input;
  const items = listItems(broadcast, input);
  const several = broadcast.deliveries.length > 1 ? broadcast.deliveries : [];
  const shownItems = items.slice(0, Math.min(limits.items, room));
  const shownRows = several
    .slice(0, Math.min(limits.deliveries, room - shownItems.length))
    .map((delivery, index) => listDelivery(delivery, index, broadcast, input));
  const unread = broadcast.deliveries.every(({ contents }) => contents === null);
  const gap = input.digest.unavailable.find((one) => one.what === 'broadcast' && one.broadcast?.id === broadcast.id);
  return {
    tables: [...viewTable('column.item', shownItems, input), ...viewTable('column.delivery', shownRows, input)],
    length: shownItems.length + shownRows.length,
    notes: [
      ...(unread ? [wording.say('items.none', { reason: sayCause(gap, input) })] : []),
      ...(items.length > shownItems.length ? [wording.count('items.more', items.length - shownItems.length)] : []),
      ...(several.length > shownRows.length
        ? [wording.count('deliveries.more', several.length - shownRows.length)]
        : []),
    ],
  };
}

/** The content items of a broadcast over all of its deliveries, in the author's order. */
function listItems(broadcast: DigestBroadcast, input: SectionInput): Listed[] {
  const { digest, wording, figures, locale } = input;
  return itemFiguresOf(broadcast, digest, () => true).map((item, index) => {
    const { ratings } = item;
    const type = capitalize(showType(item.type, input), locale);
    return {
      name: wording.say('item.name', { number: figures.count(index + 1), type }),
      details: [
        ratings === null || ratings.count === 0 ? null : wording.count('ratings.count', ratings.count),
        ratings?.mean == null ? null : wording.say('item.mean', { mean: figures.mean(ratings.mean) }),
        item.unavailable === undefined && item.seen !== null ? null : sayCause(item.unavailable, input),
      ],
      figures: item,
      ratings: ratings?.hasHistogram ? viewRatings(item.histograms, input) : null,
    };
  });
}

function listDelivery(
  delivery: DigestDelivery,
  index: number,
  { asks, deliveries }: DigestBroadcast,
  input: SectionInput,
): Listed {
  const { digest, wording, figures } = input;
  const { firstSign, status, isLater, unavailable, seen } = delivery;
  return {
    name: wording.count('delivery.name', deliveries.length, { number: figures.count(index + 1) }),
    details: [
      firstSign === null
        ? null
        : wording.say('details.firstSeen', { date: figures.day(firstSign, digest.period.start) }),
      isLater ? wording.say('delivery.later') : null,
      wording.say('details.status', { status: showStatus(status, input) ?? wording.say('name.none') }),
      seen === null || unavailable !== undefined ? sayCause(unavailable, input) : null,
    ],
    figures: figuresOf([delivery], { minimumGroup: digest.minimumGroup, asks }),
    ratings: null,
  };
}

/** A table of a page; none without rows. Those whom it is for have columns where they are known of one. */
function viewTable(name: 'column.item' | 'column.delivery', listed: readonly Listed[], input: SectionInput) {
  const { wording, figures: formats, join } = input;
  if (listed.length === 0) return [];
  const count = (figure: number | null): string =>
    figure === null ? wording.say('figure.none') : formats.count(figure);
  const hasAudience = listed.some(({ figures }) => figures.audience !== null);
  const rows = listed.map(({ name, details, figures, ratings }) => {
    const inPeriod = figures.inPeriod.seen === null ? null : sayPartOf(figures, input);
    return {
      name,
      detail: join([...details, inPeriod]),
      seen: count(figures.seen),
      hasAudience,
      audience: count(figures.audience),
      share: figures.share === null ? wording.say('figure.none') : formats.rate(figures.share),
      responded: count(figures.responded),
      ratings,
    };
  });
  const columns = {
    name: wording.say(name),
    seen: wording.say('column.seen'),
    audience: hasAudience ? wording.say('column.audience') : null,
    share: wording.say('column.share'),
    responded: wording.say('column.responded'),
  };
  return [{ columns, rows }];
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
