import fc from 'fast-check';
import type { AccountBroadcast, AccountDelivery } from './account.ts';
import { creationArbitrary, rarely, recipientsArbitrary } from './arbitrary-rows.ts';
import type { Calendar } from './calendars.ts';

/** The names of an account's broadcasts. */
export const broadcastNames = ['Bulletin Ash', 'Bulletin Birch', 'Notice Cedar'] as const;

const mostItems = 3;

/** Identifiers by the place of what they identify, mostly usual ones. */
const idArbitrary: fc.Arbitrary<(place: number) => string> = fc.constantFrom(
  ...Array<(place: number) => string>(8).fill((place) => `5b9e${place}c1d-0000-4000-8000-00000000000${place}`),
  (place) => `a/b ${place}?c=%2F#ü`,
  (place) => ['__proto__', 'constructor', 'toString'][place] ?? `valueOf${place}`,
);

/** A broadcast of an account, the `place`-th. */
export function broadcastArbitrary(place: number, calendar: Calendar): fc.Arbitrary<AccountBroadcast> {
  const name = broadcastNames[place] ?? '';
  const by = fc.constantFrom({ firstName: 'Ada', lastName: 'Byron' }, { firstName: 'Ada' }, { lastName: 'Byron' }, {});
  return fc.record(
    {
      id: idArbitrary.map((idAt) => idAt(place)),
      name: fc.constant(name),
      items: fc
        .array(
          fc.tuple(
            idArbitrary,
            fc.constantFrom('text', 'image', 'Video', 'poll', 'rating', 'starRating', 'rating', ''),
          ),
          { maxLength: mostItems },
        )
        .map((items) => items.map(([idAt, type], index) => ({ id: idAt(index), type }))),
      header: fc.record(
        {
          name: fc.constantFrom(name, name, `${name} 2`),
          created: fc.record({ by, at: creationArbitrary(calendar) }),
        },
        { requiredKeys: [] },
      ),
      status: rarely(fc.constantFrom(200, 400, 403, 404, 410)).map((status) => status ?? undefined),
    },
    { requiredKeys: ['id', 'name', 'items', 'header'] },
  ) as fc.Arbitrary<AccountBroadcast>;
}

/** How the list gives a delivery in each week; `null` where it does not. */
export type DeliveryByWeek = (week: number) => AccountDelivery | null;

/** A delivery of an account, by its place in the list. */
export function deliveryArbitrary(calendars: readonly Calendar[]): fc.Arbitrary<(place: number) => DeliveryByWeek> {
  const week = fc.constantFrom(...calendars.keys());
  const changes = [
    ['sending', 'delivered'],
    ['sending', 'Delivered'],
    ['delivered', 'archived'],
  ] as const;
  return fc
    .record({
      idAt: idArbitrary,
      status: fc.constantFrom(...Array<string>(12).fill('delivered'), 'sending', 'draft', 'Delivered', '__proto__'),
      change: rarely(fc.tuple(week, fc.constantFrom(...changes))),
      again: rarely(fc.constantFrom('delivered', 'sending')),
      // Weeks in which the list has it: from one to another, but for one.
      listed: fc.record({ from: rarely(week), until: rarely(week), but: rarely(week) }),
      // Some broadcasts have several deliveries.
      broadcast: fc.constantFrom(0, 0, 1, broadcastNames.length - 1),
      recipients: recipientsArbitrary(calendars, false),
      contents: fc.array(recipientsArbitrary(calendars, true), { minLength: mostItems, maxLength: mostItems }),
    })
    .map(({ idAt, change, listed, again, ...delivery }) => (place: number) => (now: number) => {
      const isListed = now >= (listed.from ?? 0) && now <= (listed.until ?? now) && now !== listed.but;
      if (!isListed && calendars.length > 1) return null;
      const [at, [before, after]] = change ?? [0, [delivery.status, delivery.status]];
      const recipients = delivery.recipients(now, []);
      const ownRows = 'rows' in recipients ? recipients.rows : [];
      return {
        id: idAt(place),
        status: now < at ? before : after,
        ...(again === null ? {} : { again }),
        broadcast: delivery.broadcast,
        recipients,
        contents: delivery.contents.map((answers) => answers(now, ownRows)),
      };
    });
}
