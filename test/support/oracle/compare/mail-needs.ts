import type { KnownGroup } from '../groups.ts';

/** Whether the broadcast of a group has other deliveries that the report is about. */
export function isPartOfBroadcast({ deliveries, listedDeliveries }: KnownGroup): boolean {
  return listedDeliveries > deliveries.length;
}

/** What the mail says of each broadcast that needs somebody, in English. */
export function expectedNeeds(groups: readonly KnownGroup[]): string[] {
  return groups.flatMap((group) => {
    if (group.deliveries[0]?.kind === 'silent') return [sayUnseen(group)];
    const judged = group.deliveries.filter(({ isJudged }) => isJudged);
    const audience = judged.reduce((sum, each) => sum + (each.audience ?? Number.NaN), 0);
    const seen = judged.reduce((sum, { counted }) => sum + (counted?.seen ?? Number.NaN), 0);
    const saysViews = judged.every(({ counted }) => counted === null || counted.seen > 0 || counted.responded === 0);
    if (judged.length === 0 || Number.isNaN(audience + seen) || !saysViews) return [];
    const missed = audience - seen;
    const isUnderHalf = Math.round((100 * seen) / audience) < 50;
    const what = judged.length < group.deliveries.length ? nameDeliveries(judged) : 'it';
    return isUnderHalf && missed >= 10 ? [`${missed} of ${audience} people have not seen ${what}`] : [];
  });
}

function nameDeliveries(deliveries: ReadonlyArray<{ id: string }>): string {
  const ids = deliveries.map(({ id }) => id);
  const shown = ids.length > 3 ? [...ids.slice(0, 3), `${ids.length - 3} more`] : ids;
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(shown);
  return `${ids.length === 1 ? 'delivery' : 'deliveries'} ${list}`;
}

function sayUnseen(group: KnownGroup): string {
  const { deliveries, audience } = group;
  const what = isPartOfBroadcast(group) ? nameDeliveries(deliveries) : 'it';
  if (audience === null || audience === 0) return `nobody has seen ${what}`;
  return audience === 1 ? `the 1 person it is for has not seen ${what}` : `none of ${audience} people has seen ${what}`;
}
