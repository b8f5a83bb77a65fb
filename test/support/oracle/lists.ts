import type { ListAnswer } from '../accounts/account.ts';
import { hasTime, instantOf, isSet } from '../accounts/dates.ts';
import { endingOf, pagesOf } from '../accounts/paging.ts';

/** Why something is not known. `any`: the digest may give any reason. */
export interface Gap {
  reason: string;
  status?: number;
}

/** The key of a thing in `missing`. */
export function missingKey(what: string, ...ids: string[]): string {
  return [what, ...ids.map((id) => JSON.stringify(id))].join(' ');
}

/** The rows of a list that are known, and why they are not all. */
export interface KnownRows {
  rows: unknown[];
  /** It answered no list at all. */
  broken: Gap | null;
  /** The list was answered, and what came after these rows was not. */
  cut: Gap | null;
}

const cutOff: Gap = { reason: 'cut-off' };
const unreadable: Gap = { reason: 'unreadable' };
const emptyPagesPassedOver = 3;

/** The gap that a status is. */
export function gapOfStatus(status: number): Gap {
  const words: Record<number, string> = { 302: 'redirected', 403: 'forbidden', 404: 'not-found', 410: 'gone' };
  return { reason: words[status] ?? 'refused', status };
}

/** Reads a list as far as it can be known. */
export function readList(list: ListAnswer): KnownRows {
  if ('status' in list) return { rows: [], broken: gapOfStatus(list.status), cut: null };
  if ('body' in list) return { rows: [], broken: unreadable, cut: null };
  const { means } = endingOf(list);
  const pages = pagesOf(list);
  const known: unknown[] = [];
  let empty = 0;
  for (const [index, rows] of pages.entries()) {
    known.push(...rows);
    empty = rows.length === 0 ? empty + 1 : 0;
    const namesNext = index < pages.length - 1 || typeof means === 'object';
    if (namesNext && empty > emptyPagesPassedOver) return { rows: known, broken: null, cut: cutOff };
  }
  // Two pages of people who did nothing may honestly be alike; the address is the same, too.
  if (means === 'contradicted')
    return { rows: known, broken: /\d/.test(JSON.stringify(known)) ? unreadable : { reason: 'any' }, cut: null };
  if (means === 'whole') return { rows: known, broken: null, cut: null };
  if (means === 'cut-off') return { rows: known, broken: null, cut: cutOff };
  return { rows: known, broken: null, cut: 'status' in means ? gapOfStatus(means.status) : unreadable };
}

