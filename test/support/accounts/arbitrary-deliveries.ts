import fc from 'fast-check';
import type { AccountDelivery, Calendar, FilterAnswer } from './account.ts';
import { broadcastNames, mostItems } from './arbitrary-broadcasts.ts';
import { idForm } from './arbitrary-ids.ts';
import { recipientsArbitrary } from './arbitrary-rows.ts';

/** Rows of the list of deliveries without an id to ask by. */
export const strayRows: readonly unknown[] = [
  null,
  'delivery',
  7,
  [],
  {},
  { id: null, status: 'delivered' },
  { id: '' },
  { id: true },
  { id: { value: 'd' } },
  { delivery: {} },
  { delivery: null },
  { delivery: 'd-1' },
  { delivery_id: 'd-1', status: 'delivered' },
];

const statusArbitrary = fc.oneof(
  { weight: 12, arbitrary: fc.constant<unknown>('delivered') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>('sending', 'draft', 'Delivered', 'constructor', '__proto__', 'toString'),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 3, {}, 'valueOf', 'hasOwnProperty', 'unknown') },
);

/** A delivery of an account, by its place in the list. */
export function deliveryArbitrary(calendar: Calendar): fc.Arbitrary<(place: number) => AccountDelivery> {
  const whole = { weight: 12, arbitrary: fc.constant('whole' as const) };
  return fc
    .record({
      form: idForm,
      wrapped: fc.boolean(),
      status: statusArbitrary,
      again: fc.constantFrom(null, null, null, null, null, null, 'same', 'delivered', 'sending'),
      // Some broadcasts have several deliveries.
      of: fc.constantFrom(0, 0, 1, broadcastNames.length - 1),
      broadcast: fc.oneof(whole, {
        weight: 1,
        arbitrary: fc.constantFrom(
          'nameless' as const,
          'name is no text' as const,
          'without id' as const,
          'empty id' as const,
          'no object' as const,
          'missing' as const,
        ),
      }),
      recipients: recipientsArbitrary(calendar, false),
      contents: fc.array(
        fc.record({
          list: recipientsArbitrary(calendar, true),
          filter: fc.constantFrom<FilterAnswer>('honest', 'honest', 'ignored', 'refused', 'forbidden'),
        }),
        { minLength: mostItems, maxLength: mostItems },
      ),
    })
    .map(({ form, again, ...delivery }) => (place: number): AccountDelivery => {
      const { status } = delivery;
      // Of two words that are not wanted nobody says which one counts.
      const other = again === 'same' || (again === 'sending' && status !== 'delivered') ? status : again;
      return { ...delivery, id: form(place), ...(again === null ? {} : { again: { status: other } }) };
    });
}
