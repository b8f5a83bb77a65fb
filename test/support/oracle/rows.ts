import type { ListAnswer, RecipientRow } from '../accounts/account.ts';
import { hasTime, instantOf, isSet } from './dates.ts';
import { readList } from './lists.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** A period, when it was read, and when the period before began; instants in epoch milliseconds. */
export interface Bounds {
  timeZone: string;
  readAt: number;
  previousStart: number;
  start: number;
  end: number;
}

export interface Engaged {
  seen: number;
  responded: number;
}

/** `answered`: of those who saw it, how many responded. */
export interface Answered extends Engaged {
  answered: number;
}

/** What a row of a recipient list says. An instant is `null` where there is none, or none that can be read. */
export interface Row {
  hasSeen: boolean;
  hasResponded: boolean;
  seenAt: number | null;
  respondedAt: number | null;
  /** Both dates say the time of day. */
  hasTimes: boolean;
  /** Whether the fields are there, set or not. */
  saysSeen: boolean;
  saysResponded: boolean;
}

/** The counts of a recipient list's rows. */
export interface Counted {
  rows: Row[];
  listed: number;
  /** `null`, as all that is made of views: ten or more responded and nobody saw it, so the service does not give views. */
  seen: number | null;
  responded: number;
  answered: number | null;
  inPeriod: Answered | null;
  /** Rows that saw it or responded, and those of them with a date that cannot be read. */
  engaged: number;
  undated: number;
}

const fewestForViews = 10;

/** Counts the rows of a recipient list of a broadcast created at `createdAt`, where that is known. */
export function countRows(recipients: readonly RecipientRow[], bounds: Bounds, createdAt: number | null): Counted {
  const rows = recipients.map((row) => readRow(row, bounds, createdAt));
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  const { start, end } = bounds;
  const seen = count(({ hasSeen }) => hasSeen);
  const responded = count(({ hasResponded }) => hasResponded);
  const lacksViews = seen === 0 && responded >= fewestForViews;
  const answeredInPeriod = count(
    ({ seenAt, respondedAt }) => isWithin(seenAt, start, end) && isWithin(respondedAt, -Infinity, end),
  );
  return {
    rows,
    listed: rows.length,
    seen: lacksViews ? null : seen,
    responded,
    answered: lacksViews ? null : count(({ hasSeen, hasResponded }) => hasSeen && hasResponded),
    inPeriod: lacksViews ? null : { ...datedWithin(rows, start, end), answered: answeredInPeriod },
    engaged: count(isEngaged),
    undated: count(isUndated),
  };
}

/** What is dated in `[from, to)`. */
export function datedWithin(rows: readonly Row[], from: number, to: number): Engaged {
  return {
    seen: rows.filter(({ seenAt }) => isWithin(seenAt, from, to)).length,
    responded: rows.filter(({ respondedAt }) => isWithin(respondedAt, from, to)).length,
  };
}

/** Whether an instant is known and in `[from, to)`. */
export function isWithin(instant: number | null, from: number, to: number): boolean {
  return instant !== null && instant >= from && instant < to;
}

/** answered / seen; `null` where nobody saw it. */
export function rateOf({ seen, answered }: { seen: number | null; answered: number | null }): number | null {
  return seen === null || answered === null || seen === 0 ? null : answered / seen;
}

/** The instant of a date; `null` of one that cannot be read or is more than a day after it was read. */
export function readInstant(date: unknown, { timeZone, readAt }: Bounds): number | null {
  const instant = instantOf(date, timeZone);
  return instant !== null && instant > readAt + day ? null : instant;
}

function readRow({ seenAt, respondedAt }: RecipientRow, bounds: Bounds, createdAt: number | null): Row {
  const read = (date: unknown): number | null => {
    const instant = readInstant(date, bounds);
    // Nobody engages with a broadcast before there is one: what is long before it was dated by a wrong clock.
    return instant !== null && createdAt !== null && instant < createdAt - day ? null : instant;
  };
  return {
    hasSeen: isSet(seenAt),
    hasResponded: isSet(respondedAt),
    seenAt: read(seenAt),
    respondedAt: read(respondedAt),
    hasTimes: hasTime(seenAt) && hasTime(respondedAt),
    saysSeen: seenAt !== undefined,
    saysResponded: respondedAt !== undefined,
  };
}

