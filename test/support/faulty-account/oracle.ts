import {
  broadcastById,
  contentRecipientsOf,
  deliveriesAsOf,
  recipientsOf,
  type BroadcastDetail,
  type Delivery,
} from '../../../infra/local/sample-account/account.ts';
import { documented, type Deviation } from './deviation.ts';
import {
  contentRows,
  deliveryRows,
  nameOf,
  oddId,
  typeOf,
  type Happened,
  type PlainRow,
  type Victims,
} from './meaning.ts';

/** A thing's figures; `null` where they were unavailable. Its fields are those of `digest.json`. */
interface Counted {
  listed: number | null;
  seen: number | null;
  responded: number | null;
  inPeriod: { seen: number; responded: number } | null;
  undated: number;
}

interface ContentFigures extends Counted {
  id: string;
  type: string;
  reach: number | null;
  ratings: { count: number; mean: number | null; histogram: Record<string, number> } | null;
  reason: string | null;
}

interface DeliveryFigures extends Counted {
  id: string;
  kind: string | null;
  name: string | null;
  contents: ContentFigures[] | null;
  reason: string | null;
}

/** The deliveries of one broadcast and one kind, together. */
interface BroadcastFigures {
  kind: string | null;
  asks: boolean | null;
  audience: number | null;
  seen: number | null;
  responded: number | null;
  inPeriod: { seen: number; responded: number } | null;
  /** Ids, sorted. */
  deliveries: string[];
}

/** What a digest says, as far as it is compared. */
export interface Figures {
  totals: {
    deliveries: number | null;
    broadcasts: number | null;
    seen: number | null;
    responded: number | null;
    asked: { seen: number; responded: number } | null;
    responseRate: number | null;
    undated: number;
  };
  /** By id. */
  deliveries: DeliveryFigures[];
  /** By the first of their deliveries. */
  broadcasts: BroadcastFigures[];
  otherStatuses: Record<string, number>;
  /** What, which and why, a line each, sorted. */
  missing: string[];
}

/** So many digests name what nobody has seen. */
const mostNamings = 4;

const informing = new Set(['text', 'image', 'video', 'audio', 'file', 'document']);

const unread: Counted = { listed: null, seen: null, responded: null, inPeriod: null, undated: 0 };

/**
 * What the digest of `[start, end)` has to say, worked out from the sample account's data and what its faults
 * make of them.
 *
 * @param namedBefore how many earlier digests of the report named a delivery as seen by nobody, by its id, and `Infinity` where
 *   one showed it otherwise; `null`, the default, in its first run
 * @param deviation none by default
 * @param gaps why a thing was unavailable, by the account's name for it
 */
