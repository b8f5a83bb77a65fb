import * as v from 'valibot';
import { dayMs, hourMs } from './period.ts';

/** The ages at which broadcasts are compared, in hours since the first sign of somebody. */
export const agesInHours = [6, 12, 24, 48, 72, 96, 120, 144, 168, 336, 672] as const;

const hoursOfDay = 24;

/**
 * How a delivery was received while it grew older: at each age that it has reached the hours, and how many had seen it and
 * responded by then. The youngest age comes first.
 */
export const curveSchema = v.array(v.tuple([v.number(), v.number(), v.number()]));
export type Curve = v.InferOutput<typeof curveSchema>;

/** The readable dates of a recipient list, in epoch milliseconds, until it has been read to its end. */
export interface Instants {
  seen: number[];
  responded: number[];
  /** One of them has no time of day: ages are counted in whole days then. */
  areDays: boolean;
}

/** The curve of a delivery whose first sign is known, for the ages that it had reached at `until`; epoch milliseconds. */
export function curveOf({ seen, responded, areDays }: Instants, firstSign: number, until: number): Curve {
  const ages = agesInHours.filter((hours) => firstSign + hours * hourMs <= until);
  // Some days have 23 hours, and some 25.
  const ageOf = (at: number): number =>
    areDays ? Math.round((at - firstSign) / dayMs) * hoursOfDay : (at - firstSign) / hourMs;
  const within = (instants: readonly number[], hours: number): number =>
    instants.reduce((count, at) => count + Number(ageOf(at) < hours), 0);
  return ages
    .filter((hours) => !areDays || hours % hoursOfDay === 0)
    .map((hours) => [hours, within(seen, hours), within(responded, hours)]);
}

/** The curve of deliveries together: at the ages that all of them have reached. */
export function sumOfCurves([first, ...others]: readonly Curve[]): Curve {
  return (first ?? []).flatMap(([hours, seen, responded]): Curve => {
    const points = others.map((curve) => curve.find(([age]) => age === hours));
    if (points.includes(undefined)) return [];
    const add = (index: 1 | 2, first: number): number =>
      points.reduce((sum, point) => sum + (point?.[index] ?? 0), first);
    return [[hours, add(1, seen), add(2, responded)]];
  });
}
