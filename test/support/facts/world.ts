import type * as facts from '../../../functions/domain/facts.ts';
import { dayMs, hourMs } from '../../../functions/domain/period.ts';
import { momentsOf } from './moments.ts';
import type { Reason } from '../../../functions/domain/reasons.ts';

/** So many days after Monday, 2 November 2026, at an hour of the day in London; epoch milliseconds. */
export function on(day: number, hour = 9): number {
  return Date.UTC(2026, 10, 2) + day * dayMs + hour * hourMs;
}

/** Somebody of whom the service says when they saw it and responded; `null` where they did not, `'?'` where no date can be read. */
export interface Person {
  seenAtMs: number | '?' | null;
  respondedAtMs: number | '?' | null;
  /** From when on the service knows it: a phone may be without a network. */
  knownMs?: number;
}

/** So many people who saw it at an instant, or over some hours, and responded then, too, where that is said. */
export function saw(people: number, atMs: number, { hours = 0, responded = 0, knownMs = 0 } = {}): Person[] {
  return Array.from({ length: people }, (_, place) => {
    const seenAtMs = atMs + Math.floor((hours * hourMs * place) / people);
    return { seenAtMs, respondedAtMs: place < responded ? seenAtMs : null, knownMs };
  });
}

/** So many people who saw it, as the service says with a date that cannot be read. */
export function undated(people: number, knownMs = 0): Person[] {
  return times(people, () => ({ seenAtMs: '?', respondedAtMs: null, knownMs }));
}

/** A delivery of a world, as it is. */
export interface Sent {
  id: string;
  /** Without one it is a broadcast of its own. */
  broadcast?: string;
  name?: string;
  author?: string | null;
  createdMs?: number;
  /** When it is on the service's list first, and with which status; later ones replace it. */
  listed: Array<{ fromMs: number; status: string }>;
  audience: number;
  people: Person[];
  items?: Array<{ id: string; type: string; ratings?: Record<string, number>; unread?: Reason; ratingsUnread?: true }>;
  /** What an observation that tries to read its list in this time is told. */
  fault?: { fromMs: number; untilMs: number; reason: Reason };
}

/** A delivery that is delivered at an instant, to an audience of whom these people did something. */
export function sent(
  id: string,
  atMs: number,
  audience: number,
  people: Person[] = [],
  more: Partial<Sent> = {},
): Sent {
  return { id, createdMs: atMs - hourMs, listed: [{ fromMs: atMs, status: 'delivered' }], audience, people, ...more };
}

/** How a service lists. */
export interface Service {
  /** How many days the list reaches back, and how many of the newest it has at most. */
  days?: number;
  newest?: number;
  /** Whether what has left the list is not found any more. */
  forgets?: boolean;
  /** Whether lists of recipients name those who did nothing, at an instant. */
  namesEverybody?: (atMs: number) => boolean;
}

const readDays = 35;

const dated = (at: number | '?' | null): number | null => (at === '?' ? null : at);

function readItem(
  item: NonNullable<Sent['items']>[number],
  list: facts.ListFacts | null,
  atMs: number,
): facts.ContentFacts {
  const { id, ratings, unread, ratingsUnread } = item;
  if (unread !== undefined) return { id, list: null, unread: { sinceMs: atMs, reason: unread } };
  const read = { id, list: list === null || ratings === undefined ? list : { ...list, ratings } };
  return ratingsUnread === undefined ? read : { ...read, ratingsUnavailable: { reason: 'unreadable' } };
}