export function expectedFigures(options: {
  asOf: string;
  period: { start: string; end: string };
  namedBefore?: ReadonlyMap<string, number> | null;
  deviation?: Deviation;
  victims?: Pick<Victims, 'delivery'>;
  gaps?: ReadonlyMap<string, string>;
}): Figures {
  const { asOf, deviation = documented, victims, gaps = new Map(), namedBefore = null } = options;
  const start = Date.parse(options.period.start);
  const end = Date.parse(options.period.end);
  const listed = deliveriesAsOf(asOf);
  const wanted = deviation.missing === 'status' ? [] : listed.filter(({ status }) => status === 'delivered');
  const missing: string[] = [];
  const idOf = (id: string): string => oddId(id, deviation.ids);
  let undated = 0;

  const contentFigures = (
    delivery: Delivery,
    content: BroadcastDetail['contents'][number],
    ofDelivery: number | null,
  ): ContentFigures => {
    const own = (recipientsOf(delivery.id, asOf) ?? []).length;
    const rows = contentRows(contentRecipientsOf(delivery.id, content.id, asOf) ?? [], own, deviation);
    const reason = gaps.get(`content ${delivery.id} ${content.id}`) ?? null;
    const base = { id: idOf(content.id), type: typeOf(content, deviation) };
    if (reason !== null) {
      missing.push(`content ${idOf(delivery.id)} ${idOf(content.id)} ${reason}`);
      return { ...base, ...unread, reach: null, ratings: null, reason };
    }
    const counted = countRows(rows, start, end);
    const ratingsGap = gaps.get(`ratings ${delivery.id} ${content.id}`);
    if (ratingsGap !== undefined) missing.push(`ratings ${idOf(delivery.id)} ${idOf(content.id)} ${ratingsGap}`);
    const isAudience = ofDelivery !== null && rows.length > ofDelivery;
    return {
      ...base,
      ...counted,
      reach: isAudience ? (counted.seen ?? 0) / rows.length : null,
      ratings: ratingsGap === undefined ? ratingsOf(rows, deviation) : null,
      reason: null,
    };
  };

  const deliveries = wanted.flatMap((delivery): DeliveryFigures[] => {
    const detail = broadcastById(delivery.broadcast.id, asOf);
    if (detail === undefined) throw new Error('The sample account has a delivery without a broadcast.');
    const isVictim = delivery.id === victims?.delivery;
    const rows = deliveryRows(recipientsOf(delivery.id, asOf) ?? [], isVictim, deviation);
    const gap = gaps.get(`recipients ${delivery.id}`) ?? null;
    if (gap !== null) missing.push(`delivery ${idOf(delivery.id)} ${gap}`);
    const broadcastGap =
      deviation.missing === 'broadcast id' ? 'unreadable' : (gaps.get(`broadcast ${delivery.broadcast.id}`) ?? null);
    const created =
      broadcastGap !== null || deviation.missing === 'created' ? null : Date.parse(detail.broadcast.created.at);
    const counted = gap === null ? countRows(rows, start, end) : unread;
    undated += counted.undated;
    const kind =
      gap === null
        ? kindOf(rows, counted, created, {
            start,
            end,
            isOld: namedBefore && (namedBefore.get(delivery.id) ?? 0) >= mostNamings,
          })
        : 'unread';
    if (kind === null || (kind === 'unread' && created !== null && created >= end)) return [];
    return [
      {
        id: idOf(delivery.id),
        kind: kind === 'unread' ? null : kind,
        name: nameOf(delivery.broadcast, deviation),
        ...counted,
        contents:
          broadcastGap === null
            ? detail.contents.map((content) => contentFigures(delivery, content, counted.listed))
            : null,
        reason: gap ?? broadcastGap,
      },
    ];
  });
  for (const { id, broadcast } of wanted) {
    if (!deliveries.some((shown) => shown.id === idOf(id))) continue;
    const gap = gaps.get(`broadcast ${broadcast.id}`);
    if (deviation.missing === 'broadcast id') missing.push(`broadcast ${idOf(id)} unreadable`);
    else if (gap !== undefined) missing.push(`broadcast ${idOf(broadcast.id)} ${gap}`);
  }
  const whole = !missing.some((line) => line.startsWith('delivery '));
  const sum = (what: 'seen' | 'responded'): number | null =>
    whole ? deliveries.reduce((total, { inPeriod }) => total + (inPeriod?.[what] ?? 0), 0) : null;
  const broadcasts = groupDeliveries(deliveries, (id) => {
    const broadcast = wanted.find((delivery) => idOf(delivery.id) === id)?.broadcast.id ?? '';
    return deviation.missing === 'broadcast id' ? `of ${id}` : broadcast;
  });
  const asked = whole ? askedOf(deliveries) : null;
  return {
    totals: {
      deliveries: whole ? deliveries.filter(({ kind }) => kind === 'new').length : null,
      broadcasts: whole ? broadcasts.filter(({ kind }) => kind === 'new').length : null,
      seen: sum('seen'),
      responded: sum('responded'),
      asked,
      responseRate: asked === null || asked.seen === 0 ? null : asked.responded / asked.seen,
      undated,
    },
    deliveries: deliveries.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    broadcasts,
    otherStatuses: countStatuses(listed, deviation),
    missing: [...new Set(missing)].toSorted(),
  };
}

/** Whether one of a delivery's content items asks for a response; `null` where they are not known. */
function asksOf({ contents }: DeliveryFigures): boolean | null {
  return contents?.some(({ type }) => !informing.has(type)) ?? null;
}

function askedOf(deliveries: readonly DeliveryFigures[]): Figures['totals']['asked'] {
  const engaged = deliveries.filter(({ inPeriod }) => (inPeriod?.seen ?? 0) + (inPeriod?.responded ?? 0) > 0);
  if (engaged.some((delivery) => asksOf(delivery) === null)) return null;
  const asking = engaged.filter(asksOf);
  return {
    seen: asking.reduce((total, { inPeriod }) => total + (inPeriod?.seen ?? 0), 0),
    responded: asking.reduce((total, { inPeriod }) => total + (inPeriod?.responded ?? 0), 0),
  };
}

