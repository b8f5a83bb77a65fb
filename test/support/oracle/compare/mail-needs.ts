import type { KnownGroup } from '../groups.ts';

/** Whether the broadcast of a group has other deliveries that the report is about. */
export function isPartOfBroadcast({ deliveries, listedDeliveries }: KnownGroup): boolean {
  return listedDeliveries > deliveries.length;
}

/** What the mail says of each broadcast that needs somebody, in English. */
export function expectedNeeds(groups: readonly KnownGroup[]): string[] {
  return groups.flatMap((group) => {
    const { deliveries, audience, counted } = group;
    const kind = deliveries[0]?.kind;
    if (kind === 'silent') return [sayUnseen(group)];
    if (kind !== 'new' || audience === null || counted === null) return [];
    if (deliveries.some(({ stillCounting }) => stillCounting)) return [];
    const missed = audience - counted.seen;
    const isUnderHalf = Math.round((100 * counted.seen) / audience) < 50;
    return isUnderHalf && missed >= 10 ? [`${missed} of ${audience} people have not seen it`] : [];
  });
}

function sayUnseen(group: KnownGroup): string {
  const { deliveries, audience } = group;
  const ids = deliveries.map(({ id }) => id);
  const shown = ids.length > 3 ? [...ids.slice(0, 3), `${ids.length - 3} more`] : ids;
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(shown);
  const what = isPartOfBroadcast(group) ? `${ids.length === 1 ? 'delivery' : 'deliveries'} ${list}` : 'it';
  if (audience === null || audience === 0) return `nobody has seen ${what}`;
  return audience === 1 ? `the 1 person it is for has not seen ${what}` : `none of ${audience} people has seen ${what}`;
}
