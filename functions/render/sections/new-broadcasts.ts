import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Language } from '../texts/language.ts';
import { viewBroadcast, type BroadcastView } from './broadcast-block.ts';
import { sayMore } from './more.ts';
import type { SectionInput } from './section-input.ts';

/** The colours of the bars in words, where there is a bar. */
export interface LegendView {
  responded: string;
  seen: string;
  rest: string;
  /** Said where some broadcasts have no bar. */
  noBar: string | null;
}

/** Broadcasts of one kind, a block each. */
export interface BroadcastsView {
  heading: string;
  /** What is said of all of them. */
  note: string | null;
  legend: LegendView | null;
  broadcasts: BroadcastView[];
  /** Those that are not shown. */
  more: string | null;
}

/** The broadcasts whose first sign was in the period, the most seen first; `null` where nothing is new. */
export function viewNewBroadcasts(input: SectionInput, language: Language): BroadcastsView | null {
  const { digest, limits } = input;
  const all = digest.broadcasts.filter(({ kind }) => kind === 'new');
  if (all.length === 0) return null;
  const heading = language.wording.count(`new.${digest.period.kind}`, all.length);
  return viewBroadcasts(all, { heading, note: null, shown: limits.broadcasts }, input, language);
}

/** The first of some broadcasts, under a heading. */
export function viewBroadcasts(
  all: readonly DigestBroadcast[],
  { heading, note, shown }: { heading: string; note: string | null; shown: number },
  input: SectionInput,
  language: Language,
): BroadcastsView {
  const broadcasts = all
    .slice(0, shown)
    .map((broadcast, index) => viewBroadcast(broadcast, input, language, index < input.limits.withItems));
  return {
    heading,
    note,
    legend: broadcasts.some(({ bar }) => bar !== null) ? viewLegend(all.slice(0, shown), language) : null,
    broadcasts,
    more: sayMore(all.slice(shown), 'more.broadcasts', input, language),
  };
}

function viewLegend(broadcasts: readonly DigestBroadcast[], { wording }: Language): LegendView {
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: wording.say('legend.rest'),
    noBar: broadcasts.some(({ audience }) => audience === null) ? wording.say('legend.noBar') : null,
  };
}
