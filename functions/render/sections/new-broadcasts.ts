import type { BroadcastContent, DigestBroadcast } from '../../domain/digest.ts';
import { addUp, figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { joinFacts } from '../texts/language.ts';
import { linkToBroadcast, sayReason, showName, showType } from '../texts/names.ts';
import { sayViewsAndResponses, scaleOf, viewLegend, viewTable } from './figures.ts';
import { sayMean, sayUnavailable, whyWithoutItems } from './items.ts';
import { findNeeds } from './needs.ts';

/** The broadcasts whose first sign was in the period, a row each with its content items in one line; `null` for none. */
export function viewNewBroadcasts(input: SectionInput) {
  const { digest, limits, mail, page, wording, figures } = input;
  const broadcasts = inOrder(input);
  const shown = broadcasts.slice(0, limits.broadcasts);
  if (shown.length === 0) return null;
  const scale = scaleOf(shown, digest);
  const rows = shown.map((broadcast) => ({
    name: showName(broadcast, input),
    detail: null,
    figures: figuresOf(broadcast, digest),
    link: page ? null : linkToBroadcast(mail.broadcastLink, broadcast),
    items: sayItems(broadcast, input),
  }));
  return {
    heading: wording.say('new.heading'),
    note: wording.count(`new.note.${digest.period.kind}`, broadcasts.length, {
      period: figures.period(digest.period, 'short'),
    }),
    legend: viewLegend(shown, scale, input),
    ...viewTable(wording.say('column.broadcast'), { rows, scale }, input),
    more: sayMore(broadcasts.slice(shown.length), input),
  };
}

/** First what needs somebody, then by views; what lacks figures last. */
function inOrder({ digest }: SectionInput): DigestBroadcast[] {
  const needs = findNeeds(digest).map(({ broadcast }) => broadcast);
  const rank = (broadcast: DigestBroadcast): number =>
    needs.includes(broadcast) ? needs.indexOf(broadcast) - needs.length : 0;
  return digest.broadcasts
    .filter(({ kind }) => kind === 'new')
    .toSorted(
      (one, other) => rank(one) - rank(other) || lacks(one) - lacks(other) || (other.seen ?? 0) - (one.seen ?? 0),
    );
}

/** 2 where its figures are missing, 1 where those of its content items are. */
function lacks({ seen, contents }: DigestBroadcast): number {
  return seen === null ? 2 : Number(contents === null || contents.some((item) => item.seen === null));
}

/** Its content items in the author's order, "Video 63 · Quiz 51, 23 responded", and why some are missing; or why it has no figures. */
function sayItems(broadcast: DigestBroadcast, input: SectionInput): string {
  const { contents, seen, unavailable } = broadcast;
  const { limits, wording } = input;
  if (seen === null) return wording.say('facts.unavailable', { reason: sayReason(unavailable, input) });
  if (contents === null) {
    return wording.say('items.none', { reason: sayReason(whyWithoutItems(broadcast, input), input) });
  }
  const counted = contents.filter((item) => item.seen !== null || item.responded !== null);
  const items = counted.slice(0, limits.items).map((item) => sayItem(item, input));
  const more = counted.length - items.length;
  const all = [...items, more > 0 ? wording.count('items.more', more) : null];
  const missing = sayUnavailable(contents, input);
  return joinFacts([joinFacts(all, wording.say('separator.items')), ...missing], wording.say('separator.items')) ?? '';
}

/** Who saw an item; then, each with its word, who responded, or what its ratings are. */
function sayItem(item: BroadcastContent, input: SectionInput): string {
  const { wording, figures } = input;
  const { seen, responded } = item;
  const name = wording.say('item.seen', {
    type: showType(item.type, input),
    seen: seen === null ? wording.say('figure.none') : figures.count(seen),
  });
  const answers = responded === null || responded === 0 ? null : wording.count('count.responded', responded);
  return joinFacts([name, sayMean(item, input) ?? answers], wording.say('separator.list')) ?? '';
}

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
function sayMore(broadcasts: readonly DigestBroadcast[], input: SectionInput): string | null {
  if (broadcasts.length === 0) return null;
  const { inPeriod } = figuresOf({ ...addUp(broadcasts), asks: null }, input.digest);
  const counted = input.wording.count('more.broadcasts', broadcasts.length);
  const sums = inPeriod && sayViewsAndResponses(inPeriod, input);
  return sums === null ? counted : input.wording.say('more.sum', { broadcasts: counted, sums });
}
