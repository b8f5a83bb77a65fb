import { audienceOf } from '../../domain/broadcasts.ts';
import type { DigestBroadcast, DigestDelivery } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { sayReason, showStatus } from '../texts/names.ts';
import { lacksViews, sayOfAudience, viewEnds, viewFigures } from './figures.ts';

/** The deliveries of a broadcast, in the digest's order. */
export function deliveriesOf({ deliveries }: DigestBroadcast, { digest }: SectionInput): DigestDelivery[] {
  const own = new Set(deliveries);
  return digest.deliveries.filter(({ id }) => own.has(id));
}

/**
 * The deliveries of a broadcast in one line of a mail, each with how many saw it and when it was first seen; `null` where there is only
 * one.
 */
export function sayDeliveries(broadcast: DigestBroadcast, input: SectionInput): string | null {
  const { limits, wording } = input;
  const { length: count } = broadcast.deliveries;
  if (count < 2) return null;
  const shown = deliveriesOf(broadcast, input).slice(0, limits.deliveries);
  const items = shown.map((delivery, index) => sayDelivery(delivery, index === 0, input));
  if (count > limits.deliveries) items.push(wording.count('more.count', count - limits.deliveries));
  return wording.say('deliveries.line', {
    deliveries: wording.count('count.deliveries', count),
    items: items.join(wording.say('separator.list')),
  });
}

/** What the figures are is said once, at the first of them. */
function sayDelivery(delivery: DigestDelivery, first: boolean, input: SectionInput): string {
  const { digest, wording, figures } = input;
  const { seen, firstSign } = delivery;
  const hasViews = seen !== null && !lacksViews(delivery);
  const shown = hasViews ? sayOfAudience(seen, audienceOf(delivery), input) : wording.say('figure.none');
  if (firstSign === null || !hasViews) return first ? wording.say('deliveries.firstUndated', { seen: shown }) : shown;
  const values = { seen: shown, date: figures.day(firstSign, digest.period.start) };
  return wording.say(first ? 'deliveries.first' : 'deliveries.other', values);
}

/** A delivery as a row of a page's table. */
export function viewDeliveryRow(delivery: DigestDelivery, input: SectionInput) {
  const { digest, report, wording } = input;
  const { id, status, seen, responded, unavailable } = delivery;
  const audience = audienceOf(delivery);
  const isUnread = seen === null || responded === null;
  const details = [
    sayFirstSeen(delivery, input),
    delivery.stillCounting ? wording.say('details.stillCounting') : null,
    report.statuses.length > 1 ? sayStatuses([status], input) : null,
    sayMedian(delivery.medianResponseSeconds, input),
    isUnread || unavailable !== undefined ? sayReason(unavailable, input) : null,
  ];
  return {
    name: wording.say('delivery.name', { id: showForeignText(id, 40) ?? wording.say('name.none') }),
    details: joinFacts(details, wording.say('separator.details')),
    bar: audience === null || isUnread ? null : viewEnds(responded, seen, audience),
    ...viewFigures({ ...delivery, audience }, { kind: digest.period.kind, namesAudience: true }, input),
    ratings: null,
  };
}

/** Median time from seen to responded; `null` where it is not known. */
export function sayMedian(seconds: number | null, { wording, figures }: Language): string | null {
  return seconds === null ? null : wording.say('details.median', { duration: figures.duration(seconds) });
}

/** When a delivery or broadcast was first seen; `null` where that is not known. */
export function sayFirstSeen(
  of: { firstSign: string | null; seen: number | null; responded: number | null },
  { digest, wording, figures }: SectionInput,
): string | null {
  if (of.firstSign === null || lacksViews(of)) return null;
  return wording.say('details.firstSeen', { date: figures.day(of.firstSign, digest.period.start) });
}

/** The statuses of deliveries, each once; `null` where none can be shown. */
export function sayStatuses(statuses: readonly string[], language: Language): string | null {
  const { wording } = language;
  const shown = [...new Set(statuses.flatMap((status) => showStatus(status, language) ?? []))];
  return shown.length === 0 ? null : wording.say('details.status', { status: wording.list(shown) });
}
