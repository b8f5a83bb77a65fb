import type { Calendar } from './calendars.ts';

/** What a list's address answers: rows in pages, or a status; with 200 it is `{}`, which is no list. */
export type ListAnswer = { status: number } | (InPages & { rows: readonly RecipientRow[] });

/** How the rows of a list come. */
export interface InPages {
  /** The property that holds the rows, beside `meta.next`; `null` where the body is the list and a header names the next page. */
  wrapper: string | null;
  pageSize: number;
  /** The last page says that there are more rows than it and those before it have. */
  isCutOff?: boolean;
}

/** A list that is one page of nothing else. */
export const onePage: InPages = { wrapper: null, pageSize: Infinity };

/** A row of a list of recipients. Of fields that are `undefined` there are none in the JSON. */
export interface RecipientRow {
  seenAt?: unknown;
  respondedAt?: unknown;
  rating?: unknown;
}

/** How items answer the rating filter; `off`: nobody asks. */
export type FilterAnswer = 'honest' | 'refused' | 'off';

/** A row of the list of deliveries, and what is behind it. */
export interface AccountDelivery {
  id: string;
  /** Fields of the row that nobody documented. */
  extras?: object;
  status: string;
  /** The place of its broadcast. */
  broadcast: number;
  /** The status of another row with the same id, at the end of the list. */
  again?: string;
  recipients: ListAnswer;
  /** By the place of the item in its broadcast. */
  contents: ListAnswer[];
}

export interface AccountBroadcast {
  id: string;
  /** As the list of deliveries has it. */
  name: string;
  items: Array<{ id: string; type: string }>;
  /** What its address says of it, beside its id. */
  header: { name?: string; created?: { by?: { firstName?: string; lastName?: string }; at?: unknown } };
  /** With which it is refused; 200 for an answer that is no broadcast. */
  status?: number;
}

/** Broadcasts by this author, whose name contains this, and with an item of this type. */
export interface Filter {
  createdBy?: string;
  broadcastName?: string;
  contentType?: string;
}

/** Everything that an account answers, and how the report reads it. */
export interface Account {
  statuses: readonly string[];
  /** Only these broadcasts, and all but these; `null`: all, and none. */
  only: Filter | null;
  except: Filter | null;
  /** Of smaller groups nothing is judged. */
  minimumGroup: number;
  /** The types of content items that ask nothing. */
  informingTypes: readonly string[];
  calendar: Calendar;
  /** At which of two addresses it is. */
  host: 0 | 1;
  ratingFilter: FilterAnswer;
  deliveries: AccountDelivery[];
  broadcasts: AccountBroadcast[];
  /** How the list of deliveries comes. */
  list: { status: number } | InPages;
}

/** The rating that a recipient who responded gave, in a list whose rows do not show it. */
export function hiddenRating(place: number): string {
  return String(1 + ((place * 2) % 5));
}

/** The rows of a list, page by page; of one without rows, an empty page. */
export function pagesOf<Row>(rows: readonly Row[], { pageSize }: InPages): Row[][] {
  const pages: Row[][] = [];
  for (let start = 0; start === 0 || start < rows.length; start += pageSize)
    pages.push(rows.slice(start, start + pageSize));
  return pages;
}

/** The rows of the list of deliveries. */
export function rowsOfList({ deliveries, broadcasts }: Account): object[] {
  // Not word for word: a page that comes again says that the list goes in a circle.
  const again = deliveries.flatMap(({ again: status, ...row }) =>
    status === undefined ? [] : [{ ...row, status, extras: { isAgain: true } }],
  );
  return [...deliveries, ...again].map(({ id, extras, broadcast, status }) => {
    const { id: broadcastId, name } = broadcasts[broadcast] ?? {};
    return { delivery: { ...extras, id, broadcast: { id: broadcastId, name }, status } };
  });
}
