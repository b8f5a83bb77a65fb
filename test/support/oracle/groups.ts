import type { Account } from '../accounts/account.ts';
import type { KnownContent } from './contents.ts';
import type { Answered, Engaged, Gap } from './lists.ts';
import { gapsOf, inPeriodOf } from './delivery-gaps.ts';
import type { KnownDelivery } from './known.ts';
import { atAgeOf, type KnownAtAge, type KnownGrowth } from './same-age.ts';

/** What can be known of the deliveries of one broadcast and one kind. */
export interface KnownGroup {
  /** Of the broadcast and kind; of a delivery without a broadcast's id, of itself. */
  key: string;
  deliveries: KnownDelivery[];
  asks: boolean | null;
  audience: number | null;
  counted: Answered | null;
  inPeriod: Answered | null;
  firstSign: number | null;
  atAge: KnownAtAge;
  /** The most of its deliveries'. */
  timesNamed: number;
  /** How many deliveries of the broadcast are listed with a wanted status. */
  listedDeliveries: number;
  contents: KnownItem[] | null;
  /** Why something of it is not known: each is true. */
  gaps: Gap[];
}

/** A content item over several deliveries. */
interface KnownItem {
  id: string;
  type: string;
  counted: Engaged | null;
  /** `none`: nobody has rated. `null`: some ratings are not known. */
  ratings: { count: number; mean: number } | 'none' | null;
  gaps: Gap[];
}

/** The key of a group. */
export function groupKey(kind: string | null, broadcast: string, delivery: string): string {
  return JSON.stringify(broadcast === '' ? { kind, delivery } : { kind, broadcast });
}

/** The included deliveries by broadcast and kind; `wanted` are all that the list has. */
export function groupsOf(
  deliveries: readonly KnownDelivery[],
  wanted: ReadonlyArray<Pick<KnownDelivery, 'broadcast'>>,
  { account, growths }: { account: Account; growths: ReadonlyMap<string, KnownGrowth> },
): KnownGroup[] {
  const keys = deliveries.map(({ id, kind, broadcast }) => groupKey(kind, broadcast.id, id));
  return [...new Set(keys)].map((key) => {
    const group = deliveries.filter((_each, place) => keys[place] === key);
    const signs = group.map(({ firstSign }) => firstSign);
    const compared = group.filter(({ kind, isJudged }) => kind !== 'active' || isJudged);
    const id = group[0]?.broadcast.id ?? '';
    return {
      key,
      deliveries: group,
      asks: asksOf(group[0]?.broadcast.items ?? null, account),
      audience: sum(group.map(({ audience }) => audience)),
      counted: sumOf(group.map(({ counted }) => counted)),
      inPeriod: sumOf(group.map((each) => inPeriodOf(each, each.counted))),
      firstSign: signs.includes(null) ? null : Math.min(...signs.map(Number)),
      atAge: atAgeOf(
        compared.map((each) => each.id),
        growths,
        account.calendar,
      ),
      timesNamed: Math.max(...group.map(({ timesNamed }) => timesNamed)),
      listedDeliveries: id === '' ? 1 : wanted.filter(({ broadcast }) => broadcast.id === id).length,
      contents: itemsOf(group),
      gaps: group.flatMap(gapsOf),
    };
  });
}

/** Whether one of a broadcast's content items asks for a response. */
export function asksOf(items: ReadonlyArray<{ type: string }> | null, { informingTypes }: Account): boolean | null {
  const informing = new Set(informingTypes.map((type) => type.toLowerCase()));
  return items === null ? null : items.some(({ type }) => !informing.has(type.toLowerCase()));
}

function itemsOf(group: readonly KnownDelivery[]): KnownItem[] | null {
  const [first] = group;
  if (first === undefined || group.some(({ contents }) => contents === null)) return null;
  return (first.contents ?? []).map(({ id, type }) => {
    const items = group.flatMap(({ contents }) => contents?.find((item) => item.id === id) ?? []);
    return {
      id,
      type,
      counted: sumOf(items.map(({ counted }) => counted)),
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

/** A sum; `null` where a part is not known. */
export function sum(figures: ReadonlyArray<number | null>): number | null {
  let total = 0;
  for (const figure of figures) {
    if (figure === null) return null;
    total += figure;
  }
  return total;
}

function sumOf(figures: ReadonlyArray<Answered | null>): Answered | null {
  const seen = sum(figures.map((each) => each?.seen ?? null));
  const responded = sum(figures.map((each) => each?.responded ?? null));
  const answered = sum(figures.map((each) => each?.answered ?? null));
  return seen === null || responded === null || answered === null ? null : { seen, responded, answered };
}
