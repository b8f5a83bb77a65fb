import type { ReportConfiguration } from './configuration/configuration.ts';

/** Whether a delivery with this status is reported on. The service documents one status alone: case makes no difference. */
export function isWantedStatus(status: string, { statuses }: Pick<ReportConfiguration, 'statuses'>): boolean {
  return statuses.some((wanted) => comparable(wanted) === comparable(status.trim()));
}

/** Whether a report is about the broadcasts of this name. */
export function isNamedFor({ broadcastName }: Pick<ReportConfiguration, 'broadcastName'>, name: string): boolean {
  return broadcastName === undefined || comparable(name).includes(comparable(broadcastName));
}

/** A text by what it says: an accent may be written as one character or two, and case makes no difference. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
