import type { Account } from '../accounts/account.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import { asksOf } from './groups.ts';
import { rateOf, type Bounds, type Counted, type Engaged } from './lists.ts';

export interface KnownTotals extends Engaged {
  deliveries: number;
  /** Broadcasts of the new deliveries. */
  broadcasts: number;
  /** Of what asks for a response; `null` where it is not known of something that was engaged with. */
  asked: Engaged | null;
  responseRate: number | null;
}

/** The part of a delivery that counts for the figures of a period. */
interface Dated {
  id: string;
  counted: Counted | null;
  firstSign: number | null;
  broadcast: Pick<KnownBroadcast, 'id' | 'items'>;
}

/** The figures of the period over complete answers. */
export function totalsOf(deliveries: ReadonlyArray<Dated & { kind: string | null }>, account: Account): KnownTotals {
  const news = deliveries.filter(({ kind }) => kind === 'new');
  return sumOf(news, deliveries, 'inPeriod', account);
}

function total(those: readonly Engaged[]): Engaged {
  return {
    seen: those.reduce((sum, each) => sum + each.seen, 0),
    responded: those.reduce((sum, each) => sum + each.responded, 0),
  };
}

function sumOf(
  news: readonly Dated[],
  all: readonly Dated[],
  when: 'inPeriod' | 'inPrecedingPeriod',
  account: Account,
): KnownTotals {
  const engaged = all.map(({ counted, broadcast }) => ({
    ...(counted?.[when] ?? { seen: 0, responded: 0 }),
    asks: asksOf(broadcast.items, account),
  }));
  const isUnsure = engaged.some(({ asks, seen, responded }) => asks === null && (seen > 0 || responded > 0));
  const asked = isUnsure ? null : total(engaged.filter(({ asks }) => asks === true));
  const names = new Set(
    news.map(({ id, broadcast }) => (broadcast.id === '' ? `delivery ${id}` : `id ${broadcast.id}`)),
  );
  return {
    deliveries: news.length,
    broadcasts: names.size,
    ...total(engaged),
    asked,
    responseRate: asked === null ? null : rateOf(asked),
  };
}

/** The same counts for the period before, where the list reaches back beyond it. */
export function previousOf(
  wanted: readonly Dated[],
  { precedingStart, start }: Bounds,
  account: Account,
): KnownTotals | null {
  const reachesBack = wanted.some(({ firstSign }) => firstSign !== null && firstSign < precedingStart);
  if (!reachesBack || wanted.some(({ counted }) => counted === null)) return null;
  const news = wanted.filter(
    ({ counted, firstSign }) =>
      counted !== null && counted.seen + counted.responded > 0 && isWithin(firstSign, precedingStart, start),
  );
  return sumOf(news, wanted, 'inPrecedingPeriod', account);
}

function isWithin(instant: number | null, from: number, to: number): boolean {
  return instant !== null && instant >= from && instant < to;
}

/** The list begins where its earliest delivery does, which is known where each has a first sign. */
export function beginningOf(wanted: ReadonlyArray<Pick<Dated, 'firstSign'>>): number | null {
  const signs = wanted.map(({ firstSign }) => firstSign);
  return signs.length === 0 || signs.includes(null) ? null : Math.min(...signs.map((sign) => sign ?? 0));
}