function add(figures: ReadonlyArray<number | null | undefined>): number {
  return figures.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

function groupDeliveries(
  deliveries: readonly DeliveryFigures[],
  broadcastOf: (id: string) => string,
): BroadcastFigures[] {
  const groups = Map.groupBy(deliveries, ({ id, kind }) => `${kind} ${broadcastOf(id)}`);
  return [...groups.values()]
    .map((group): BroadcastFigures => {
      const [first] = group;
      if (first === undefined) throw new Error('A group has a delivery.');
      const isRead = group.every(({ seen }) => seen !== null);
      const audiences = group.map(audienceOf);
      return {
        kind: first.kind,
        asks: asksOf(first),
        audience: audiences.includes(null) ? null : add(audiences),
        seen: isRead ? add(group.map(({ seen }) => seen)) : null,
        responded: isRead ? add(group.map(({ responded }) => responded)) : null,
        inPeriod: isRead
          ? {
              seen: add(group.map((each) => each.inPeriod?.seen)),
              responded: add(group.map((each) => each.inPeriod?.responded)),
            }
          : null,
        deliveries: group.map(({ id }) => id).toSorted(),
      };
    })
    .toSorted((a, b) => ((a.deliveries[0] ?? '') < (b.deliveries[0] ?? '') ? -1 : 1));
}

/** The one length of the lists that are longer than that of who engaged, where it holds all of these. */
function audienceOf({ contents, seen, responded }: DeliveryFigures): number | null {
  const [length = null, ...others] = (contents ?? []).filter(({ reach }) => reach !== null).map(({ listed }) => listed);
  if (length === null || others.some((other) => other !== length)) return null;
  return (seen ?? 0) > length || (responded ?? 0) > length ? null : length;
}

function countStatuses(listed: readonly Delivery[], { missing }: Deviation): Record<string, number> {
  const words = listed.map(({ status }) => (missing === 'status' ? 'unknown' : status));
  return Object.fromEntries(
    [...new Set(words)]
      .filter((word) => word !== 'delivered')
      .map((word) => [word, words.filter((other) => other === word).length]),
  );
}

function kindOf(
  rows: readonly PlainRow[],
  { seen, responded, inPeriod }: Counted,
  created: number | null,
  { start, end, isOld }: { start: number; end: number; isOld: boolean | null },
): string | null {
  const dated = rows.flatMap((row) => [row.seen, row.responded]).filter((happened) => typeof happened === 'number');
  const first = dated.length > 0 ? dated.reduce((a, b) => Math.min(a, b)) : created;
  if (first !== null && first >= end) return null;
  if ((seen ?? 0) + (responded ?? 0) === 0) {
    return (isOld ?? (created !== null && created < start - (end - start))) ? null : 'silent';
  }
  if (first === null) return 'unread';
  if (first >= start) return 'new';
  return (inPeriod?.seen ?? 0) + (inPeriod?.responded ?? 0) > 0 ? 'active' : null;
}

function countRows(rows: readonly PlainRow[], start: number, end: number): Counted {
  const within = (happened: Happened): boolean => typeof happened === 'number' && happened >= start && happened < end;
  return {
    listed: rows.length,
    seen: rows.filter((row) => row.seen !== null).length,
    responded: rows.filter((row) => row.responded !== null).length,
    inPeriod: {
      seen: rows.filter((row) => within(row.seen)).length,
      responded: rows.filter((row) => within(row.responded)).length,
    },
    undated: rows.filter((row) => row.seen === 'unreadable' || row.responded === 'unreadable').length,
  };
}

function ratingsOf(rows: readonly PlainRow[], { ratings }: Deviation): ContentFigures['ratings'] {
  if (ratings === 'ignored filter' || ratings === 'refused filter') return null;
  const given = rows.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  if (given.length === 0) return null;
  const histogram = Object.fromEntries(
    [...new Set(given)].map((rating) => [rating, given.filter((other) => other === rating).length]),
  );
  return { count: given.length, mean: given.reduce((sum, rating) => sum + rating, 0) / given.length, histogram };
}
