import type { BroadcastContent, DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import type { Unavailable } from '../../domain/reasons.ts';
import { alignRows } from '../texts/columns.ts';
import { showType } from '../texts/content-types.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';
import { lacksViews } from '../texts/views.ts';
import { pageLimits } from '../limits.ts';
import { viewBar, type BarView } from './bars.ts';
import { sayElsewhere } from './more.ts';
import type { SectionInput } from './section-input.ts';

/** One content item: its bar is its share of the most seen one. */
export interface ItemView {
  name: string;
  /** The mean of its ratings. */
  detail: string | null;
  bar: BarView;
  seen: string;
  responded: string;
}

/** The content items of a broadcast in its author's order. */
export interface ItemsView {
  columns: { item: string; seen: string; responded: string };
  rows: ItemView[];
  /** The rows for the text part. */
  lines: string[];
}

/** The content items of a broadcast with figures. */
interface Counted {
  item: BroadcastContent;
  number: number;
  seen: number;
  responded: number;
}

interface Frame extends Pick<SectionInput, 'digest' | 'elsewhere' | 'hasFile' | 'limits'> {
  /** Whether there is room for the items. */
  withItems: boolean;
}

/** The content items of a broadcast that has several, and what is not available or not shown of them. */
export function viewItems(
  broadcast: DigestBroadcast,
  frame: Frame,
  language: Language,
): { items: ItemsView | null; notes: string[] } {
  const { contents } = broadcast;
  if (contents === null) return { items: null, notes: sayNoContents(broadcast, frame.digest, language) };
  const counted = contents.flatMap((item, index): Counted[] => {
    const { seen, responded } = item;
    return seen === null || responded === null ? [] : [{ item, number: index + 1, seen, responded }];
  });
  const shown = frame.withItems ? counted.slice(0, frame.limits.items) : [];
  const isAlone = contents.length < 2;
  return {
    items: isAlone || shown.length === 0 ? null : viewRows(shown, language),
    notes: [
      ...(isAlone ? counted.flatMap(({ item }) => sayRatings(item, language) ?? []) : []),
      ...sayUnavailable(contents, language),
      ...(isAlone ? [] : sayNotShown(counted, shown.length, frame, language)),
    ],
  };
}

function viewRows(shown: readonly Counted[], language: Language): ItemsView {
  const { wording, figures } = language;
  const mostSeen = Math.max(1, ...shown.map(({ seen }) => seen));
  const rows = shown.map(({ item, number, seen, responded }) => ({
    name: wording.say('item.name', { number: figures.count(number), type: showType(item.type, language) }),
    detail: sayRatings(item, language),
    bar: viewBar(responded, seen, mostSeen),
    seen: lacksViews({ seen, responded }) ? wording.say('figure.none') : figures.count(seen),
    responded: figures.count(responded),
  }));
  const cells = shown.map(({ seen, responded }, index) => {
    const { name = '', detail = null } = rows[index] ?? {};
    return [
      detail === null ? name : [name, detail].join(wording.say('separator.list')),
      lacksViews({ seen, responded }) ? wording.say('figure.none') : wording.count('count.seen', seen),
      wording.count('count.responded', responded),
    ];
  });
  return {
    columns: {
      item: wording.say('column.item'),
      seen: wording.say('column.seen'),
      responded: wording.say('column.responded'),
    },
    rows,
    lines: alignRows(cells),
  };
}

/** The mean of an item's ratings and how many there are; `null` where nobody rated it. */
export function sayRatings({ ratings }: BroadcastContent, { wording, figures }: Language): string | null {
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

function sayNotShown(all: readonly Counted[], shown: number, frame: Frame, language: Language): string[] {
  const count = all.length - shown;
  if (count === 0) return [];
  const onPage = all.filter(({ number }) => number <= pageLimits.items).length - shown;
  const sentence = language.wording.count(shown === 0 ? 'items.all' : 'items.more', count);
  return [sayElsewhere(sentence, { count, onPage }, frame, language)];
}

/** Why there are no content items, where the broadcast was read at all. */
export function sayNoContents(
  { id, seen, unavailable }: DigestBroadcast,
  { missing }: Digest,
  language: Language,
): string[] {
  if (seen === null) return [];
  const why = missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === id);
  const reason: Unavailable | undefined = why ?? unavailable;
  return [language.wording.say('items.none', { reason: sayReason(reason, language) })];
}
