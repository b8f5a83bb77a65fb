import fc from 'fast-check';
import { recipientOf, writeJson, type ListAnswer, type ListInPages } from './account.ts';
import { isSet } from './dates.ts';
import { dateArbitrary, freshDateArbitrary, nullDates } from './arbitrary-dates.ts';
import type { Calendar } from './calendars.ts';
import { endingOf, endingsOfArrays, endingsOfDeliveries, endingsOfObjects, pagesOf, ways } from './paging.ts';

/** How the rows of one list say what recipients did; in those that are fresh nothing happened before the rows came. */
const rowStyles = [
  ...(['fresh', 'fresh', 'fresh', 'fresh', 'documented', 'documented', 'documented', 'documented'] as const),
  ...(['mixed', 'mixed', 'foreign'] as const),
];

/** The rows of a list in each of some weeks, which are counted from 0. */
type Rows = (week: number) => unknown[];

/** Rows of a recipient list that come week by week; with `rated`, some carry ratings. Some vanish again. */
function rowsArbitrary(calendars: readonly Calendar[], rated: boolean): fc.Arbitrary<Rows> {
  const weeks = calendars.map((calendar) => rowsOfWeek(calendar, rated));
  const until = fc.constantFrom(...Array<number>(20).fill(calendars.length), ...calendars.keys());
  const rowsOf = (style: (typeof rowStyles)[number]): fc.Arbitrary<Rows> => {
    const row = fc.oneof(...weeks.map((ofStyle, from) => ofStyle[style].map((one) => ({ row: one, from }))));
    return fc
      .array(fc.tuple(row, until), { maxLength: calendars.length > 1 ? 10 : 6 })
      .map(
        (rows) => (week) =>
          rows.flatMap(([{ row: one, from }, end]) => (week >= from && week < Math.max(end, 1) ? [one] : [])),
      );
  };
  // So many that a few without a date are less than a tenth of them; in some, nobody says who saw it.
  const crowds = weeks.map(({ crowd }, from) =>
    fc
      .tuple(fc.array(crowd, { minLength: 30, maxLength: 40 }), fc.constantFrom(true, true, true, true, false))
      .map(([rows, areSeen]) => (week: number) => {
        if (week < from) return [];
        return areSeen ? rows : rows.map((row) => ({ ...row, seenAt: null }));
      }),
  );
  return fc
    .tuple(fc.constantFrom(...rowStyles), fc.constantFrom<Wrapping>('bare', 'bare', 'wrapped', 'either'))
    .chain(([style, wrapping]) =>
      fc
        .oneof({ weight: 6, arbitrary: rowsOf(style) }, { weight: rated ? 0 : 1, arbitrary: fc.oneof(...crowds) })
        .map((rows) => (week: number) => rows(week).map((row, place) => wrap(row, place, wrapping))),
    );
}

/** Rows that come in the week after a period. */
function rowsOfWeek(calendar: Calendar, rated: boolean) {
  const date = dateArbitrary(calendar);
  const unset = fc.constantFrom<unknown>(...Array<null>(9).fill(null), false, ...nullDates);
  const orNot = (of: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: of }, { weight: 2, arbitrary: unset });
  const happened = orNot(date);
  const rating = rated ? ratingArbitrary : fc.constant(undefined);
  const documented = fc.record({ seenAt: happened, respondedAt: happened, rating });
  const soon = orNot(freshDateArbitrary(calendar));
  const fresh = fc.record({ seenAt: soon, respondedAt: soon, rating });
  const lacking = fc.oneof(
    fc.record({ seenAt: happened, rating }),
    fc.record({ respondedAt: happened, id: fc.constant('u1') }),
  );
  const foreign = fc.oneof(
    fc.record({ seen_at: date, responded_at: happened, rating }),
    fc.record({ seen: fc.record({ at: date }), responded: fc.constant(null) }),
    fc.record({ SeenAt: date, RespondedAt: happened }),
    fc.constantFrom<unknown>('u-1', 17, null, [], ['2026-11-10T08:00:00Z'], {}, true, { id: 'u-1' }, { recipient: 5 }),
  );
  const mixed = fc.oneof(
    { weight: 4, arbitrary: documented },
    { weight: 2, arbitrary: lacking },
    { weight: 1, arbitrary: foreign },
  );
  const early = fc.constantFrom(before(calendar, 5), before(calendar, 10));
  const mostlySoon = fc.oneof({ weight: 40, arbitrary: freshDateArbitrary(calendar) }, { weight: 1, arbitrary: early });
  const crowd = fc.record({ seenAt: mostlySoon, respondedAt: soon });
  return { fresh, documented, mixed, foreign, crowd };
}

/** So many days before a period. */
function before({ start }: Calendar, days: number): string {
  return new Date(Date.parse(start) - days * 86_400_000).toISOString();
}

type Wrapping = 'bare' | 'wrapped' | 'either';

function wrap(row: unknown, place: number, wrapping: Wrapping): unknown {
  const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
  const isWrapped = wrapping === 'wrapped' || (wrapping === 'either' && place % 2 === 1);
  return isObject && isWrapped ? { recipient: row, position: place } : row;
}

const ratingArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(1, 2, 3, 4, 5, '5', '4', 4.5, '4.50', '-1', 0, 10) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(undefined, null, '', false) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('4,5', { value: 4 }, 'good', true, [4], '★★★★') },
);