/** What observations leave of a world: the smallest true stub of collecting. */
export function createObserver(
  world: readonly Sent[],
  { days = 365, newest = Infinity, forgets = false, namesEverybody = () => true }: Service = {},
) {
  const known = new Map<string, facts.DeliveryFacts>();
  const observations: number[] = [];
  let coveredSinceMs: number | null = null;

  const readList = (people: readonly Person[], audience: number, readMs: number): facts.ListFacts => {
    const isPast = (at: number | '?' | null): boolean => typeof at !== 'number' || at < readMs;
    const rows = people
      .filter(({ knownMs = 0 }) => knownMs <= readMs)
      // Who answered may open it later.
      .map((one) =>
        one.respondedAtMs !== null && !isPast(one.seenAtMs) ? Object.assign({}, one, { seenAtMs: null }) : one,
      )
      .filter(({ seenAtMs, respondedAtMs }) => isPast(seenAtMs) && (seenAtMs !== null || isPast(respondedAtMs)));
    const isUndated = ({ seenAtMs, respondedAtMs }: Person): boolean => seenAtMs === '?' || respondedAtMs === '?';
    const untouched = namesEverybody(readMs) ? audience - rows.length : 0;
    return {
      readMs,
      listed: rows.length + untouched,
      untouched,
      undated: {
        seen: rows.filter(({ seenAtMs }) => seenAtMs === '?').length,
        responded: rows.filter(({ respondedAtMs }) => respondedAtMs === '?').length,
        answered: rows.filter((row) => isUndated(row) && row.seenAtMs !== null && row.respondedAtMs !== null).length,
      },
      areDays: false,
      moments: momentsOf(
        rows.map((row): facts.RowMoments => ({
          seenAtMs: dated(row.seenAtMs),
          respondedAtMs: dated(row.respondedAtMs),
        })),
        60,
      ),
    };
  };

  const observeDelivery = (one: Sent, atMs: number, isListed: boolean): void => {
    const { id, items = [{ id: `${one.id}-item`, type: 'text' }], fault } = one;
    const { status } = one.listed.findLast(({ fromMs }) => fromMs <= atMs) ?? { status: '' };
    const before = known.get(id);
    const isRefused = fault !== undefined && atMs >= fault.fromMs && atMs < fault.untilMs;
    const isFaulty = isRefused || (forgets && !isListed);
    const reason = isRefused ? fault.reason : 'not-found';
    const list = isFaulty ? (before?.list ?? null) : readList(one.people, one.audience, atMs);
    const signs = one.people.flatMap(({ seenAtMs, respondedAtMs, knownMs = 0 }) =>
      [seenAtMs, respondedAtMs].flatMap((at) => (typeof at === 'number' && knownMs <= atMs && at < atMs ? [at] : [])),
    );
    const firstSign = isFaulty || signs.length === 0 ? null : { atMs: Math.min(...signs), readMs: atMs };
    const statuses = before?.statuses ?? [];
    const isNewStatus = isListed && !statuses.some((known) => known.status === status);
    known.set(id, {
      id,
      broadcast: {
        id: one.broadcast ?? `b-${id}`,
        name: one.name ?? `News ${id}`,
        createdMs: one.createdMs ?? null,
        createdBy: one.author === undefined ? 'Ada Byron' : one.author,
        contents: items.map((item) => ({ id: item.id, type: item.type })),
      },
      statuses: isNewStatus ? [...statuses, { status, firstListedMs: atMs }] : statuses,
      status: isListed ? status : (before?.status ?? status),
      firstListedMs: before?.firstListedMs ?? atMs,
      lastListedMs: isListed ? atMs : (before?.lastListedMs ?? atMs),
      unlistedMs: before === undefined ? (observations.at(-1) ?? null) : before.unlistedMs,
      firstSign: before?.firstSign ?? firstSign,
      askedMs: atMs,
      list,
      ...(isFaulty ? { unread: { sinceMs: before?.unread?.sinceMs ?? atMs, reason } } : {}),
      contents: items.map((item) => readItem(item, list, atMs)),
    });
  };

  return {
    /** Observes at an instant, and gives the facts that there are then. */
    observe: (atMs: number): facts.AccountFacts => {
      const there = world.filter(({ listed }) => (listed[0]?.fromMs ?? Infinity) <= atMs);
      const latest = there.toSorted((a, b) => (b.listed[0]?.fromMs ?? 0) - (a.listed[0]?.fromMs ?? 0)).slice(0, newest);
      const list = new Set(latest.filter(({ listed }) => (listed[0]?.fromMs ?? 0) >= atMs - days * dayMs));
      for (const one of there) {
        const { firstListedMs = 0, firstSign } = known.get(one.id) ?? {};
        const isRead = atMs < Math.max(firstListedMs, firstSign?.atMs ?? 0) + readDays * dayMs;
        if (list.has(one) || (known.has(one.id) && isRead)) observeDelivery(one, atMs, list.has(one));
      }
      const firsts = [...known.values()].flatMap(({ firstSign }) => firstSign?.atMs ?? []).toSorted((a, b) => a - b);
      coveredSinceMs ??= list.size < 5 ? atMs : (firsts[2] ?? atMs);
      observations.push(atMs);
      return {
        observation: { atMs, coveredSinceMs, mayHoldOnlyNewest: false },
        deliveries: structuredClone([...known.values()]),
      };
    },
  };
}

/** What is made for each of so many places. */
export function times<T>(count: number, make: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => make(place));
}

/** A weekly letter on Tuesdays, "l0" the first, to a hundred people of whom sixty see it within a day, unless said otherwise. */
export function letters(weeks: number, of: (week: number) => { seen?: number; audience?: number } = () => ({})) {
  return times(weeks, (week) => {
    const { seen = 60, audience = 100 } = of(week);
    const people = saw(seen, on(7 * week + 1, 10), { hours: 20 });
    return sent(`l${week}`, on(7 * week + 1), audience, people, { name: `Letter week ${45 + week}` });
  });
}
