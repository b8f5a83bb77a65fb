import { dayMs } from '../../../functions/domain/period.ts';
import type { Account, Row } from '../accounts/account.ts';
import type { Answered } from '../accounts/serve.ts';

/** Rows that an address gave whole, and when it last did. */
export interface Reading {
  atMs: number;
  rows: readonly Row[];
}

/** What the answers so far said of a delivery. */
export type Known = ReturnType<typeof knownOf>[number];

/** The last whole list before a delivery's first listing. */
interface Unlisted {
  unlistedMs: number | null;
}

/** So long before the last list without it nobody saw a delivery. */
const toleratedMs = 3 * dayMs;

/** So many clocks are hardly wrong at once. */
const fewestEarly = 10;

/**
 * Gives the instant that a date of some rows is; `null` where there is none, nobody can read it, or it is a wrong clock's: of a few
 * rows, or less than half.
 */
export function instantsOf(rows: readonly Row[], { unlistedMs }: Unlisted) {
  const from = (unlistedMs ?? -Infinity) - toleratedMs;
  const dates = rows.map(({ seenAtMs, respondedAtMs }) => [seenAtMs, respondedAtMs].filter((at) => at !== null));
  const early = dates.filter((of) => of.some((at) => typeof at === 'number' && at < from)).length;
  const areWrong = early < fewestEarly || 2 * early < dates.filter((of) => of.length > 0).length;
  return (at: Row['seenAtMs']): number | null => (typeof at === 'number' && (at >= from || !areWrong) ? at : null);
}

/** The instants of rows, the earliest first. */
export function signsOf(rows: readonly Row[], known: Unlisted): number[] {
  const dates = rows.flatMap(({ seenAtMs, respondedAtMs }) => [seenAtMs, respondedAtMs]);
  const instantOf = instantsOf(rows, known);
  return dates.flatMap((at) => instantOf(at) ?? []).toSorted((a, b) => a - b);
}

/** What is known of each delivery that was ever listed. */
export function knownOf({ sent }: Account, log: readonly Answered[]) {
  return sent.flatMap((delivery) => {
    const listings = log.flatMap(({ list, atMs }) => {
      if (typeof list === 'number') return [];
      const row = list.rows.find(({ id }) => id === delivery.id);
      return row !== undefined || list.isWhole ? [{ atMs, isWhole: list.isWhole, status: row?.status ?? null }] : [];
    });
    const first = listings.findIndex(({ status }) => status !== null);
    const firstListedMs = listings[first]?.atMs;
    if (firstListedMs === undefined) return [];
    const wholeBefore = log.findLast(
      ({ list, atMs }) => atMs < firstListedMs && typeof list !== 'number' && list.isWhole,
    );
    const unlistedMs = wholeBefore?.atMs ?? null;
    const readings = (at: string): Reading[] =>
      log.flatMap(({ atMs, rows }) => {
        const answer = rows.get(at);
        return typeof answer === 'object' && answer.isWhole ? [{ atMs, rows: answer.rows }] : [];
      });
    const own = readings(delivery.id);
    const withSign = own.find(({ rows }) => signsOf(rows, { unlistedMs }).length > 0);
    const statuses = new Set(listings.flatMap(({ status }) => status ?? []));
    const tries = log.flatMap(({ atMs, rows }) => {
      const answer = rows.get(delivery.id);
      return answer === undefined ? [] : [{ atMs, isGone: answer === 404 || answer === 410 }];
    });
    const gone = tries[tries.findLastIndex(({ isGone }) => !isGone) + 1];
    return [
      {
        delivery,
        broadcast: delivery.broadcast ?? `b-${delivery.id}`,
        firstListedMs,
        unlistedMs,
        statuses,
        /** Whether the last whole list still had it. */
        isListed: listings.at(-1)?.status !== null,
        list: own.at(-1) ?? null,
        items: new Map(
          delivery.items.flatMap(({ id }) => {
            const reading = readings(`${delivery.id}/${id}`).at(-1);
            return reading === undefined ? [] : [[id, reading] as const];
          }),
        ),
        /** When it was found to be gone for good. */
        goneMs: gone?.atMs ?? null,
        /** The first sign in the first reading that had one. */
        firstSignMs: withSign === undefined ? null : (signsOf(withSign.rows, { unlistedMs })[0] ?? null),
      },
    ];
  });
}
