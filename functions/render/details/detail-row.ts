import type { Engaged } from '../../domain/broadcasts/digest-broadcast.ts';
import type { PeriodKind } from '../../domain/period.ts';
import type { Language } from '../texts/language.ts';
import type { RatingsView } from './ratings.ts';

/** A figure to date, with its share and what came in the period. */
export interface FigureView {
  figure: string;
  details: string | null;
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
  inPeriod: Engaged | null;
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
}

/** Both figures of a row. A list without anybody has no share, and one without a response has no rate. */
export function viewFigures(
  { seen, responded, inPeriod, audience }: Counted,
  { kind, namesAudience }: { kind: PeriodKind; namesAudience: boolean },
  language: Language,
): Pick<DetailRowView, 'seen' | 'responded'> {
  const { wording, figures } = language;
  if (seen === null || responded === null) {
    const none = { figure: wording.say('figure.none'), details: null };
    return { seen: none, responded: none };
  }
  const count = figures.count(seen);
  const known = audience === null || audience === 0 ? null : audience;
  const ofAudience =
    known === null || !namesAudience
      ? count
      : wording.say('deliveries.seenOf', { seen: count, audience: figures.count(known) });
  return {
    seen: {
      figure: ofAudience,
      details: sayDetails(known === null ? null : seen / known, inPeriod?.seen ?? null, kind, language),
    },
    responded: {
      figure: figures.count(responded),
      details: sayDetails(
        responded === 0 || seen === 0 ? null : responded / seen,
        inPeriod?.responded ?? null,
        kind,
        language,
      ),
    },
  };
}

/** A share, and what came in the period: "39% · 30 this week". */
function sayDetails(
  share: number | null,
  inPeriod: number | null,
  kind: PeriodKind,
  { wording, figures }: Language,
): string | null {
  const details = [
    ...(share === null ? [] : [figures.rate(share)]),
    ...(inPeriod === null ? [] : [wording.say(`inPeriod.${kind}`, { count: figures.count(inPeriod) })]),
  ];
  return details.length === 0 ? null : details.join(wording.say('separator.details'));
}
