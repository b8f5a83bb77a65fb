import type { AtAge } from '../../domain/digest.ts';
import { atAgeOf, type AtAge as EditionAtAge, type Editions, type Growth } from '../../domain/editions.ts';
import { instantText } from '../../domain/period.ts';
import type { Reading } from '../reading.ts';

/**
 * How every delivery grew that this collection or an earlier one read, by its id. What is on the list is counted anew.
 *
 * @param audienceOf how many people a delivery is for; `null` where the service contradicts itself, `undefined` where an
 *   earlier digest may know it
 */
export function growthsOf(
  { collected: { recipients, broadcasts, history }, bounds }: Reading,
  audienceOf: (delivery: string, listed: number) => number | null | undefined,
): ReadonlyMap<string, Growth> {
  const growths = new Map<string, Growth>();
  for (const [id, { growth }] of history?.deliveries ?? []) if (growth !== undefined) growths.set(id, growth);
  for (const { delivery, engagement, curve } of recipients) {
    if (engagement?.firstSign == null || engagement.firstSign >= bounds.end) continue;
    const { id, name } = delivery.broadcast;
    const audience = audienceOf(delivery.id, engagement.listed);
    const known = growths.get(delivery.id);
    growths.set(delivery.id, {
      broadcast: { id, name: broadcasts.get(id)?.broadcast?.name ?? name },
      firstSign: engagement.firstSign,
      audience: audience === undefined ? (known?.audience ?? null) : audience,
      // Where too many dates cannot be read, what was known before stands, or nothing does: its edition is compared with none.
      curve: curve ?? known?.curve ?? [],
    });
  }
  return growths;
}

/**
 * What an edition had at the oldest age that all of it has reached, beside earlier editions at that age. `null` where the
 * deliveries are not one whole edition, or a delivery's growth is not known, or it is too young.
 */
export function atAgeOfEdition(deliveries: readonly string[], editions: Editions, timeZone: string): AtAge | null {
  const [edition, ...others] = new Set(deliveries.map((id) => editions.of(id)));
  if (edition == null || others.length > 0 || edition.deliveries.length > deliveries.length) return null;
  const [hours] = edition.curve.at(-1) ?? [];
  const now = hours === undefined ? null : atAgeOf(edition, hours);
  if (hours === undefined || now === null) return null;
  const view = ({ firstSign, ...counts }: EditionAtAge) => ({ firstSign: instantText(firstSign, timeZone), ...counts });
  const usual = editions.usualOf(edition, hours);
  const earlier = editions.viewsOf(edition, hours);
  return {
    hours,
    ...view(now),
    usual: usual && { ...usual, editions: usual.editions.map(view) },
    earlier: earlier && { ...earlier, editions: earlier.editions.map(view) },
  };
}
