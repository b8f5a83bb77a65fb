import type { Account } from '../accounts/account.ts';
import type { KnownContent } from './contents.ts';
import type { Counted } from './lists.ts';

/** Which lists hold everybody that a delivery was for, and not only those who engaged: of items, those of some types may. */
export interface Audiences {
  deliveries: boolean;
  items: (type: string) => boolean;
}

interface Listed {
  counted: Counted | null;
  contents: ReadonlyArray<Pick<KnownContent, 'counted' | 'type'>> | null;
}

/** Decides once for all lists of a kind that were read: those of all wanted deliveries, and of the included ones' items. */
export function audiencesOf(
  wanted: ReadonlyArray<Pick<Listed, 'counted'>>,
  included: readonly Listed[],
  { deliveryRecipients, contentRecipients }: Account,
): Audiences {
  const own = wanted.flatMap(({ counted }) => counted ?? []);
  const items = included.flatMap(({ counted, contents }) =>
    (contents ?? []).flatMap(({ type, counted: item }) => (item === null ? [] : [{ type, item, own: counted }])),
  );
  const areAll = areAudience(items);
  return {
    deliveries: deliveryRecipients === 'auto' ? hasIdleRows(own) : deliveryRecipients === 'audience',
    items: (type) =>
      contentRecipients === 'auto'
        ? areAll && areAudience(items.filter((each) => each.type === type))
        : contentRecipients === 'audience',
  };
}

function areAudience(items: ReadonlyArray<{ item: Counted; own: Counted | null }>): boolean {
  const beside = items.flatMap((each) => (each.own === null ? [] : [{ item: each.item, own: each.own }]));
  // Compared in whole numbers: more than 1.02 times.
  const areLonger = 100 * listedOn(beside.map(({ item }) => item)) > 102 * listedOn(beside.map((each) => each.own));
  return areLonger && hasIdleRows(items.map(({ item }) => item));
}

function listedOn(lists: readonly Counted[]): number {
  return lists.reduce((sum, { listed }) => sum + listed, 0);
}

/** Whether at least one row in twenty is of somebody who did nothing. */
function hasIdleRows(lists: readonly Counted[]): boolean {
  const idle = lists.reduce((sum, { idleRows }) => sum + idleRows, 0);
  return idle > 0 && 20 * idle >= listedOn(lists);
}

/** seen / listed of a list that is an audience. */
export function reachOf(counted: Counted | null, isAudience: boolean): number | null {
  return isAudience && saysReach(counted) ? counted.seen / counted.listed : null;
}

/** Responses without a single view say that the service does not give views. */
function saysReach(counted: Counted | null): counted is Counted {
  return counted !== null && counted.listed > 0 && (counted.seen > 0 || counted.responded === 0);
}

/** How many people a delivery was for, where its lists agree and hold everybody who engaged. */
export function audienceOf({ counted, contents }: Listed, { deliveries, items }: Audiences): number | null {
  const ofItems = (contents ?? []).filter(({ type }) => items(type)).map((content) => content.counted);
  const lists = deliveries && saysReach(counted) ? [counted] : ofItems;
  const lengths = new Set(lists.filter(saysReach).map(({ listed }) => listed));
  const [length] = lengths;
  if (length === undefined || lengths.size > 1) return null;
  return counted !== null && counted.engagedRows > length ? null : length;
}
