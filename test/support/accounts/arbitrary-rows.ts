import fc from 'fast-check';
import type { Calendar, ListAnswer } from './account.ts';
import { dateArbitrary } from './arbitrary-dates.ts';
import { endingsOfArrays, endingsOfObjects, ways } from './paging.ts';

/** How the rows of one list say what recipients did. */
const rowStyles = ['documented', 'documented', 'documented', 'documented', 'documented', 'mixed', 'foreign'] as const;

/** Rows of a recipient list; with `rated`, some carry ratings. */
function rowsArbitrary(calendar: Calendar, rated: boolean): fc.Arbitrary<unknown[]> {
  const date = dateArbitrary(calendar);
  const unset = fc.constantFrom<unknown>(null, null, null, null, '', false);
  const happened = fc.oneof({ weight: 3, arbitrary: date }, { weight: 2, arbitrary: unset });
  const rating = rated ? ratingArbitrary : fc.constant(undefined);
  const documented = fc.record({ seenAt: happened, respondedAt: happened, rating });
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
  const ofStyle = { documented: rowsOf(documented), mixed: rowsOf(mixed), foreign: rowsOf(foreign) };
  return fc
    .tuple(fc.constantFrom(...rowStyles), fc.constantFrom<Wrapping>('bare', 'bare', 'wrapped', 'either'))
    .chain(([style, wrapping]) => ofStyle[style].map((rows) => rows.map((row, place) => wrap(row, place, wrapping))));
}

function rowsOf(row: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  return fc.array(row, { maxLength: 6 });
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
const manyRatings = fc
  .constantFrom(1_000, 1_001)
  .map((count) => Array.from({ length: count }, (_, rating) => ({ seenAt: null, respondedAt: null, rating })));

/** Bodies that are no list, or more than one. */
const noLists: readonly unknown[] = [
  {},
  null,
  5,
  'recipients',
  { data: { items: [] } },
  { total: 0 },
  { recipients: [], errors: [] },
];

const statusArbitrary = fc.constantFrom(302, 400, 403, 404, 410).map((status) => ({ status }));
const noListArbitrary = fc.constantFrom(...noLists).map((body) => ({ body }));

/** How the rows of a list come. */
export function pagingArbitrary(names: readonly string[]) {
  const size = { pageSize: fc.integer({ min: 1, max: 4 }), emptyPages: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3, 4) };
  const inArray = fc.record({
    wrapper: fc.constant(null),
    way: fc.constant('Link header'),
    ending: mostlyPlain(Object.keys(endingsOfArrays)),
    ...size,
  });
  const inObject = fc.record({
    wrapper: fc.constantFrom(...names),
    way: fc.constantFrom(...Object.keys(ways)),
    ending: mostlyPlain(Object.keys(endingsOfObjects)),
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
    { weight: 6, arbitrary: whole },
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
  { weight: 30, arbitrary: pagingArbitrary(['deliveries', 'data', 'content', 'value']) },
  { weight: 1, arbitrary: statusArbitrary },
  { weight: 1, arbitrary: noListArbitrary },
);

/** Answers of a recipient list's address. */
export function recipientsArbitrary(calendar: Calendar, isOfContent: boolean): fc.Arbitrary<ListAnswer> {
  const rows = fc.oneof(
    { weight: isOfContent ? 100 : 1, arbitrary: rowsArbitrary(calendar, false) },
    { weight: isOfContent ? 60 : 0, arbitrary: rowsArbitrary(calendar, true) },
    { weight: isOfContent ? 1 : 0, arbitrary: manyRatings },
  );
  const inPages = fc
    .tuple(pagingArbitrary(['recipients', 'data', 'items', 'content', 'value']), rows)
    // A thousand rows in pages of one would be a thousand requests.
    .map(([paging, all]) => Object.assign({}, paging, { rows: all }, all.length > 100 ? { pageSize: 10_000 } : {}));
  return fc.oneof(
    { weight: 24, arbitrary: inPages },
    { weight: 1, arbitrary: statusArbitrary },
    { weight: 1, arbitrary: noListArbitrary },
  );
}