/** Which of the documented fields some lists have anywhere, where they can be read. */
export interface Fields {
  seen: boolean;
  responded: boolean;
}

export function fieldsIn(lists: readonly ListAnswer[]): Fields {
  const rows = lists.map(readList).flatMap((list) => (list.gap === null ? list.rows : []));
  return {
    seen: rows.some(({ seenAt }) => seenAt !== undefined),
    responded: rows.some(({ respondedAt }) => respondedAt !== undefined),
  };
}

/** Whether a list says nothing: no row has a field, or one lacks a field that no list has. */
export function areUnreadable(rows: readonly Row[], fields: Fields): boolean {
  const lacksOne = ({ saysSeen, saysResponded }: Row): boolean =>
    (saysSeen && !saysResponded && !fields.responded) || (saysResponded && !saysSeen && !fields.seen);
  return rows.length > 0 && (rows.every((row) => !row.saysSeen && !row.saysResponded) || rows.some(lacksOne));
}

export function isEngaged({ hasSeen, hasResponded }: Row): boolean {
  return hasSeen || hasResponded;
}

function isUndated({ hasSeen, hasResponded, seenAt, respondedAt }: Row): boolean {
  return (hasSeen && seenAt === null) || (hasResponded && respondedAt === null);
}

/**
 * The earliest engagement that is no wrong clock's: of twenty rows and more, those of the earliest twentieth are left out that
 * lie before the creation or a week before the rest.
 */
export function firstSignOf(rows: readonly Row[], createdAt: number | null): number | null {
  const signs = rows.flatMap(({ seenAt, respondedAt }) => {
    const instants = [seenAt, respondedAt].filter((instant) => instant !== null);
    return instants.length === 0 ? [] : [Math.min(...instants)];
  });
  signs.sort((one, other) => one - other);
  let left = Math.floor(signs.length / 20);
  const isWrong = (sign: number, rest: number): boolean =>
    (createdAt !== null && sign < createdAt) || sign <= rest - 7 * day;
  while (left > 0 && !isWrong(signs[left - 1] ?? 0, signs[left] ?? 0)) left -= 1;
  return signs[left] ?? null;
}

/** What was seen and responded within hours of the first sign, at each age that was reached. */
export type Curve = ReadonlyMap<number, Engaged>;

const ages = [6, 12, ...[1, 2, 3, 4, 5, 6, 7, 14, 28].map((days) => 24 * days)];

/** How a delivery grew; `null` where the dates of more than a twentieth of its views are not known. */
export function curveOf({ rows, undated, seen }: Counted, firstSign: number, end: number): Curve | null {
  if (seen === null || 20 * undated > seen) return null;
  const inDays = rows.some(({ hasTimes }) => !hasTimes);
  const reached = ages.filter((hours) => end - firstSign >= hours * hour && (!inDays || hours >= 24));
  const isYounger = (instant: number | null, hours: number): boolean => {
    if (instant === null) return false;
    const age = inDays ? 24 * Math.round((instant - firstSign) / day) : (instant - firstSign) / hour;
    return age < hours;
  };
  return new Map(
    reached.map((hours) => [
      hours,
      {
        seen: rows.filter(({ seenAt }) => isYounger(seenAt, hours)).length,
        responded: rows.filter(({ respondedAt }) => isYounger(respondedAt, hours)).length,
      },
    ]),
  );
}

/** A sum; `null` where a part is not known. */
export function sum(figures: ReadonlyArray<number | null>): number | null {
  return figures.reduce((total, figure) => (total === null || figure === null ? null : total + figure), 0);
}

/** The sums of some counts; `null` where one is not known. */
export function sumOf(counted: ReadonlyArray<Answered | null>): Answered | null {
  const known = counted.filter((counts) => counts !== null);
  const total = (figure: keyof Answered): number => known.reduce((before, counts) => before + counts[figure], 0);
  if (known.length < counted.length) return null;
  return { seen: total('seen'), responded: total('responded'), answered: total('answered') };
}
