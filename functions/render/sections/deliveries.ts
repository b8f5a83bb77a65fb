import { audienceOf } from '../../domain/broadcasts/audience.ts';
import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { lacksViews } from '../texts/views.ts';
import type { SectionInput } from './section-input.ts';

/**
 * The deliveries of a broadcast in one line, each with how many saw it and when it was first seen; `null` where there is only
 * one.
 */
export function sayDeliveries(
  broadcast: DigestBroadcast,
  { digest, limits }: Pick<SectionInput, 'digest' | 'limits'>,
  language: Language,
): string | null {
  const { length: count } = broadcast.deliveries;
  if (count < 2) return null;
  const { wording } = language;
  const shown = digest.deliveries.filter(({ id }) => broadcast.deliveries.includes(id)).slice(0, limits.deliveries);
  const items = shown.map((delivery, index) => sayDelivery(delivery, index === 0, digest.period.start, language));
  if (count > limits.deliveries) items.push(wording.count('more.count', count - limits.deliveries));
  return wording.say('deliveries.line', {
    deliveries: wording.count('count.deliveries', count),
    items: items.join(wording.say('separator.list')),
  });
}

/** What the figures are is said once, at the first of them. */
function sayDelivery(delivery: DigestDelivery, first: boolean, near: string, { wording, figures }: Language): string {
  const { seen, firstSign } = delivery;
  const audience = audienceOf(delivery);
  const hasViews = seen !== null && !lacksViews(delivery);
  const count = hasViews ? figures.count(seen) : wording.say('figure.none');
  const shown =
    audience === null || audience === 0 || !hasViews
      ? count
      : wording.say('deliveries.seenOf', { seen: count, audience: figures.count(audience) });
  if (firstSign === null || !hasViews) return first ? wording.say('deliveries.firstUndated', { seen: shown }) : shown;
  const values = { seen: shown, date: figures.day(firstSign, near) };
  return wording.say(first ? 'deliveries.first' : 'deliveries.other', values);
}
