import type { Engaged } from '../../domain/broadcasts/digest-broadcast.ts';
import type { PeriodKind } from '../../domain/period.ts';
import type { Language } from '../texts/language.ts';
import { lacksViews } from '../texts/views.ts';
import type { RatingsView } from './ratings.ts';

/** A figure to date with its share, and what came of it in the period. */
export interface FigureView {
  figure: string;
  inPeriod: string | null;
}

/** A content item or a delivery of a broadcast. */
export interface DetailRowView {
  name: string;
  details: string | null;
  /** How far the bar of those who responded goes, and that of those who saw it, in percent; `null` for no bar. */
  bar: { responded: string; seen: string } | null;
  seen: FigureView;
  responded: FigureView;
  ratings: RatingsView | null;
}

/** The figures of one list of recipients: to date, of how many people, and within the period. */
export interface Counted {
  seen: number | null;
  responded: number | null;
  /** Of those who saw it, how many responded. */
  answered: number | null;
  inPeriod: Engaged | null;
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
}

/** Both figures of a row. Nothing is a share of an audience that is not known, or a rate where nobody responded. */
export function viewFigures(
  { seen, responded, answered, inPeriod, audience }: Counted,
  { kind, namesAudience }: { kind: PeriodKind; namesAudience: boolean },
  language: Language,
): Pick<DetailRowView, 'seen' | 'responded'> {
  const { wording, figures } = language;
  if (seen === null || responded === null) {
    const none = { figure: wording.say('figure.none'), inPeriod: null };
    return { seen: none, responded: none };
  }
  const known = audience === null || audience === 0 ? null : audience;
  const views =
    known === null || !namesAudience
      ? figures.count(seen)
      : wording.say('deliveries.seenOf', { seen: figures.count(seen), audience: figures.count(known) });
  const rate = responded === 0 || seen === 0 || answered === null ? null : answered / seen;
  const isSeen = !lacksViews({ seen, responded });
  return {
    seen: {
      figure: isSeen ? withShare(views, known === null ? null : seen / known, language) : wording.say('figure.none'),
      inPeriod: isSeen ? sayInPeriod(inPeriod?.seen, kind, language) : null,
    },
    responded: {
      figure: withShare(figures.count(responded), rate, language),
      inPeriod: sayInPeriod(inPeriod?.responded, kind, language),
    },
  };
}

function withShare(count: string, share: number | null, { wording, figures }: Language): string {
  return share === null ? count : wording.say('figure.share', { count, rate: figures.rate(share) });
}

function sayInPeriod(count: number | undefined, kind: PeriodKind, { wording, figures }: Language): string | null {
  return count === undefined ? null : wording.say(`inPeriod.${kind}`, { count: figures.count(count) });
}
