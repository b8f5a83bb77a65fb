import fc from 'fast-check';
import type { AccountDelivery } from './account.ts';
import { broadcastNames, mostItems } from './arbitrary-broadcasts.ts';
import { idForm } from './arbitrary-ids.ts';
import { rarely, recipientsArbitrary } from './arbitrary-rows.ts';
import type { Calendar } from './calendars.ts';

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

const changes: ReadonlyArray<readonly [before: string, after: string]> = [
  ['sending', 'delivered'],
  ['sending', 'Delivered'],
  ['delivered', 'archived'],
];

/** How the list gives a delivery in each week; `null` where it does not. */
export type DeliveryByWeek = (week: number) => AccountDelivery | null;

/** A delivery of an account, by its place in the list. */
export function deliveryArbitrary(calendars: readonly Calendar[]): fc.Arbitrary<(place: number) => DeliveryByWeek> {
  const whole = { weight: 12, arbitrary: fc.constant('whole' as const) };
  const week = fc.constantFrom(...calendars.keys());
  return fc
    .record({
      form: idForm,
      wrapped: fc.boolean(),
      status: statusArbitrary,
      change: rarely(fc.tuple(week, fc.constantFrom(...changes))),
      again: fc.constantFrom(null, null, null, null, null, null, 'same', 'delivered', 'sending'),
      // Weeks in which the list has it: from one to another, but for one.
      listed: fc.record({ from: rarely(week), until: rarely(week), but: rarely(week) }),
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
      recipients: recipientsArbitrary(calendars, false),
      contents: fc.array(recipientsArbitrary(calendars, true), { minLength: mostItems, maxLength: mostItems }),
    })
    .map(({ form, again, change, listed, ...delivery }) => (place: number) => {
      const id = form(place);
      return (now: number): AccountDelivery | null => {
        const isListed = now >= (listed.from ?? 0) && now <= (listed.until ?? now) && now !== listed.but;
        if (!isListed && calendars.length > 1) return null;
        const [at, [before, after]] = change ?? [0, [delivery.status, delivery.status]];
        const status = now < at ? before : after;
        // Of two words that are not wanted nobody says which one counts.
        const isSame = again === 'same' || (again === 'sending' && String(status).toLowerCase() !== 'delivered');
        const recipients = delivery.recipients(now, []);
        const own = 'rows' in recipients ? recipients.rows : [];
        const contents = delivery.contents.map((answers) => answers(now, own));
        const twice = again === null ? {} : { again: { status: isSame ? status : again } };
        return { ...delivery, id, status, recipients, contents, ...twice };
      };
    });
}
