import type { BroadcastContent, DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery } from '../../domain/digest.ts';
import type { PeriodKind } from '../../domain/period.ts';
import { sayRatings } from '../sections/items.ts';
import { viewBar } from '../sections/bars.ts';
import { showType } from '../texts/content-types.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';
import { viewFigures, type DetailRowView } from './detail-row.ts';
import { mergeItems, type MergedItem } from './merge-items.ts';
import { viewRatings } from './ratings.ts';

/** The first content items of a broadcast over some of its deliveries, in the author's order. */
export function viewItemRows(
  { contents }: DigestBroadcast,
  deliveries: readonly DigestDelivery[],
  { kind, most }: { kind: PeriodKind; most: number },
  language: Language,
): DetailRowView[] {
  if (most === 0) return [];
  const merged = mergeItems(deliveries);
  const mostSeen = Math.max(1, ...(contents ?? []).map(({ seen }) => seen ?? 0));
  return (contents ?? [])
    .slice(0, most)
    .map((item, index) =>
      viewItemRow({ item, number: index + 1, merged: merged.get(item.id), mostSeen, kind }, language),
    );
}

/** A content item with what its row needs. */
interface ItemOfRow {
  item: BroadcastContent;
  /** Its place among those of its broadcast, from 1. */
  number: number;
  merged: MergedItem | undefined;
  /** The views of the most seen item. */
  mostSeen: number;
  kind: PeriodKind;
}

function viewItemRow({ item, number, merged, mostSeen, kind }: ItemOfRow, language: Language): DetailRowView {
  const { wording, figures } = language;
  const { seen, responded, ratings } = item;
  const median = merged?.medianResponseSeconds ?? null;
  const details =
    seen === null || responded === null
      ? [sayReason(item.unavailable, language)]
      : [
          ...(median === null ? [] : [wording.say('details.median', { duration: figures.duration(median) })]),
          sayRatings(item, language),
        ].filter((detail) => detail !== null);
  const counted = { answered: null, inPeriod: null, audience: null, ...merged, seen, responded };
  return {
    name: wording.say('item.name', { number: figures.count(number), type: showType(item.type, language) }),
    details: details.length === 0 ? null : details.join(wording.say('separator.details')),
    bar: viewItemBar(item, mostSeen),
    ...viewFigures(counted, { kind, namesAudience: false }, language),
    ratings: ratings === undefined || ratings === null ? null : viewRatings(merged?.histogram, language),
  };
}

/** The bar of an item is its share of the most seen one, so that it shows where people stop. */
function viewItemBar({ seen, responded }: BroadcastContent, mostSeen: number): DetailRowView['bar'] {
  return seen === null || responded === null ? null : viewEnds(responded, seen, mostSeen);
}

/** Where the two parts of a bar end, in percent of its length. */
export function viewEnds(responded: number, seen: number, whole: number): NonNullable<DetailRowView['bar']> {
  const bar = viewBar(responded, seen, whole);
  const toResponded = Number.parseInt(bar.responded ?? '0', 10);
  return { responded: `${toResponded}%`, seen: `${toResponded + Number.parseInt(bar.seen ?? '0', 10)}%` };
}
