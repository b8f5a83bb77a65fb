import { rateOf, type Bounds, type Counted, type Engaged } from './oracle-lists.ts';

export interface KnownTotals extends Engaged {
  deliveries: number;
  responseRate: number | null;
}

/** The part of a delivery that counts for the figures of a period. */
interface Dated {
  counted: Counted | null;
  firstSign: number | null;
}

/** The figures of the period over complete answers. */
export function totalsOf(deliveries: ReadonlyArray<Dated & { kind: string | null }>): KnownTotals {
  const news = deliveries.filter(({ kind }) => kind === 'new').length;
  return sumOf(
    news,
    deliveries.map(({ counted }) => counted?.inPeriod ?? { seen: 0, responded: 0 }),
  );
}

function sumOf(deliveries: number, engaged: readonly Engaged[]): KnownTotals {
  const seen = engaged.reduce((sum, each) => sum + each.seen, 0);
  const responded = engaged.reduce((sum, each) => sum + each.responded, 0);
  return { deliveries, seen, responded, responseRate: rateOf({ seen, responded }) };
}

/** The same counts for the period before, where the list reaches back beyond it. */
export function previousOf(wanted: readonly Dated[], { precedingStart, start }: Bounds): KnownTotals | null {
  const reachesBack = wanted.some(({ firstSign }) => firstSign !== null && firstSign < precedingStart);
  if (!reachesBack || wanted.some(({ counted }) => counted === null)) return null;
  const news = wanted.filter(
    ({ counted, firstSign }) =>
      counted !== null && counted.seen + counted.responded > 0 && isWithin(firstSign, precedingStart, start),
  );
  return sumOf(
    news.length,
    wanted.flatMap(({ counted }) => (counted === null ? [] : [counted.inPrecedingPeriod])),
  );
}

function isWithin(instant: number | null, from: number, to: number): boolean {
  return instant !== null && instant >= from && instant < to;
}

/** The list begins where its earliest delivery does, which is known where each has a first sign. */
export function beginningOf(wanted: readonly Dated[]): number | null {
  const signs = wanted.map(({ firstSign }) => firstSign);
  return signs.length === 0 || signs.includes(null) ? null : Math.min(...signs.map((sign) => sign ?? 0));
}
