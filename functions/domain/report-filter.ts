import * as v from 'valibot';
import { comparable, comparableSet, comparableType } from './folding.ts';

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

/** What the service says of a broadcast: the types of all its content items, else one text. An empty one says nothing. */
export type FilteredTexts = Readonly<Record<FilterField, readonly string[]>>;

/** Whether all fields of a filter are true of a broadcast, or the field that the service does not say. */
export function meetsFilter(texts: FilteredTexts, filter: Filter): boolean | FilterField {
  let unsaid: FilterField | null = null;
  for (const field of filterFields) {
    const wanted = filter[field];
    if (wanted === undefined) continue;
    const [keys, text] = [texts[field].map(keyIn(field)), keyIn(field)(wanted)];
    if (keys.some((key) => (field === 'broadcastName' ? key.includes(text) : key === text))) continue;
    if (!keys.includes('')) return false;
    unsaid ??= field;
  }
  return unsaid ?? true;
}

/** Whether a broadcast says nothing in a field. */
export function isUnsaid(field: FilterField, texts: FilteredTexts): boolean {
  return texts[field].every((text) => keyIn(field)(text) === '');
}

/** A filter as text: filters that let in the same have the same, in whatever order and spelling they are written. */
export function filterKey(filter: Filter = {}): string {
  return JSON.stringify(
    filterFields.flatMap((field) => (filter[field] === undefined ? [] : [field, keyIn(field)(filter[field])])),
  );
}

/** The deliveries that a report is about, as text: neither the order of what is configured makes a difference, nor its spelling. */
export function sliceKey(report: { statuses: readonly string[]; only?: Filter; except?: Filter }): string {
  return JSON.stringify([comparableSet(report.statuses), filterKey(report.only), filterKey(report.except)]);
}

function keyIn(field: FilterField): (text: string) => string {
  return field === 'contentType' ? comparableType : comparable;
}
