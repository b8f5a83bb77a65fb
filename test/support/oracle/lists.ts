import type { ListAnswer } from '../accounts/account.ts';
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
export const unreadable: Gap = { reason: 'unreadable' };
/** The dates of a list say too little of the period. */
export const undatable: Gap = { reason: 'dates-unreadable' };
/** There is one, in whatever word. */
export const anyGap: Gap = { reason: 'any' };

/** The gap that a status is. */
export function gapOfStatus(status: number): Gap {
  const words: Record<number, string> = { 302: 'redirected', 403: 'forbidden', 404: 'not-found', 410: 'gone' };
  return { reason: words[status] ?? 'refused', status };
}

/** Reads a list as far as it can be known. */
export function readList(list: ListAnswer): KnownRows {
  if ('status' in list) {
    return { rows: [], broken: list.status === 204 ? null : gapOfStatus(list.status), cut: null };
  }
  if ('body' in list) return { rows: [], broken: unreadable, cut: null };
  const { means } = endingOf(list);
  const rows = pagesOf(list).flat();
  // Two pages of people who did nothing may honestly be alike; the address is the same, too.
  if (means === 'contradicted') {
    const hasDate = /"(?:seen|responded)At":[^,}]*\d/.test(JSON.stringify(rows));
    return { rows, broken: hasDate ? unreadable : anyGap, cut: null };
  }
  if (means === 'whole') return { rows, broken: null, cut: null };
  if (means === 'cut-off') return { rows, broken: null, cut: cutOff };
  return { rows, broken: null, cut: 'status' in means ? gapOfStatus(means.status) : unreadable };
}
