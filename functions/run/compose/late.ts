import type { Engaged } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Period } from '../../domain/period.ts';
import type { Collected } from '../collect/collected.ts';
import { figuresOfPreceding, type CountedBy, type Earlier } from '../earlier-figures.ts';

/**
 * Engagement dated before the period that no digest counted: of each listed delivery, what is dated before it now, less the
 * most that a run counted of it. `null` where that is not only what came late: it takes a complete digest of the period just
 * before, under the same filters, and none of a later period. After a change of the time zone the hours between the two
 * periods are late, too.
 */
export function composeLate(
  options: Pick<Earlier, 'earlier' | 'hasLater'> & {
    collected: Collected;
    complete: boolean;
    period: Period;
  } & CountedBy,
): Engaged | null {
  const { collected, complete, period, earlier, hasLater, filters } = options;
  const { recipients, history } = collected;
  const preceding = figuresOfPreceding(period, earlier);
  if (!complete || hasLater || history === null || !preceding?.complete || preceding.filters !== filters) return null;
  const late = { seen: 0, responded: 0 };
  for (const { delivery, engagement } of recipients) {
    const counted = history.deliveries.get(delivery.id)?.counted;
    for (const what of ['seen', 'responded'] as const) {
      late[what] += Math.max(0, (engagement?.before[what] ?? 0) - (counted?.[what] ?? 0));
    }
  }
  return late;
}
