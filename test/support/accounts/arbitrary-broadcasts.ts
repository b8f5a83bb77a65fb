import fc from 'fast-check';
import type { AccountBroadcast } from './account.ts';
import type { Calendar } from './calendars.ts';
import { creationArbitrary } from './arbitrary-dates.ts';
import { idForm } from './arbitrary-ids.ts';

/** The most content items of a broadcast. */
export const mostItems = 3;

/** The names of an account's broadcasts; one has an accent of its own (NFD). */
export const broadcastNames = ['Bulletin Ash', 'Bulletin Birch', "Notice Ce\u0301dar's - new"] as const;

const oddTypes = ['Star-Rating', 'RATING', 'rating_of stars', 'operating', 'ratings'];

const typeArbitrary = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<unknown>(
      'text',
      'image',
      'Video',
      'multiple_choice',
      'rating',
      'starRating',
      ...oddTypes,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 4, '', '__proto__') },
);

const byArbitrary = fc.constantFrom<unknown>(
  { id: '7', firstName: 'Ada', lastName: 'Byron' },
  { firstName: 'Ada' },
  { firstName: 'Ada', lastName: "O'Neill" },
  { lastName: 'Byron' },
  { firstName: 1, lastName: null },
  undefined,
  null,
  'Ada Byron',
);

const brokenBroadcasts: ReadonlyArray<{ body: unknown } | { contents: unknown }> = [
  { body: null },
  { body: [] },
  { body: 'broadcast' },
  { body: { id: '1', content_items: [] } },
  { contents: undefined },
  { contents: null },
  { contents: { '1': 'text' } },
  { contents: 'text' },
  { contents: [{ type: 'text' }] },
  { contents: [{ id: '1', type: 'text' }, null] },
  { contents: [{ id: '', type: 'text' }] },
  { contents: [{ id: {}, type: 'text' }] },
];

/** A broadcast of an account, the `place`-th. */
export function broadcastArbitrary(place: number, calendar: Calendar): fc.Arbitrary<AccountBroadcast> {
  const name = broadcastNames[place] ?? '';
  const created = fc.oneof(
    { weight: 5, arbitrary: fc.record({ by: byArbitrary, at: creationArbitrary(calendar) }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 'today', {}, { at: null }) },
  );
  const header = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        name: fc.constantFrom<unknown>(name, name, `${name} 2`, null, 5),
        created,
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 'header', {}) },
  );
  const items = fc
    .array(fc.record({ form: idForm, type: typeArbitrary }), { maxLength: mostItems })
    .map((forms) => forms.map(({ form, type }, index) => ({ id: form(index), type })));
  const answer = fc.oneof(
    { weight: 20, arbitrary: fc.constant('whole' as const) },
    { weight: 1, arbitrary: fc.constantFrom(400, 403, 404, 410).map((status) => ({ status })) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenBroadcasts) },
  );
  const headerId = fc.constantFrom(...Array<'right'>(12).fill('right'), 'none' as const, 'another' as const);
  return fc.record({ id: idForm.map((form) => form(place)), name: fc.constant(name), items, answer, header, headerId });
}
