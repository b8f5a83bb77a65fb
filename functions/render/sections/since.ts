import type { SectionInput } from '../input.ts';
import { quoteName } from '../texts/names.ts';
import { sayOfAudience } from './figures.ts';

/** What was named last time, or warned of since, and has moved: what it had then and has now; `null` where nothing has. */
export function viewSince(input: SectionInput) {
  const { digest, limits, wording } = input;
  const deliveries = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const lines = digest.since.slice(0, limits.since).flatMap(({ delivery, ...then }) => {
    const now = deliveries.get(delivery);
    if (now === undefined) return [];
    const counts = { before: sayOfAudience(then, input), now: sayOfAudience(now, input) };
    return [wording.say('since.line', { name: quoteName(now.broadcast, input), ...counts })];
  });
  return lines.length === 0 ? null : { heading: wording.say('since.heading'), lines };
}
