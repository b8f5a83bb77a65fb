import fc from 'fast-check';
import { isSet } from '../oracle/dates.ts';
import { onePage, type InPages, type ListAnswer, type RecipientRow } from './account.ts';
import { calendarBefore, firstDayOf, type Calendar } from './calendars.ts';

const second = 1_000;
const day = 86_400_000;

/** A date that nobody can read: which of the numbers is the month is not said. */
export const unreadableDate = '10/11/2026 10:00';
const unreadableDates = [unreadableDate, 'yesterday', true];

/** Something, or mostly nothing. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** Whole seconds of `[from, to)`. */
function within(from: number, to: number): fc.Arbitrary<number> {
  return fc.integer({ min: from / second, max: to / second - 1 }).map((seconds) => seconds * second);
}

/** Instants as the service writes them. */
function written(instants: fc.Arbitrary<number>, { timeZone }: Calendar): fc.Arbitrary<unknown> {
  const forms = [
    (instant: number) => `${inUtc(instant)}Z`,
    (instant: number) => `${inUtc(instant + 5.5 * 3600 * second)}+05:30`,
    (instant: number) => firstDayOf({ start: new Date(instant).toISOString(), timeZone }),
  ];
  return fc.tuple(instants, fc.constantFrom(...forms)).map(([instant, form]) => form(instant));
}

function inUtc(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

function edgesOf(calendar: Calendar): { before: number; start: number; end: number } {
  const { start, end } = calendar;
  return { before: Date.parse(calendarBefore(calendar).start), start: Date.parse(start), end: Date.parse(end) };
}

/** Dates around a period and the one before, at their edges, of other years, and some that say no instant. */
function dateArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const { before, start, end } = edgesOf(calendar);
  const edges = [before, start, end].flatMap((edge) => [edge - second, edge, edge + second]);
  const instants = fc.oneof(
    { weight: 4, arbitrary: within(start, end) },
    { weight: 2, arbitrary: within(before, start) },
    { weight: 1, arbitrary: within(before - 20 * day, before) },
    { weight: 1, arbitrary: within(end, end + 2 * day) },
    { weight: 2, arbitrary: fc.constantFrom(...edges) },
    { weight: 1, arbitrary: fc.constantFrom(Date.UTC(2015, 4, 4), Date.UTC(2031, 0, 1)) },
  );
  return fc.oneof(
    { weight: 11, arbitrary: written(instants, calendar) },
    { weight: 1, arbitrary: fc.constantFrom(...unreadableDates) },
  );
}

/** Dates within a period or soon after it. */
function freshDateArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const { start, end } = edgesOf(calendar);
  const atEdges = fc.constantFrom(start, end - second, end, end + second);
  const fresh = fc.oneof({ weight: 8, arbitrary: within(start, end) }, atEdges, within(end, end + 2 * day));
  return written(fresh, calendar);
}

/** Dates of the creation of a broadcast: mostly before a period, some in it, and some that say no instant. */
export function creationArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const { before, start, end } = edgesOf(calendar);
  return fc.oneof(
    { weight: 9, arbitrary: written(within(before - 20 * day, start), calendar) },
    { weight: 2, arbitrary: written(within(start, end), calendar) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...unreadableDates, '2031-01-01T00:00:00Z') },
  );
}

/** The rows of a list in each of some weeks, which are counted from 0. */
type Rows = (week: number) => RecipientRow[];

const ratingArbitrary = fc.constantFrom<unknown>(1, 2, 3, 4, 5, '5', '4.50', 0, undefined, null, '', 'good', { is: 4 });

/** Rows that come in the week after a period, in the ways in which the rows of one list may be. */
function rowsOfWeek(calendar: Calendar, rating: fc.Arbitrary<unknown>) {
  const unset = fc.constantFrom<unknown>(...Array<null>(9).fill(null), '', '0001-01-01T00:00:00Z');
  const orNot = (date: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 3, arbitrary: date }, { weight: 2, arbitrary: unset });
  const [happened, soon] = [orNot(dateArbitrary(calendar)), orNot(freshDateArbitrary(calendar))];
  const documented = fc.record({ seenAt: happened, respondedAt: happened, rating });
  const fresh = fc.record({ seenAt: soon, respondedAt: soon, rating });
  const lacking = fc.oneof(
    { weight: 4, arbitrary: documented },
    fc.record({ seenAt: happened, rating }),
    fc.record({ respondedAt: happened }),
    fc.constant<RecipientRow>({}),
  );
  const early = [5, 10].map((days) => new Date(Date.parse(calendar.start) - days * day).toISOString());
  const mostlySoon = fc.oneof({ weight: 40, arbitrary: freshDateArbitrary(calendar) }, fc.constantFrom(...early));
  const crowd = fc.record({ seenAt: mostlySoon, respondedAt: soon });
  return { documented, fresh, lacking, crowd };
}

