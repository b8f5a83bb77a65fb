import * as v from 'valibot';
import type { ReportConfiguration } from './configuration/configuration.ts';

/** Whether a delivery with this status is reported on. The service documents one status alone: case makes no difference. */
export function isWantedStatus(status: string, { statuses }: Pick<ReportConfiguration, 'statuses'>): boolean {
  return statuses.some((wanted) => comparable(wanted) === comparable(status));
}

/** What the broadcasts of a report may be narrowed by. */
export const filterFields = ['createdBy', 'broadcastName', 'contentType'] as const;
export type FilterField = (typeof filterFields)[number];

/** What a report is about, where that is not all broadcasts. */
export const onlySchema = v.object(v.entriesFromList(filterFields, v.exactOptional(v.string())));
export type Only = v.InferOutput<typeof onlySchema>;

/** What the service says of a broadcast: the types of all its content items, else one text. An empty one says nothing. */
export type Said = Readonly<Record<FilterField, readonly string[]>>;

/** Whether a report is about a broadcast, or the field that does not say it. */
export function isOfReport(said: Said, only: Only): boolean | FilterField {
  let unsaid: FilterField | null = null;
  for (const field of filterFields) {
    const wanted = only[field];
    if (wanted === undefined) continue;
    const [texts, text] = [said[field].map(comparable), comparable(wanted)];
    if (texts.some((each) => (field === 'broadcastName' ? each.includes(text) : each === text))) continue;
    if (!texts.includes('')) return false;
    unsaid ??= field;
  }
  return unsaid ?? true;
}

/** Whether a broadcast says nothing in a field. */
export function isUnsaid(field: FilterField, said: Said): boolean {
  return said[field].every((text) => comparable(text) === '');
}

/** A text by what it says: an accent may be written as one character or two, and case and white space make no difference. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
