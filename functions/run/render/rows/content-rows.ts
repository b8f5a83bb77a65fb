import type { DigestContent, Ratings } from '../../../domain/digest.ts';
import { memoize } from '../../../domain/memoize.ts';
import { showForeignText, showWord } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';

/** Ratings on a longer scale than this are shown as count and mean alone. */
const HISTOGRAM_ROWS = 11;

/** The figures of one row. */
export interface RowView {
  seen: string;
  responded: string;
  rate: string;
}

/** The ratings of a content item: a sentence, and a bar for each rating, highest first. */
export interface RatingsView {
  mean: string;
  histogram: { rating: string; count: string; bar: string | null }[];
}

/** One content item; `figures` is `null` beside `unavailable`. */
export interface ContentView {
  name: string;
  figures: RowView | null;
  details: string | null;
  ratings: RatingsView | null;
  unavailable: string | null;
}

/** The row of a content item, the `index`-th of its delivery; `inPeriod` is the label of the period's figures. */
export function viewContent(content: DigestContent, index: number, inPeriod: string, language: Language): ContentView {
  const { wording } = language;
  const row = viewRow(content, language);
  return {
    name: nameContent(language)(content, index),
    figures: row,
    details: row && sayDetails(content, inPeriod, language),
    ratings: content.ratings ? viewRatings(content.ratings, language) : null,
    unavailable:
      row && !content.unavailable
        ? null
        : wording.say('content.unavailable', { reason: sayReason(content.unavailable, language) }),
  };
}

/** Memoized: there are few types, and many items of each. */
const showType = memoize((type: string) => showWord(type));

/** Names a content item, the `index`-th of its delivery, by its number and type. */
export function nameContent({ wording, figures }: Language): (content: DigestContent, index: number) => string {
  return ({ type }, index) =>
    wording.say('content.name', {
      number: figures.count(index + 1),
      type: showType(type) ?? wording.say('name.none'),
    });
}

/** Seen, responded and their rate; `null` where they are not available. */
export function viewRow(
  { seen, responded, responseRate }: Pick<DigestContent, 'seen' | 'responded' | 'responseRate'>,
  { wording, figures }: Language,
): RowView | null {
  if (seen === null || responded === null) {
    return null;
  }
  return {
    seen: figures.count(seen),
    responded: figures.count(responded),
    rate: responseRate === null ? wording.say('figure.none') : figures.rate(responseRate),
  };
}

function sayDetails(content: DigestContent, inPeriod: string, { wording, figures }: Language): string | null {
  const { listed, medianResponseSeconds, reach, undated } = content;
  const engaged = content.inPeriod;
  const sentences = [];
  // Where all of it was in the period, the row itself shows the same figures.
  if (engaged && (engaged.seen !== content.seen || engaged.responded !== content.responded)) {
    const seen = figures.count(engaged.seen);
    sentences.push(wording.say('content.inPeriod', { inPeriod, seen, responded: figures.count(engaged.responded) }));
  }
  if (reach !== null && listed !== null) {
    sentences.push(wording.say('content.reach', { reach: figures.rate(reach), listed: figures.count(listed) }));
  }
  if (medianResponseSeconds !== null) {
    sentences.push(wording.say('content.median', { duration: figures.duration(medianResponseSeconds) }));
  }
  if (undated > 0) {
    sentences.push(wording.count('delivery.undated', undated));
  }
  return sentences.length === 0 ? null : sentences.join(wording.say('separator.sentences'));
}

function viewRatings(ratings: Ratings, { wording, figures }: Language): RatingsView {
  const { count, mean, histogram, unreadable } = ratings;
  const parts = [
    mean === null
      ? wording.count('ratings.count', count)
      : wording.count('ratings.mean', count, { mean: figures.mean(mean) }),
    ...(unreadable === undefined ? [] : [wording.count('ratings.unreadable', unreadable)]),
  ];
  const rows = Object.entries(histogram).toSorted(([one], [other]) => Number(other) - Number(one));
  const longest = Math.max(1, ...rows.map(([, times]) => times));
  return {
    mean: parts.join(wording.say('separator.details')),
    histogram: (rows.length > HISTOGRAM_ROWS ? [] : rows).map(([rating, times]) => ({
      rating: showForeignText(rating, 12) ?? wording.say('name.none'),
      count: figures.count(times),
      bar: viewBar(times / longest),
    })),
  };
}

/** The length of a bar: at least 1% above zero, 100% only from one on. Above one: responding needs no view. */
export function viewBar(ratio: number): string | null {
  if (ratio <= 0) return null;
  return `${ratio >= 1 ? 100 : Math.min(99, Math.max(1, Math.round(ratio * 100)))}%`;
}
