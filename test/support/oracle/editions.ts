import { day, sum, type Curve, type Engaged } from './rows.ts';

/** How a delivery grew, as the last run knew it that could read enough of its dates; and how many have engaged; `null` where it was not read. */
export interface Growth {
  id: string;
  broadcast: { id: string; name: string | null };
  firstSign: number;
  audience: number | null;
  curve: Curve;
  engaged: number | null;
}

export type Growths = ReadonlyMap<string, Growth>;

/** The deliveries of a series whose first signs lie within three days of the first. */
export type Edition = readonly [Growth, ...Growth[]];

/** What an edition had at an age. */
export interface EditionAtAge extends Engaged {
  firstSign: number;
  audience: number | null;
}

/** What is usual of a series at an age, of the latest editions first. */
export interface Usual {
  editions: EditionAtAge[];
  share: number;
}

/** What earlier editions had, where audiences are not known. */
export interface Earlier {
  editions: EditionAtAge[];
  fewest: number;
  most: number;
}

const [fewestEditions, mostEditions] = [3, 8];

/** A name without the number of its issue. What else dates a name is judged where it is read (series.test.ts). */
export function seriesOf(name: string | null): string {
  return (name ?? '').replaceAll(/(?:#|week ) ?\d+/g, '').trim();
}

/** The editions of the series that a delivery is of, oldest first. */
function editionsOf(growth: Growth, growths: Growths): Edition[] {
  const keyOf = ({ broadcast }: Growth): string => seriesOf(broadcast.name) || `id ${broadcast.id}`;
  const ofSeries = [...growths.values()].filter((other) => keyOf(other) === keyOf(growth));
  const editions: Array<[Growth, ...Growth[]]> = [];
  for (const next of ofSeries.toSorted((one, other) => one.firstSign - other.firstSign)) {
    const last = editions.at(-1);
    if (last !== undefined && next.firstSign - last[0].firstSign <= 3 * day) last.push(next);
    else editions.push([next]);
  }
  return editions;
}

/** The edition that a delivery is of; `null` where it is not known how it grew. */
export function editionOf(id: string, growths: Growths): Edition | null {
  const growth = growths.get(id);
  if (growth === undefined) return null;
  return editionsOf(growth, growths).find((edition) => edition.includes(growth)) ?? null;
}

/** The oldest age, of those up to so many hours, that each of an edition's deliveries has reached; `null` where there is none. */
export function ageOf(edition: Edition, most = Infinity): number | null {
  const [first, ...others] = edition;
  const ages = [...first.curve.keys()].filter((age) => age <= most && others.every(({ curve }) => curve.has(age)));
  return ages.length === 0 ? null : Math.max(...ages);
}

/** What an edition had at an age. */
export function atAge(edition: Edition, hours: number): EditionAtAge {
  const counts = edition.flatMap(({ curve }) => curve.get(hours) ?? []);
  return {
    firstSign: edition[0].firstSign,
    seen: sum(counts.map(({ seen }) => seen)) ?? 0,
    responded: sum(counts.map(({ responded }) => responded)) ?? 0,
    audience: sum(edition.map(({ audience }) => audience)),
  };
}

function editionsBefore(edition: Edition, hours: number, growths: Growths): Edition[] {
  return editionsOf(edition[0], growths)
    .filter(([{ firstSign }]) => firstSign < edition[0].firstSign)
    .filter((other) => other.every(({ curve }) => curve.has(hours)))
    .toReversed();
}

/** The median share of earlier editions with an audience between half and twice this one's. */
export function usualOf(edition: Edition, hours: number, growths: Growths): Usual | null {
  const { audience } = atAge(edition, hours);
  if (audience === null) return null;
  const shares: Array<[EditionAtAge, number]> = editionsBefore(edition, hours, growths)
    .map((other) => atAge(other, hours))
    .flatMap((other) =>
      other.audience === null || other.audience === 0 ? [] : [[other, other.seen / other.audience]],
    );
  const alike = shares
    .filter(([other]) => 2 * Number(other.audience) >= audience && Number(other.audience) <= 2 * audience)
    .slice(0, mostEditions);
  if (alike.length < fewestEditions) return null;
  return { editions: alike.map(([other]) => other), share: median(alike.map(([, share]) => share)) };
}

/** What earlier editions of as many deliveries had, where that is alike. */
export function earlierOf(edition: Edition, hours: number, growths: Growths): Earlier | null {
  if (atAge(edition, hours).audience !== null) return null;
  const editions = editionsBefore(edition, hours, growths)
    .filter(({ length }) => length === edition.length)
    .map((other) => atAge(other, hours))
    .filter(({ audience }) => audience === null)
    .slice(0, mostEditions);
  const views = editions.map(({ seen }) => seen);
  const [fewest, most] = [Math.min(...views), Math.max(...views)];
  return editions.length < fewestEditions || most > 1.5 * fewest ? null : { editions, fewest, most };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return (sum(middle) ?? 0) / middle.length;
}
