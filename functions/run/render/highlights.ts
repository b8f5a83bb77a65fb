import type { Digest, DigestDelivery } from '../../digest.ts';
import { showForeignText } from './foreign-text.ts';
import type { Language } from './language.ts';

/** Below this many views a rate says more about chance than about a broadcast. */
const VIEWS_FOR_A_RATE = 10;
/** Names in one sentence. */
const NAMES = 3;
/** A name in a sentence is shorter than in its row, where the whole of it stands. */
const NAME_IN_SENTENCE = 60;

/** A heading and its sentences. */
export interface HighlightView {
  heading: string;
  lines: string[];
}

/** What worked, and what needs the reader: the answers to what a manager asks first. Without any, an empty list. */
export function viewHighlights({ deliveries }: Digest, language: Language): HighlightView[] {
  const { wording } = language;
  const views = [
    { heading: wording.say('highlights.worked'), lines: sayWhatWorked(deliveries, language) },
    { heading: wording.say('highlights.attention'), lines: sayWhatNeedsAttention(deliveries, language) },
  ];
  return views.filter(({ lines }) => lines.length > 0);
}

function sayWhatWorked(deliveries: readonly DigestDelivery[], language: Language): string[] {
  const { wording, figures } = language;
  const lines = [];
  const seen = highest(deliveries, ({ inPeriod }) => inPeriod?.seen ?? 0);
  if (seen) {
    const views = wording.count('count.views', seen.inPeriod?.seen ?? 0);
    lines.push(wording.say('highlights.mostViews', { name: sayName(seen, language), views }));
  }
  const answered = highest(deliveries, (delivery) =>
    (delivery.seen ?? 0) >= VIEWS_FOR_A_RATE ? (delivery.responseRate ?? 0) : 0,
  );
  if (answered) {
    const rate = figures.rate(answered.responseRate ?? 0);
    lines.push(wording.say('highlights.bestRate', { name: sayName(answered, language), rate }));
  }
  return lines;
}

function sayWhatNeedsAttention(deliveries: readonly DigestDelivery[], language: Language): string[] {
  const { wording } = language;
  const silent = deliveries.filter(({ kind }) => kind === 'silent');
  if (silent.length === 0) {
    return [];
  }
  const names = silent.slice(0, NAMES).map((delivery) => sayName(delivery, language));
  if (silent.length > NAMES) {
    names.push(wording.count('highlights.moreNames', silent.length - NAMES));
  }
  return [wording.count('highlights.silent', silent.length, { names: wording.list(names) })];
}

/** The first of those with the highest score, where any score is above zero. */
function highest(
  deliveries: readonly DigestDelivery[],
  score: (delivery: DigestDelivery) => number,
): DigestDelivery | undefined {
  let best: DigestDelivery | undefined;
  for (const delivery of deliveries) {
    if (score(delivery) > (best ? score(best) : 0)) {
      best = delivery;
    }
  }
  return best;
}

function sayName({ broadcast }: DigestDelivery, { wording }: Language): string {
  const name = showForeignText(broadcast.name, NAME_IN_SENTENCE);
  return name === null ? wording.say('name.none') : wording.say('name.quoted', { name });
}
