import type { Account } from '../accounts/account.ts';
import type { KnownContent } from './contents.ts';
import { ageOf, atAge, earlierOf, editionOf, usualOf } from './editions.ts';
import type { Earlier, EditionAtAge, Growths, Usual } from './editions.ts';
import type { Wanted } from './deliveries.ts';
import type { KnownDelivery } from './included.ts';
import { undatable, type Gap } from './lists.ts';
import { sum, sumOf, type Answered, type Counted } from './rows.ts';

/** What can be known of the deliveries of one broadcast and one kind. */
export interface KnownGroup {
  /** Of the broadcast and kind; of a delivery without a broadcast's id, of itself. */
  key: string;
  deliveries: KnownDelivery[];
  asks: boolean | null;
  audience: number | null;
  seen: number | null;
  responded: number | null;
  answered: number | null;
  inPeriod: Answered | null;
  firstSign: number | null;
  atAge: KnownAtAge;
  /** How many deliveries of the broadcast are listed whose engagement is collected. */
  listedDeliveries: number;
  contents: KnownItem[] | null;
  /** Why something of it is not known: each is true. */
  gaps: Gap[];
}

/** What the edition that a group is of had at the oldest age that all of it has reached, beside earlier ones. */
type KnownAtAge = (EditionAtAge & { hours: number; usual: Usual | null; earlier: Earlier | null }) | null;

/** A content item over several deliveries. */
interface KnownItem {
  id: string;
  type: string;
  seen: number | null;
  responded: number | null;
  /** `none`: nobody has rated. `null`: some ratings are not known. */
  ratings: { count: number; mean: number } | 'none' | null;
  gaps: Gap[];
}

/** What makes a broadcast one; a delivery without a broadcast's id is one of its own. */
export function broadcastKey(broadcast: string, delivery: string): string {
  return JSON.stringify(broadcast === '' ? { delivery } : { broadcast });
}

export function groupKey(kind: string | null, broadcast: string, delivery: string): string {
  return `${kind} ${broadcastKey(broadcast, delivery)}`;
}

/** Why something of a delivery is not known: each is true. */
export function gapsOf({ gap, viewsGap, isUndatable, broadcast }: KnownDelivery): Gap[] {
  if (gap !== null) return [gap];
  return [viewsGap, isUndatable ? undatable : null, broadcast.gap].filter((each) => each !== null);
}

/** What of a list is within the period; `null` where that is not known. */
export function inPeriodOf({ isUndatable }: KnownDelivery, counted: Counted | null): Answered | null {
  return isUndatable ? null : (counted?.inPeriod ?? null);
}

/** The included deliveries by broadcast and kind; `wanted` are all that the list has. */
export function groupsOf(
  deliveries: readonly KnownDelivery[],
  wanted: readonly Wanted[],
  { account, growths, asking }: { account: Account; growths: Growths; asking: ReadonlySet<string> },
): KnownGroup[] {
  const groups = Map.groupBy(deliveries, ({ id, kind, broadcast }) => groupKey(kind, broadcast.id, id));
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { id, broadcast } = first;
    const signs = group.map(({ firstSign }) => firstSign);
    const toDate = (what: keyof Answered): number | null => sum(group.map(({ counted }) => counted?.[what] ?? null));
    return {
      key,
      deliveries: group,
      asks: asksOf(broadcastKey(broadcast.id, id), broadcast.items, { account, asking }),
      audience: sum(group.map(({ audience }) => audience)),
      seen: toDate('seen'),
      responded: toDate('responded'),
      answered: toDate('answered'),
      inPeriod: sumOf(group.map((delivery) => inPeriodOf(delivery, delivery.counted))),
      firstSign: signs.includes(null) ? null : Math.min(...signs.map(Number)),
      atAge: atAgeOf(group, growths),
      listedDeliveries: listedOf(first, wanted),
      contents: itemsOf(group),
      gaps: group.flatMap(gapsOf),
    };
  });
}

/** How many deliveries of a delivery's broadcast are listed whose engagement is collected. */
export function listedOf({ broadcast: { id } }: Pick<Wanted, 'broadcast'>, wanted: readonly Wanted[]): number {
  return id === '' ? 1 : wanted.filter(({ broadcast }) => broadcast.id === id).length;
}

/** Deliveries that are not one whole edition are compared with nothing. */
function atAgeOf(group: readonly KnownDelivery[], growths: Growths): KnownAtAge {
  const [edition, ...others] = group.map(({ id }) => editionOf(id, growths));
  if (edition == null || others.some((other) => other?.[0] !== edition[0]) || edition.length > group.length)
    return null;
  const hours = ageOf(edition);
  if (hours === null) return null;
  const usual = usualOf(edition, hours, growths);
  return { ...atAge(edition, hours), hours, usual, earlier: earlierOf(edition, hours, growths) };
}

/** Whether a broadcast asks for a response: by the type of an item, or because it did once. */
export function asksOf(
  key: string,
  items: ReadonlyArray<{ type: string }> | null,
  { account, asking }: { account: Account; asking: ReadonlySet<string> },
): boolean | null {
  if (asking.has(key)) return true;
  const informing = new Set(account.informingTypes.map((type) => type.toLowerCase()));
  return items === null ? null : items.some(({ type }) => !informing.has(type.toLowerCase()));
}

const fewestResponses = 10;

/** The broadcasts of which ten people, and a tenth of its viewers, have responded to an item. */
export function askingIn(deliveries: readonly KnownDelivery[]): string[] {
  const groups = Map.groupBy(deliveries, ({ id, broadcast }) => broadcastKey(broadcast.id, id));
  return [...groups].flatMap(([key, group]) => {
    const items = Map.groupBy(
      group.flatMap(({ contents }) => contents ?? []),
      ({ id }) => id,
    );
    const doAsk = [...items.values()].some((all) => {
      const responded = sum(all.map(({ counted }) => counted?.responded ?? 0)) ?? 0;
      const seen = sum(all.map(({ counted }) => counted?.seen ?? 0)) ?? 0;
      return responded >= fewestResponses && 10 * responded >= seen;
    });
    return doAsk ? [key] : [];
  });
}

function itemsOf(group: readonly KnownDelivery[]): KnownItem[] | null {
  const [first] = group;
  if (first === undefined || group.some(({ contents }) => contents === null)) return null;
  return (first.contents ?? []).map(({ id, type }) => {
    const items = group.flatMap(({ contents }) => contents?.find((item) => item.id === id) ?? []);
    return {
      id,
      type,
      seen: sum(items.map(({ counted }) => counted?.seen ?? null)),
      responded: sum(items.map(({ counted }) => counted?.responded ?? null)),
      ratings: ratingsOf(items),
      gaps: items.flatMap(({ gap }) => gap ?? []),
    };
  });
}

function ratingsOf(items: readonly KnownContent[]): KnownItem['ratings'] {
  const given = items.flatMap(({ ratings }) => ratings ?? []);
  if (given.length === 0) return 'none';
  const lacking = items.some(({ ratings, counted }) => ratings === null && (counted === null || counted.responded > 0));
  if (lacking) return null;
  const count = given.reduce((total, ratings) => total + ratings.count, 0);
  return { count, mean: given.reduce((total, ratings) => total + ratings.mean * ratings.count, 0) / count };
}
