import type { DetailRowView } from './detail-row.ts';

/** A table of details: the content items of a broadcast, or its deliveries. */
export interface DetailTableView {
  columns: { name: string; seen: string; responded: string };
  rows: DetailRowView[];
}

/** What a page shows of a broadcast beside what a mail does. */
export interface BroadcastDetails {
  /** The id of its heading in the page. */
  anchor: string;
  /** When it was created. */
  created: string | null;
  /** Which delivery it is, where there is only one. */
  delivery: string | null;
  /** What came in the period, and how soon responses came. */
  inPeriod: string | null;
  tables: DetailTableView[];
  /** What is not available or not shown of it. */
  notes: string[];
}
