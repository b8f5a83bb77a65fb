import type { Account } from '../accounts/account.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import type { KnownContent } from './contents.ts';
import { ageOf, atAge, earlierOf, editionOf, usualOf } from './editions.ts';
import type { Growths } from './editions.ts';
import { isOneOf } from './compare/differences.ts';
import type { Wanted } from './deliveries.ts';
import type { KnownDelivery } from './included.ts';
import { undatable, type Gap } from './lists.ts';
import { sum, sumOf, type Answered, type Counted } from './rows.ts';

/** Why something of a delivery is not known: each is true. */
export function gapsOf({ gap, viewsGap, isUndatable, broadcast }: KnownDelivery): Gap[] {
  if (gap !== null) return [gap];
  return [viewsGap, isUndatable ? undatable : null, broadcast.gap].filter((reason) => reason !== null);
}

/** What of a list is within the period; `null` where that is not known. */
export function inPeriodOf({ isUndatable }: KnownDelivery, counted: Counted | null): Answered | null {
  return isUndatable ? null : (counted?.inPeriod ?? null);
}

export function groupKey({ kind, id }: { kind: string | null; id: string }): string {
  return `${kind} ${id}`;
}

/** What a digest is to say of the included deliveries of one broadcast and one kind; `wanted` are all that the list has. */
export function groupsOf(
  deliveries: readonly KnownDelivery[],
  wanted: readonly Wanted[],
  { account, growths, asking }: { account: Account; growths: Growths; asking: ReadonlySet<string> },
): Map<string, object> {
  const groups = new Map<string, object>();
  const grouped = Map.groupBy(deliveries, ({ kind, broadcast }) => groupKey({ kind, id: broadcast.id }));
  for (const [key, group] of grouped) {
    const [first] = group;
    if (first === undefined) continue;
    const { id, name, createdAt, createdBy } = first.broadcast;
    const signs = group.map(({ firstSign }) => firstSign);
    const toDate = (figure: keyof Answered): number | null =>
      sum(group.map(({ counted }) => counted?.[figure] ?? null));
    groups.set(key, {
      id,
      name,
      createdAt,
      createdBy,
      kind: first.kind,
      asks: asksOf(first.broadcast, { account, asking }),
      audience: sum(group.map(({ audience }) => audience)),
      seen: toDate('seen'),
      responded: toDate('responded'),
      answered: toDate('answered'),
      inPeriod: sumOf(group.map((delivery) => inPeriodOf(delivery, delivery.counted))),
      firstSign: signs.includes(null) ? null : Math.min(...signs.map(Number)),
      stillCounting: group.some(({ stillCounting }) => stillCounting),
      atAge: atAgeOf(group, growths),
      deliveries: new Set(group.map((delivery) => delivery.id)),
      listedDeliveries: listedOf(first, wanted),
      contents: itemsOf(group),
      unavailable: isOneOf(group.flatMap(gapsOf)),
    });
  }
  return groups;
}

/** How many deliveries of a delivery's broadcast are listed whose engagement is collected. */
export function listedOf({ broadcast: { id } }: Pick<Wanted, 'broadcast'>, wanted: readonly Wanted[]): number {
  return wanted.filter(({ broadcast }) => broadcast.id === id).length;
}

/**
 * What the edition that a group is of had at the oldest age that all of it has reached, beside earlier ones. Deliveries that are not
 * one whole edition are compared with nothing.
 */
function atAgeOf(group: readonly KnownDelivery[], growths: Growths): object | null {
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
  { id, items }: Pick<KnownBroadcast, 'id' | 'items'>,
  { account, asking }: { account: Account; asking: ReadonlySet<string> },
): boolean | null {
  if (asking.has(id)) return true;
  const informing = new Set(account.informingTypes.map((type) => type.toLowerCase()));
  return items === null ? null : items.some(({ type }) => !informing.has(type.toLowerCase()));
}

const fewestResponses = 10;

/** The broadcasts of which ten people, and a tenth of its viewers, have responded to an item. */
export function askingIn(deliveries: readonly KnownDelivery[]): string[] {
  const groups = Map.groupBy(deliveries, ({ broadcast }) => broadcast.id);
  return [...groups].flatMap(([key, group]) => {
    const items = Map.groupBy(
      group.flatMap(({ contents }) => contents ?? []),
      ({ id }) => id,
    );
    const doAsk = [...items.values()].some((lists) => {
      const responded = sum(lists.map(({ counted }) => counted?.responded ?? 0)) ?? 0;
      const seen = sum(lists.map(({ counted }) => counted?.seen ?? 0)) ?? 0;
      return responded >= fewestResponses && 10 * responded >= seen;
    });
    return doAsk ? [key] : [];
  });
}

/** Content items over several deliveries. */
function itemsOf(group: readonly KnownDelivery[]): object[] | null {
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
      unavailable: isOneOf(items.flatMap(({ gap }) => gap ?? [])),
    };
  });
}

/** Nothing where nobody has rated, or some ratings are not known. */
function ratingsOf(items: readonly KnownContent[]): object | null {
  const summaries = items.flatMap(({ ratings }) => ratings ?? []);
  const lacking = items.some(({ ratings, counted }) => ratings === null && (counted === null || counted.responded > 0));
  if (lacking || summaries.length === 0) return null;
  const count = summaries.reduce((total, ratings) => total + ratings.count, 0);
  return { count, mean: summaries.reduce((total, ratings) => total + ratings.mean * ratings.count, 0) / count };
}
