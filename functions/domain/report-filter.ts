import * as v from 'valibot';
import { comparable, comparableType } from './folding.ts';

/** Whether a delivery with this status is reported on. The service documents one status alone: case makes no difference. */
export function isWantedStatus(status: string, { statuses }: { statuses: readonly string[] }): boolean {
  return statuses.some((wanted) => comparable(wanted) === comparable(status));
}

/** What the broadcasts of a report may be narrowed by. */
export const filterFields = ['createdBy', 'broadcastName', 'contentType'] as const;
export type FilterField = (typeof filterFields)[number];

/** Which broadcasts a report is about, where that is not all of them, or which it leaves out. */
export const filterSchema = v.object(v.entriesFromList(filterFields, v.exactOptional(v.string())));
export type Filter = v.InferOutput<typeof filterSchema>;

/** A filter as text: filters that let in the same have the same, in whatever order and spelling they are written. */
export function filterKey(filter: Filter = {}): string {
  return JSON.stringify(
    filterFields.flatMap((field) => (filter[field] === undefined ? [] : [field, keyIn(field)(filter[field])])),
  );
}

/** How texts are compared in a field. */
export function keyIn(field: FilterField): (text: string) => string {
  return field === 'contentType' ? comparableType : comparable;
}
