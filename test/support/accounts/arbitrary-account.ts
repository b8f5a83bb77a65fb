import fc from 'fast-check';
import { rowsOfList, type Account, type AccountDelivery, type FilterAnswer, type ListAnswer } from './account.ts';
import { broadcastArbitrary, broadcastNames } from './arbitrary-broadcasts.ts';
import { unreadableDate } from './arbitrary-dates.ts';
import { deliveryArbitrary, strayRows } from './arbitrary-deliveries.ts';
import { deliveryListArbitrary, faultArbitrary, inPages, rarely } from './arbitrary-rows.ts';
import { weeksArbitrary } from './arbitrary-weeks.ts';
import { calendars, successions, type Calendar } from './calendars.ts';
import { isSet } from './dates.ts';

const mostDeliveries = 5;

/** An account in successive periods of one report, of which it is the only one. */
export type Scenario = readonly Account[];

const informing = ['text', 'image', 'video', 'audio', 'file', 'document'];

/** What a report is about. */
const filtersArbitrary = fc.record({
  statuses: fc.constantFrom(['delivered'], ['delivered'], ['delivered'], ['DELIVERED'], ['delivered', 'sending']),
  only: fc.constantFrom<Account['only']>(
    ...Array<null>(7).fill(null),
    ...['bulletin', 'Ash', 'c\u00e9dar', 'CEDAR\u2019s \u2014 new', 'nowhere'].map((broadcastName) => ({
      broadcastName,
    })),
    ...['ada  byron', 'Ada', '\u00c1da O\u2019Neill'].map((createdBy) => ({ createdBy })),
    ...['Text', 'rating', 'multiple choice', 'star\u00ad rating'].map((contentType) => ({ contentType })),
    { createdBy: 'Ada Byron', broadcastName: 'bulletin' },
  ),
  except: fc.constantFrom<Account['except']>(
    ...Array<null>(9).fill(null),
    { broadcastName: 'BIRCH' },
    { createdBy: 'ADA BYRON' },
    { contentType: 'Multiple-Choice' },
    { createdBy: 'ada', broadcastName: 'ash' },
  ),
  minimumGroup: fc.constantFrom(10, 10, 0, 5),
  informingTypes: fc.constantFrom(informing, informing, informing, ['RATING', 'starRating', '']),
});

function scenariosOf(periods: readonly Calendar[]): fc.Arbitrary<Scenario> {
  const [first] = periods;
  if (first === undefined) throw new RangeError('A scenario has a period.');
  const week = fc.constantFrom(...periods.keys());
  return fc
    .record({
      filters: filtersArbitrary,
      deliveryRecipients: fc.constantFrom('auto', 'auto', 'auto', 'auto', 'audience', 'engaged'),
      contentRecipients: fc.constantFrom('auto', 'auto', 'auto', 'auto', 'audience', 'engaged'),
      ratingFilter: fc.constantFrom<FilterAnswer>(
        ...(['honest', 'honest', 'honest', 'ignored', 'refused', 'forbidden', 'of ten', 'one more', 'off'] as const),
      ),
      // From which week on it is another account.
      moved: rarely(week),
      deliveries: fc
        .array(deliveryArbitrary(periods), { maxLength: mostDeliveries })
        .map((forms) => forms.map((form, place) => form(place))),
      broadcasts: fc.tuple(...broadcastNames.map((_, place) => broadcastArbitrary(place, first))),
      stray: rarely(fc.tuple(week, fc.uniqueArray(fc.constantFrom(...strayRows), { minLength: 1, maxLength: 2 }))),
      list: deliveryListArbitrary,
      // What is so in one week alone, or from it on.
      newFilters: rarely(fc.tuple(week, filtersArbitrary)),
      noList: rarely(fc.tuple(week, faultArbitrary)),
      empty: rarely(fc.tuple(week, fc.constantFrom(1, 2))),
      unreadable: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.record({ week, every: fc.constantFrom(1, 2), alone: fc.constantFrom(null, 0, 1) }) },
      ),
      noBroadcast: rarely(fc.tuple(week, fc.constantFrom(403, 404, 410))),
    })
    .map(({ filters, newFilters, ...shape }) =>
      periods.map((calendar, now): Account => {
        const { stray, noList, empty, unreadable, noBroadcast, moved, ...account } = shape;
        const isOne = periods.length === 1;
        const asked = newFilters !== null && now >= newFilters[0] && !isOne ? newFilters[1] : filters;
        const isEmpty = !isOne && empty !== null && now >= empty[0] && now < empty[0] + empty[1];
        const listed = isEmpty ? [] : account.deliveries.flatMap((delivery) => delivery(now) ?? []);
        const isUnreadable = (place: number): boolean =>
          !isOne && unreadable?.week === now && (unreadable.alone === null || unreadable.alone === place);
        const made: Account = {
          ...account,
          ...asked,
          calendar,
          host: moved !== null && now >= moved ? 1 : 0,
          deliveries: listed.map((delivery, place) =>
            named(isUnreadable(place) ? garbled(delivery, unreadable?.every ?? 1) : delivery, asked),
          ),
          broadcasts: account.broadcasts.map((broadcast) =>
            noBroadcast?.[0] === now && !isOne ? { ...broadcast, answer: { status: noBroadcast[1] } } : broadcast,
          ),
          strayRows: stray?.[0] === now && !isEmpty ? stray[1] : [],
          list: noList?.[0] === now && !isOne ? noList[1] : account.list,
        };
        if (!('wrapper' in made.list)) return made;
        const { rows: _rows, ...list } = inPages(made.list, rowsOfList(made));
        return { ...made, list };
      }),
    );
}

/** Whether a report covers what is nameless is asked of its broadcast, and that is not said of what it does not count. */
function named(delivery: AccountDelivery, { statuses, only, except }: Pick<Account, 'statuses' | 'only' | 'except'>) {
  const words = new Set([delivery.status, delivery.again?.status].map((word) => String(word).toLowerCase()));
  const isWanted = statuses.some((word) => words.has(word.toLowerCase()));
  const isAsked = (only === null && except === null) || isWanted;
  return isAsked ? delivery : { ...delivery, broadcast: 'whole' as const };
}

const dateFields = new Set(['seenAt', 'respondedAt']);

function garble(row: unknown): unknown {
  return JSON.parse(JSON.stringify(row), (field, value: unknown) =>
    dateFields.has(field) && isSet(value) ? unreadableDate : value,
  );
}

/** With the dates of one row in so many of its lists written as nobody can read them. */
function garbled(delivery: AccountDelivery, every: number): AccountDelivery {
  const ofList = (list: ListAnswer): ListAnswer =>
    'rows' in list
      ? inPages(
          list,
          list.rows.map((row, place) => (place % every === 0 ? garble(row) : row)),
        )
      : list;
  return {
    ...delivery,
    recipients: ofList(delivery.recipients),
    contents: delivery.contents.map(ofList),
  };
}

/** Accounts of every shape, what the interface documents, what it leaves open and what it rules out: one period, or several. */
export const scenarioArbitrary: fc.Arbitrary<Scenario> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom(...calendars.map((calendar) => scenariosOf([calendar]))) },
    { weight: 4, arbitrary: fc.constantFrom(...successions.map(scenariosOf)) },
    { weight: 2, arbitrary: fc.constant(weeksArbitrary) },
  )
  .chain((scenarios) => scenarios);
