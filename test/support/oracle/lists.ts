import type { ListAnswer, RecipientRow } from '../accounts/account.ts';

/** Why something is not known. */
export interface Gap {
  reason: string;
  status?: number;
}

/** The key of a thing in `missing`. */
export function missingKey(kind: string, ...ids: string[]): string {
  return [kind, ...ids.map((id) => JSON.stringify(id))].join(' ');
}

export const cutOff: Gap = { reason: 'cut-off' };
export const unreadable: Gap = { reason: 'unreadable' };
/** The dates of a list say too little of the period. */
export const undatable: Gap = { reason: 'dates-unreadable' };

/** The gap that a status is; an answer with 200 and nothing of what was asked cannot be read. */
export function gapOfStatus(status: number): Gap {
  if (status === 200) return unreadable;
  const words: Record<number, string> = { 403: 'forbidden', 404: 'not-found', 410: 'gone' };
  return { reason: words[status] ?? 'refused', status };
}

/** The rows of a list, and why it is not known whole. */
export function readList(list: ListAnswer | undefined): { rows: readonly RecipientRow[]; gap: Gap | null } {
  if (list === undefined) throw new TypeError('Each item of a broadcast has a list.');
  if ('status' in list) return { rows: [], gap: gapOfStatus(list.status) };
  return { rows: list.rows, gap: list.isCutOff === true ? cutOff : null };
}