/** Rows of a recipient list that come week by week; with `rated`, some carry ratings. Some vanish again. */
function rowsArbitrary(calendars: readonly Calendar[], rated: boolean): fc.Arbitrary<Rows> {
  const weeks = calendars.map((calendar) => rowsOfWeek(calendar, rated ? ratingArbitrary : fc.constant(undefined)));
  const until = fc.constantFrom(...Array<number>(20).fill(calendars.length), ...calendars.keys());
  const rowsOf = (style: 'documented' | 'fresh' | 'lacking'): fc.Arbitrary<Rows> => {
    const come = fc.oneof(...weeks.map((ofStyle, from) => ofStyle[style].map((row) => ({ row, from }))));
    return fc
      .array(fc.tuple(come, until), { maxLength: calendars.length > 1 ? 10 : 6 })
      .map(
        (rows) => (week) =>
          rows.flatMap(([{ row, from }, end]) => (week >= from && week < Math.max(end, 1) ? [row] : [])),
      );
  };
  // So many that a few without a date are less than a tenth of them; in some, nobody says who saw it.
  const crowds = weeks.map(({ crowd }, from) =>
    fc
      .tuple(fc.array(crowd, { minLength: 30, maxLength: 40 }), fc.constantFrom(true, true, true, true, false))
      .map(([rows, areSeen]): Rows => {
        const come = areSeen ? rows : rows.map((row) => ({ ...row, seenAt: null }));
        return (week) => (week < from ? [] : come);
      }),
  );
  return fc.oneof(
    { weight: 8, arbitrary: rowsOf('fresh') },
    { weight: 8, arbitrary: rowsOf('documented') },
    { weight: 4, arbitrary: rowsOf('lacking') },
    { weight: rated ? 0 : 3, arbitrary: fc.oneof(...crowds) },
  );
}

/** Answers that are no list, with the status of each. */
export const faultArbitrary = fc.constantFrom(200, 400, 403, 404, 410).map((status) => ({ status }));

/** How a list comes, on pages of one of these sizes. */
export function formArbitrary(...pageSizes: number[]): fc.Arbitrary<InPages> {
  return fc.record({
    wrapper: fc.constantFrom(null, 'data'),
    pageSize: fc.constantFrom(...pageSizes),
    isCutOff: fc.constantFrom(true, ...Array<false>(19).fill(false)),
  });
}

/** Answers of a recipient list's address in each week; those of a content item may be made of the rows of its delivery's own. */
export type Answers = (week: number, ownRows: readonly RecipientRow[]) => ListAnswer;

const idleRow = { seenAt: null, respondedAt: null };

export function recipientsArbitrary(calendars: readonly Calendar[], isOfContent: boolean): fc.Arbitrary<Answers> {
  const lists = fc
    .record({
      form: formArbitrary(onePage.pageSize),
      rows: fc.oneof(
        { weight: 3, arbitrary: rowsArbitrary(calendars, false) },
        { weight: isOfContent ? 2 : 0, arbitrary: rowsArbitrary(calendars, true) },
      ),
      // A part of those who engaged with the delivery, a row for each of them, or those who responded.
      made: fc.constantFrom(
        'alone',
        'alone',
        ...(isOfContent ? (['of some', 'of all', 'of responders'] as const) : []),
      ),
      idle: fc.constantFrom(0, 0, 0, 0, 1, 2, 8),
    })
    .map(({ form, rows: alone, made, idle }): Answers => (week, ownRows) => {
      const some = ownRows.map((row, place) => (place % 3 === 1 ? idleRow : row));
      const engaged = {
        alone: alone(week),
        'of all': some,
        'of some': some.filter((row) => row !== idleRow),
        'of responders': ownRows.filter(({ respondedAt }) => isSet(respondedAt)),
      }[made];
      return { ...form, rows: [...engaged, ...Array.from({ length: idle }, () => idleRow)] };
    });
  const always = fc.oneof(
    { weight: 24, arbitrary: lists },
    { weight: 2, arbitrary: faultArbitrary.map((fault) => () => fault) },
  );
  return fc.tuple(always, rarely(fc.tuple(fc.constantFrom(...calendars.keys()), faultArbitrary))).map(
    ([answers, fault]): Answers =>
      (week, ownRows) =>
        fault?.[0] === week ? fault[1] : answers(week, ownRows),
  );
}