/** The instants, in epoch milliseconds, that divide the period before from the period. */
export interface Bounds {
  timeZone: string;
  precedingStart: number;
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

/** The counts of a recipient list's rows. */
export interface Counted extends Answered {
  listed: number;
  responseRate: number | null;
  /** Of what is dated. */
  inPeriod: Answered;
  /** Dated before the period's start, and before its end. */
  beforeStart: Engaged;
  beforeEnd: Engaged;
  /** Rows that were seen or responded to, and those of them with a date that cannot be read. */
  engagedRows: number;
  undated: number;
  /** Rows that have both documented fields, neither of which is set. */
  idleRows: number;
  lackingFields: number;
  /** The earliest instant that can be read. */
  firstSign: number | null;
  /** Some row has a documented field. */
  hasFields: boolean;
  /** What was seen and responded within hours of the first sign, at each age reached; `null` where a date is not known. */
  growth: Map<number, Engaged> | null;
}

interface Row {
  hasSeen: boolean;
  hasResponded: boolean;
  seenAt: number | null;
  respondedAt: number | null;
  /** Both dates say the time of day. */
  hasTimes: boolean;
  lacksFields: boolean;
  hasField: boolean;
}

/** Counts the rows of a recipient list of a broadcast created at `createdAt`, where that is known. */
export function countRows(rows: readonly unknown[], bounds: Bounds, createdAt: number | null): Counted {
  const read = rows.map((row) => readRow(row, bounds.timeZone, createdAt));
  const count = (is: (row: Row) => boolean): number => read.filter(is).length;
  const within = (from: number, to: number): Engaged => ({
    seen: count(({ seenAt }) => isWithin(seenAt, from, to)),
    responded: count(({ respondedAt }) => isWithin(respondedAt, from, to)),
  });
  const { start, end } = bounds;
  const answeredInPeriod = count(
    ({ seenAt, respondedAt }) => isWithin(seenAt, start, end) && isWithin(respondedAt, -Infinity, end),
  );
  const seen = count(({ hasSeen }) => hasSeen);
  const answered = count(({ hasSeen, hasResponded }) => hasSeen && hasResponded);
  const undated = count(isUndated);
  const instants = read.flatMap(({ seenAt, respondedAt }) => [seenAt, respondedAt]).filter((each) => each !== null);
  return {
    listed: rows.length,
    seen,
    responded: count(({ hasResponded }) => hasResponded),
    answered,
    responseRate: rateOf({ seen, answered }),
    inPeriod: { ...within(start, end), answered: answeredInPeriod },
    beforeStart: within(-Infinity, start),
    beforeEnd: within(-Infinity, end),
    engagedRows: count(({ hasSeen, hasResponded }) => hasSeen || hasResponded),
    undated,
    idleRows: count(({ hasSeen, hasResponded, lacksFields }) => !lacksFields && !hasSeen && !hasResponded),
    lackingFields: count(({ lacksFields }) => lacksFields),
    firstSign: instants.length === 0 ? null : Math.min(...instants),
    hasFields: read.some(({ hasField }) => hasField),
    growth: undated > 0 || instants.length === 0 ? null : growthOf(read, Math.min(...instants), end),
  };
}

const ages = [6, 12, ...[1, 2, 3, 4, 5, 6, 7, 14, 28].map((days) => 24 * days)];

function growthOf(rows: readonly Row[], first: number, end: number): Map<number, Engaged> {
  const inDays = rows.some(({ hasTimes }) => !hasTimes);
  const reached = ages.filter((hours) => end - first >= hours * hour && (!inDays || hours >= 24));
  const isYounger = (instant: number | null, hours: number): boolean =>
    instant !== null && (inDays ? 24 * Math.round((instant - first) / day) : (instant - first) / hour) < hours;
  const within = (hours: number): Engaged => ({
    seen: rows.filter(({ seenAt }) => isYounger(seenAt, hours)).length,
    responded: rows.filter(({ respondedAt }) => isYounger(respondedAt, hours)).length,
  });
  return new Map(reached.map((hours) => [hours, within(hours)]));
}

/** Whether an instant is known and in `[from, to)`. */
export function isWithin(instant: number | null, from: number, to: number): boolean {
  return instant !== null && instant >= from && instant < to;
}

/** answered / seen; `null` where nobody saw it. */
export function rateOf({ seen, answered }: Omit<Answered, 'responded'>): number | null {
  return seen === 0 ? null : answered / seen;
}

/** The recipient that a row is, bare or wrapped; of what is no object, an empty one. */
export function recipientOf(row: unknown): Record<string, unknown> {
  const object = asObject(row) ?? {};
  return asObject(object['recipient']) ?? object;
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

const hour = 3_600_000;
const day = 24 * hour;

function readRow(row: unknown, timeZone: string, createdAt: number | null): Row {
  const { seenAt, respondedAt } = recipientOf(row);
  const read = (date: unknown): number | null => {
    const instant = isSet(date) ? instantOf(date, timeZone) : null;
    // Nobody engages with a broadcast before there is one: what is long before it was dated by a wrong clock.
    return instant !== null && createdAt !== null && instant < createdAt - day ? null : instant;
  };
  return {
    hasSeen: isSet(seenAt),
    hasResponded: isSet(respondedAt),
    seenAt: read(seenAt),
    respondedAt: read(respondedAt),
    hasTimes: hasTime(seenAt) && hasTime(respondedAt),
    lacksFields: seenAt === undefined || respondedAt === undefined,
    hasField: seenAt !== undefined || respondedAt !== undefined,
  };
}

function isUndated({ hasSeen, hasResponded, seenAt, respondedAt }: Row): boolean {
  return (hasSeen && seenAt === null) || (hasResponded && respondedAt === null);
}
