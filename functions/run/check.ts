import type { Found, ListedDelivery } from '../ledger/runs/collections.ts';
import type { History } from '../ledger/runs/digests.ts';
import type { Watched } from './earlier-figures.ts';
import type { Collected, IncludedDelivery } from './reading.ts';

const hourMs = 3_600_000;
/** What could not be judged is tried again for so long: whatever is older is no early warning. */
const triedMs = 72 * hourMs;

/**
 * How far a check is with a delivery: its first sign is not known before its recipients are read; it has not reached the age; it
 * is to be judged; it would have been, too long ago; or it was judged, or was as old when the first check looked.
 */
export type Stage = 'unknown' | 'young' | 'due' | 'late' | 'done';

/**
 * The stage of a delivery. Where nobody has seen it, it counts from the check that first listed it; where that was the first check,
 * from its first sign alone.
 *
 * @param found its recipients, once they were asked for
 */
export function stageOf(
  { id }: ListedDelivery,
  { until, warns, history: ofReport }: Watched,
  history: History | null,
  found: Found<'recipients'> | undefined,
): Stage {
  const { check, growth } = history?.deliveries.get(id) ?? {};
  if (check?.done) return 'done';
  const known = growth?.firstSign ?? ofReport?.deliveries.get(id)?.growth?.firstSign ?? null;
  const firstSign = found?.engagement === undefined ? known : found.engagement.firstSign;
  if (firstSign === null && found === undefined) return 'unknown';
  const { listedAt = history === null ? null : until } = check ?? {};
  const begins = firstSign ?? listedAt ?? Infinity;
  const due = begins + warns.afterHours * hourMs;
  if (due > until) return 'young';
  if (due <= (history?.check?.since ?? until)) return 'done';
  return until - due > triedMs ? 'late' : 'due';
}

/** What a check asks for, and what it judges once it knows the recipients of that. */
export function includeForCheck(
  { wanted, recipients, history }: Collected,
  watched: Watched,
): { toRead: ListedDelivery[]; included: IncludedDelivery[] } {
  const read = new Map(recipients.map((found) => [found.delivery.id, found]));
  const toRead = wanted.filter((each) => ['unknown', 'due'].includes(stageOf(each, watched, history, undefined)));
  const included = wanted.flatMap((delivery): IncludedDelivery[] => {
    const { id } = delivery;
    const stage = stageOf(delivery, watched, history, read.get(id));
    if (stage !== 'due' && stage !== 'late') return [];
    const found = read.get(id) ?? { delivery };
    const { engagement, curve } = found;
    const kind = engagement === undefined ? null : engagement.seen + engagement.responded === 0 ? 'silent' : 'new';
    const hasAge = curve?.some(([hours]) => hours === watched.warns.afterHours) === true;
    return [{ found, kind, datesUnreadable: kind === 'new' && !hasAge, stillCounting: false, judged: true }];
  });
  return { toRead, included };
}

/** Whether the lists of content items say how many people a delivery is for, and the deliveries' own do not. */
export function areItemsAudience({ digest }: Watched): boolean {
  const deliveries = digest?.deliveries ?? [];
  const items = deliveries.flatMap(({ contents }) => contents ?? []);
  return deliveries.every(({ reach }) => reach === null) && items.some(({ reach }) => reach !== null);
}
