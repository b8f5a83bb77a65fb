import { seriesOf } from '../../../functions/domain/series.ts';
import { calendarBefore, type Calendar } from '../accounts/calendars.ts';
import { dating } from '../dating.ts';
import type { Audiences } from './audience.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import type { KnownDelivery } from './known.ts';
import type { Counted, Engaged } from './lists.ts';

/** How a delivery grew, as the last run knew it that could read all of its dates. */
export interface KnownGrowth {
  broadcast: Pick<KnownBroadcast, 'id' | 'name'>;
  firstSign: number;
  audience: number | null;
  growth: Map<number, Engaged>;
}

/** What a broadcast's deliveries had at an age, beside what is usual of its series. */
export type KnownAtAge = (Engaged & { hours: number; usual: KnownUsual | null }) | null;

type KnownUsual = Engaged & { of: number; share: number | null; editions: KnownEarlier[] };
type KnownEarlier = Engaged & { firstSign: number; audience: number | null };

/** By delivery: of this run's lists where they can be read, else as an earlier run left it. */
export function growthsOf(
  wanted: ReadonlyArray<{ id: string; broadcast: KnownBroadcast; counted: Counted | null }>,
  included: ReadonlyArray<Pick<KnownDelivery, 'id' | 'audience'>>,
  { audiences, before }: { audiences: Audiences; before: ReadonlyMap<string, KnownGrowth> | undefined },
): Map<string, KnownGrowth> {
  const growths = new Map(before);
  for (const { id, broadcast, counted } of wanted) {
    if (counted === null || counted.growth === null || counted.firstSign === null) continue;
    const shown = included.find((each) => each.id === id);
    const ofOthers = audiences.deliveries ? counted.listed : (before?.get(id)?.audience ?? null);
    const audience = shown === undefined ? ofOthers : shown.audience;
    growths.set(id, { broadcast, firstSign: counted.firstSign, audience, growth: counted.growth });
  }
  return growths;
}

/** Deliveries of a broadcast whose first signs lie in one period. */
interface KnownEdition {
  id: string;
  name: string | null;
  start: number;
  growths: KnownGrowth[];
}

/** What is known at an age of the deliveries of one group. */
export function atAgeOf(
  deliveries: readonly string[],
  growths: ReadonlyMap<string, KnownGrowth>,
  calendar: Calendar,
): KnownAtAge {
  const own = deliveries.flatMap((id) => growths.get(id) ?? []);
  const starts = new Set(own.map(({ firstSign }) => startOf(firstSign, calendar)));
  const [start] = starts;
  const [first] = own;
  if (own.length < deliveries.length || starts.size !== 1 || first === undefined || start == null) return null;
  const hours = Math.max(...[...first.growth.keys()].filter((age) => own.every(({ growth }) => growth.has(age))));
  if (!Number.isFinite(hours)) return null;
  const now = { id: first.broadcast.id, name: first.broadcast.name, start, growths: own };
  return { hours, ...sumAt(own, hours), usual: usualOf(now, editionsOf(growths, calendar), hours) };
}

function editionsOf(growths: ReadonlyMap<string, KnownGrowth>, calendar: Calendar): KnownEdition[] {
  const editions = new Map<string, KnownEdition>();
  for (const [delivery, growth] of growths) {
    const { id, name } = growth.broadcast;
    const start = startOf(growth.firstSign, calendar);
    if (start === null) continue;
    const key = `${id === '' ? `of ${delivery}` : `id ${id}`} ${start}`;
    const edition = editions.get(key) ?? { id, name, start, growths: [] };
    edition.growths.push(growth);
    editions.set(key, edition);
  }
  return [...editions.values()];
}

function usualOf(now: KnownEdition, editions: readonly KnownEdition[], hours: number): KnownUsual | null {
  const audience = audienceOf(now);
  const before = editions.filter((each) => {
    if (each.start >= now.start || !each.growths.every(({ growth }) => growth.has(hours))) return false;
    const known = audienceOf(each);
    return audience === null ? known === null && each.growths.length === now.growths.length : known !== null;
  });
  const name = seriesOf(now.name, dating);
  const same = before.filter(({ id }) => id !== '' && id === now.id);
  const alike = before.filter((each) => name !== '' && seriesOf(each.name, dating) === name);
  const all = (same.length >= 3 ? same : alike).map((each) => {
    const firstSign = Math.min(...each.growths.map((growth) => growth.firstSign));
    return Object.assign(sumAt(each.growths, hours), { firstSign, audience: audienceOf(each) });
  });
  const by = (['firstSign', 'seen', 'responded', 'audience'] as const).toReversed();
  for (const what of by) all.sort((one, other) => Number(other[what]) - Number(one[what]));
  const at = all.slice(0, 8);
  if (at.length < 3) return null;
  return {
    of: at.length,
    editions: at,
    seen: median(at.map(({ seen }) => seen)),
    responded: median(at.map(({ responded }) => responded)),
    share: audience === null ? null : median(at.map((each) => each.seen / Number(each.audience))),
  };
}

function sumAt(growths: readonly KnownGrowth[], hours: number): Engaged {
  const all = growths.flatMap(({ growth }) => growth.get(hours) ?? []);
  const sum = (what: keyof Engaged): number => all.reduce((total, each) => total + each[what], 0);
  return { seen: sum('seen'), responded: sum('responded') };
}

function audienceOf({ growths }: KnownEdition): number | null {
  return growths.some(({ audience }) => audience === null)
    ? null
    : growths.reduce((sum, { audience }) => sum + (audience ?? 0), 0);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

const twoYears = 2 * 366 * 24 * 3_600_000;

/** The first instant of the period that an instant before the end of this one lies in; `null` of two years ago and more. */
function startOf(instant: number, calendar: Calendar): number | null {
  let { start } = calendar;
  if (Date.parse(start) - instant > twoYears) return null;
  while (Date.parse(start) > instant) ({ start } = calendarBefore({ ...calendar, start }));
  return Date.parse(start);
}
