import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../../functions/domain/period.ts';
import type { Person, Sent } from '../facts/world.ts';

/** Somebody as a world has them, who may be erased, and may have given a rating. */
export interface Viewer extends Person {
  goneMs?: number;
  rating?: number;
}

/** A delivery of an account, of one item or of several. */
export interface Delivered extends Omit<Sent, 'people' | 'fault' | 'items'> {
  people: Viewer[];
  items: ReadonlyArray<{ id: string; type: string }>;
}

/** How an account answers. */
export interface Form {
  /** How many days its list reaches back, and how many of the newest it has at most. */
  days: number;
  newest: number;
  /** Whether deliveries' own lists name those who did nothing. */
  namesEverybody: boolean;
  /** Whom items' lists have: as the delivery's own; everybody; those who engaged; those who responded. */
  items: 'same' | 'everybody' | 'engaged' | 'responders';
  dates: 'text' | 'with offset' | 'seconds' | 'days';
  /** Fields without a value are absent. */
  areSparse: boolean;
  pageSize: number;
  wrapper: string | null;
  /** Whether ratings are in the rows, or behind the filter. */
  ratings: 'rows' | 'filter';
  timeZone: string;
}

export const usualForm: Form = {
  days: 365,
  newest: Infinity,
  namesEverybody: true,
  items: 'same',
  dates: 'text',
  areSparse: false,
  pageSize: Infinity,
  wrapper: null,
  ratings: 'rows',
  timeZone: 'Europe/London',
};

/** What an address answers from one instant to another in place of what there is. */
export interface Fault {
  fromMs: number;
  untilMs: number;
  /** `list`, a delivery's id, `<delivery>/<item>`, or `broadcast <id>`. */
  at: string;
  /** A status; a list of which there is more; one that has nothing. */
  answer: number | 'cut' | 'empty';
}

/** Everything that a service has of an account, and how it says it. */
export interface Account {
  sent: readonly Delivered[];
  form: Form;
  faults: readonly Fault[];
}

/** A row as it is answered: instants in epoch milliseconds, as far as its date says them; `'?'` where no date can be read. */
export type Row = Pick<Viewer, 'seenAtMs' | 'respondedAtMs' | 'rating'>;

const since = ({ listed }: Delivered): number => listed[0]?.fromMs ?? Infinity;

/** The deliveries on the list at an instant, newest first, each with its status then. */
export function listAt({ sent, form }: Account, atMs: number): Array<{ id: string; status: string }> {
  return sent
    .filter((delivery) => since(delivery) <= atMs && since(delivery) >= atMs - form.days * dayMs)
    .toSorted((a, b) => since(b) - since(a))
    .slice(0, form.newest)
    .map(({ id, listed }) => ({ id, status: listed.findLast(({ fromMs }) => fromMs <= atMs)?.status ?? '' }));
}

const idle: Row = { seenAtMs: null, respondedAtMs: null };

/** The rows of a delivery's own list, or of its items', at an instant. */
export function rowsAt({ people, audience }: Delivered, form: Form, atMs: number, isOfItem = false): Row[] {
  const isPast = (at: Person['seenAtMs']): boolean => at === '?' || (at !== null && at <= atMs);
  const isThere = ({ seenAtMs, respondedAtMs, knownMs = 0, goneMs = Infinity }: Viewer): boolean =>
    knownMs <= atMs && goneMs > atMs && (isPast(seenAtMs) || isPast(respondedAtMs));
  const asOf = (at: Person['seenAtMs']): Person['seenAtMs'] =>
    typeof at !== 'number' ? at : at > atMs ? null : form.dates === 'days' ? dayOf(at, form.timeZone).startMs : at;
  const rows = people.filter(isThere).map(({ seenAtMs, respondedAtMs, rating }): Row => {
    const row: Row = { seenAtMs: asOf(seenAtMs), respondedAtMs: asOf(respondedAtMs) };
    if (rating !== undefined && row.respondedAtMs !== null) row.rating = rating;
    return row;
  });
  if (isOfItem && form.items === 'responders') return rows.filter(({ respondedAtMs }) => respondedAtMs !== null);
  const hasIdle = !isOfItem || form.items === 'same' ? form.namesEverybody : form.items === 'everybody';
  return hasIdle ? [...rows, ...Array.from({ length: Math.max(0, audience - rows.length) }, () => idle)] : rows;
}

/** The day that an instant lies in, and when it began. */
export function dayOf(atMs: number, timeZone: string): { date: string; startMs: number } {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
  return { date: date.toString(), startMs: date.toZonedDateTime(timeZone).epochMilliseconds };
}
