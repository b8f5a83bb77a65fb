import type { Digest, DigestDelivery } from '../../../domain/digest.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';

/** Below this many views a rate says more about chance than about a broadcast. */
const VIEWS_FOR_A_RATE = 10;
/** The most names in one sentence. */
const NAMES = 3;
/** The longest name in a sentence. The delivery's row has the whole of it. */
const NAME_IN_SENTENCE = 60;

/** A heading and its sentences. */
export interface HighlightView {
  heading: string;
  lines: string[];
}

/**
 * What worked, what did not, and what needs attention, at most a sentence each: what a manager asks first. What the
 * figures do not support is left out, so the list may be empty.
 */
export function viewHighlights({ deliveries }: Digest, language: Language): HighlightView[] {
  const { wording } = language;
  const [best, least] = findBestAndLeast(deliveries, language);
  const views = [
    { heading: wording.say('highlights.worked'), lines: best === null ? [] : [sayRate('best', best, language)] },
    { heading: wording.say('highlights.failed'), lines: least === null ? [] : [sayRate('least', least, language)] },
    { heading: wording.say('highlights.attention'), lines: sayWhatNeedsAttention(deliveries, language) },
  ];
  return views.filter(({ lines }) => lines.length > 0);
}

/** A delivery with enough views for its rate to mean something. */
type Rated = { delivery: DigestDelivery; seen: number; rate: number };

/** The deliveries with the highest and the lowest rate to date. `null` where one says nothing, or the same as the other. */
function findBestAndLeast(
  deliveries: readonly DigestDelivery[],
  { figures }: Language,
): [best: Rated | null, least: Rated | null] {
  const rated = deliveries.flatMap((delivery): Rated[] => {
    const { seen, responseRate } = delivery;
    if (seen === null || responseRate === null || seen < VIEWS_FOR_A_RATE) return [];
    return [{ delivery, seen, rate: responseRate }];
  });
  // Between equal rates the first of the mail wins, which has the most views.
  const [best] = rated.toSorted((one, other) => other.rate - one.rate);
  const [least] = rated.toSorted((one, other) => one.rate - other.rate);
  if (best === undefined || least === undefined || best.rate === 0) return [null, null];
  return [best, figures.rate(least.rate) === figures.rate(best.rate) ? null : least];
}

function sayRate(which: 'best' | 'least', { delivery, seen, rate }: Rated, language: Language): string {
  const { wording, figures } = language;
  const values = {
    name: sayName(delivery, language),
    rate: figures.rate(rate),
    views: wording.count('count.views', seen),
  };
  const sentence = wording.say(`highlights.${which}`, values);
  return delivery.stillCounting ? wording.say('highlights.stillCounting', { sentence }) : sentence;
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

function sayName({ broadcast }: DigestDelivery, { wording }: Language): string {
  const name = showForeignText(broadcast.name, NAME_IN_SENTENCE);
  return name === null ? wording.say('name.none') : wording.say('name.quoted', { name });
}
