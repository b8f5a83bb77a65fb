import fc from 'fast-check';
import { calendars, type Account, type Calendar } from './account.ts';
import { broadcastArbitrary, broadcastNames } from './arbitrary-broadcasts.ts';
import { deliveryArbitrary, strayRows } from './arbitrary-deliveries.ts';
import { deliveryListArbitrary } from './arbitrary-rows.ts';

const mostDeliveries = 5;

function accountsOf(calendar: Calendar): fc.Arbitrary<Account> {
  return fc
    .record({
      calendar: fc.constant(calendar),
      statuses: fc.constantFrom(['delivered'], ['delivered'], ['delivered'], ['delivered', 'sending']),
      broadcastName: fc.constantFrom(null, null, null, null, 'bulletin', 'Ash'),
      contentRecipients: fc.constantFrom('auto', 'auto', 'auto', 'audience', 'engaged'),
      informingTypes: fc.constantFrom(
        ['text', 'image', 'video', 'audio', 'file', 'document'],
        ['text', 'image', 'video', 'audio', 'file', 'document'],
        ['RATING', 'starRating', ''],
      ),
      ratingFilter: fc.constantFrom(true, true, true, false),
      deliveries: fc.array(deliveryArbitrary(calendar), { maxLength: mostDeliveries }),
      broadcasts: fc.tuple(...broadcastNames.map((_, place) => broadcastArbitrary(place, calendar))),
      strayRows: fc.oneof(
        { weight: 12, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(...strayRows), { minLength: 1, maxLength: 2 }) },
      ),
      list: deliveryListArbitrary,
    })
    .map((account) => {
      const deliveries = account.deliveries.map((form, place) => {
        const delivery = form(place);
        // Whether a report covers a delivery without a name cannot be known.
        return account.broadcastName === null ? delivery : Object.assign(delivery, { broadcast: 'whole' as const });
      });
      return Object.assign({}, account, { deliveries });
    });
}

/** Accounts of every shape: what the interface documents, what it leaves open, and what it rules out. */
export const accountArbitrary: fc.Arbitrary<Account> = fc
  .constantFrom(...calendars.map((calendar) => accountsOf(calendar)))
  .chain((accounts) => accounts);