/** Lists with ratings on which every rating differs: as many as are counted at most, and one more. */
const manyRatings: fc.Arbitrary<Rows> = fc
  .constantFrom(1_000, 1_001)
  .map((count) => () => Array.from({ length: count }, (_, rating) => ({ seenAt: null, respondedAt: null, rating })));

/** Bodies that are no list, or more than one. */
const noLists: readonly unknown[] = [
  {},
  null,
  5,
  'recipients',
  { data: { items: [] } },
  { total: 0 },
  { recipients: [{ seenAt: null, respondedAt: null }], error: 'timeout' },
  { data: [], errors: [{ code: 5 }] },
  { data: [], errorMessage: 'timeout' },
  { data: [], errorCode: 17 },
];

const statusArbitrary = fc.constantFrom(204, 302, 400, 403, 404, 410).map((status) => ({ status }));
const noListArbitrary = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...noLists).map((body) => ({ body })) },
  { weight: 1, arbitrary: fc.constant({ body: { data: [] }, contentType: 'application/problem+json' }) },
);
/** Answers that are no list. */
export const faultArbitrary = fc.oneof(
  { weight: 3, arbitrary: statusArbitrary },
  { weight: 1, arbitrary: noListArbitrary },
);

/** How the rows of a list come. */
function pagingArbitrary(names: readonly string[], endings: readonly string[]) {
  const size = { pageSize: fc.integer({ min: 1, max: 4 }), emptyPages: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3, 4) };
  const inArray = fc.record({
    wrapper: fc.constant(null),
    way: fc.constant('Link header'),
    ending: mostlyPlain(endings.filter((ending) => ending in endingsOfArrays)),
    ...size,
  });
  const inObject = fc.record({
    wrapper: fc.constantFrom(...names),
    way: fc.constantFrom(...Object.keys(ways)),
    ending: mostlyPlain(endings),
    ...size,
  });
  const whole = fc.record({
    wrapper: fc.constantFrom(null, ...names),
    way: fc.constant('Link header'),
    ending: fc.constant('plain'),
    pageSize: fc.constant(10_000),
    emptyPages: fc.constant(0),
  });
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: inArray },
    { weight: 3, arbitrary: inObject },
  );
}

function mostlyPlain(endings: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('plain') },
    { weight: 1, arbitrary: fc.constantFrom(...endings) },
  );
}

/** How the list of deliveries comes. */
export const deliveryListArbitrary = fc.oneof(
  { weight: 30, arbitrary: pagingArbitrary(['deliveries', 'data', 'content', 'value'], endingsOfDeliveries) },
  { weight: 1, arbitrary: statusArbitrary },
  { weight: 1, arbitrary: noListArbitrary },
);

/**
 * A list in pages of which none is there twice by chance, and of so many that they are soon asked for; one that contradicts
 * itself has two rows or more on one page, or else nobody could tell.
 */
export function inPages(paging: Omit<ListInPages, 'rows'>, rows: unknown[]): ListInPages {
  const list = { ...paging, rows, pageSize: rows.length > 12 ? 10 * paging.pageSize : paging.pageSize };
  if (endingOf(paging).means === 'contradicted') {
    return rows.length < 2 ? { ...list, ending: 'plain' } : { ...list, pageSize: 10_000, emptyPages: 0 };
  }
  const pages = pagesOf(list).flatMap((page) => (page.length === 0 ? [] : [writeJson(page)]));
  return rows.length > 100 || new Set(pages).size < pages.length ? { ...list, pageSize: 10_000 } : list;
}

/** Answers of a recipient list's address in each week; those of a content item may be made of its delivery's `own` rows. */
export type Answers = (week: number, own: readonly unknown[]) => ListAnswer;

const nobody = { seenAt: null, respondedAt: null };

export function recipientsArbitrary(calendars: readonly Calendar[], isOfContent: boolean): fc.Arbitrary<Answers> {
  const rows = fc.oneof(
    { weight: isOfContent ? 100 : 1, arbitrary: rowsArbitrary(calendars, false) },
    { weight: isOfContent ? 60 : 0, arbitrary: rowsArbitrary(calendars, true) },
    { weight: isOfContent ? 1 : 0, arbitrary: manyRatings },
  );
  const lists = fc
    .record({
      paging: pagingArbitrary(['recipients', 'data', 'items', 'content', 'value'], Object.keys(endingsOfObjects)),
      rows,
      // A part of those who engaged with the delivery, a row for each of them, or those who responded.
      made: fc.constantFrom(
        'alone',
        'alone',
        ...(isOfContent ? (['of some', 'of all', 'of responders'] as const) : []),
      ),
      idle: fc.constantFrom(0, 0, 0, 0, 1, 2, 8),
    })
    .map(({ paging, rows: alone, made, idle }): Answers => (week, own) => {
      const some = own.map((row, place) => (place % 3 === 1 ? nobody : row));
      const engaged = {
        alone: alone(week),
        'of all': some,
        'of some': some.filter((row) => row !== nobody),
        'of responders': own.filter((row) => isSet(recipientOf(row)['respondedAt'])),
      }[made];
      return inPages(paging, [...engaged, ...Array.from({ length: idle }, () => nobody)]);
    });
  const one = fc.oneof(
    { weight: 24, arbitrary: lists },
    { weight: 2, arbitrary: faultArbitrary.map((fault) => () => fault) },
  );
  return fc.tuple(one, rarely(fc.tuple(fc.constantFrom(...calendars.keys()), faultArbitrary))).map(
    ([answers, fault]) =>
      (week, own) =>
        fault?.[0] === week ? fault[1] : answers(week, own),
  );
}

/** Something, or mostly nothing. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}
