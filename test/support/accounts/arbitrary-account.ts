import fc from 'fast-check';
import { isSet } from '../oracle/dates.ts';
import type { Account, AccountDelivery, FilterAnswer, ListAnswer, RecipientRow } from './account.ts';
import { broadcastArbitrary, broadcastNames, deliveryArbitrary, type DeliveryByWeek } from './arbitrary-deliveries.ts';
import { faultArbitrary, formArbitrary, rarely, unreadableDate } from './arbitrary-rows.ts';
import { weeksArbitrary } from './arbitrary-weeks.ts';
import { successions, type Calendar } from './calendars.ts';

const mostDeliveries = 5;

/** An account in successive periods of one report, of which it is the only one. */
export type Scenario = readonly Account[];

const informing = ['text', 'image', 'video', 'audio', 'file', 'document'];

/** What a report is about. */
const filtersArbitrary = fc.record({
  statuses: fc.constantFrom(['delivered'], ['delivered'], ['delivered'], ['DELIVERED'], ['delivered', 'sending']),
  only: fc.constantFrom<Account['only']>(
    ...Array<null>(7).fill(null),
    { broadcastName: 'bulletin' },
    { broadcastName: 'Ash' },
    { broadcastName: 'nowhere' },
    { createdBy: 'ada byron' },
    { createdBy: 'Ada' },
    { contentType: 'Text' },
    { contentType: 'rating' },
    { createdBy: 'Ada Byron', broadcastName: 'bulletin' },
  ),
  except: fc.constantFrom<Account['except']>(
    ...Array<null>(9).fill(null),
    { broadcastName: 'BIRCH' },
    { createdBy: 'ADA BYRON' },
    { contentType: 'Poll' },
    { createdBy: 'ada', broadcastName: 'ash' },
  ),
  minimumGroup: fc.constantFrom(10, 10, 0, 5),
  informingTypes: fc.constantFrom(informing, informing, informing, ['RATING', 'starRating', '']),
});

function scenariosOf(periods: readonly Calendar[]): fc.Arbitrary<Scenario> {
  const [first] = periods;
  if (first === undefined) throw new RangeError('A scenario has a period.');
  const week = fc.constantFrom(...periods.keys());
  const isSingle = periods.length === 1;
  // What is so in one week alone, or from it on.
  const inSomeWeek = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly [number, T] | null> =>
    isSingle ? fc.constant(null) : rarely(fc.tuple(week, arbitrary));
  return (
    fc
      .record({
        ratingFilter: fc.constantFrom<FilterAnswer>('honest', 'honest', 'honest', 'refused', 'off'),
        deliveries: fc
          .array(deliveryArbitrary(periods), { maxLength: mostDeliveries })
          .map((deliveries) => deliveries.map((deliveryAt, place) => deliveryAt(place))),
        broadcasts: fc.tuple(...broadcastNames.map((_, place) => broadcastArbitrary(place, first))),
        list: formArbitrary(2, Infinity),
        filters: filtersArbitrary,
        newFilters: inSomeWeek(filtersArbitrary),
        moved: inSomeWeek(fc.constant(1 as const)),
        noList: inSomeWeek(faultArbitrary),
        empty: inSomeWeek(fc.constantFrom(1, 2)),
        unreadable: fc
          .record({ week, every: fc.constantFrom(1, 2), alone: fc.constantFrom(null, 0, 1) })
          .chain((garbling) => fc.constantFrom(isSingle ? null : garbling, null, null, null)),
        noBroadcast: inSomeWeek(fc.constantFrom(403, 404, 410)),
      })
      // What a run was told of a broadcast for another delivery, it knows of one that is not wanted yet: that is not worked out here.
      .filter(({ noBroadcast, deliveries }) => noBroadcast === null || !deliveries.some(isSentLater))
      .map(({ ratingFilter, deliveries, broadcasts, list, filters, ...changing }) =>
        periods.map((calendar, now): Account => {
          const { newFilters, moved, noList, empty, unreadable, noBroadcast } = changing;
          const report = newFilters !== null && now >= newFilters[0] ? newFilters[1] : filters;
          const isEmpty = empty !== null && now >= empty[0] && now < empty[0] + empty[1];
          const listed = isEmpty ? [] : deliveries.flatMap((deliveryIn) => deliveryIn(now) ?? []);
          const garbling = unreadable?.week === now ? unreadable : null;
          const isGarbled = (place: number): boolean => garbling?.alone === null || garbling?.alone === place;
          return {
            ...report,
            calendar,
            ratingFilter,
            host: moved !== null && now >= moved[0] ? 1 : 0,
            deliveries: listed.map((delivery, place) =>
              isGarbled(place) ? garbled(delivery, garbling?.every ?? 1) : delivery,
            ),
            broadcasts: broadcasts.map((broadcast) =>
              noBroadcast?.[0] === now ? { ...broadcast, status: noBroadcast[1] } : broadcast,
            ),
            list: noList?.[0] === now ? noList[1] : list,
          };
        }),
      )
  );
}

/** Whether a list has a delivery before it is delivered. */
function isSentLater(deliveryIn: DeliveryByWeek): boolean {
  return [0, 1, 2, 3, 4].some((week) => deliveryIn(week)?.status === 'sending');
}

/** With the dates of one row in so many of its lists written as nobody can read them. */
function garbled(delivery: AccountDelivery, every: number): AccountDelivery {
  const ofList = (list: ListAnswer): ListAnswer =>
    'rows' in list
      ? { ...list, rows: list.rows.map((row, place) => (place % every === 0 ? garbledRow(row) : row)) }
      : list;
  return { ...delivery, recipients: ofList(delivery.recipients), contents: delivery.contents.map(ofList) };
}

function garbledRow({ seenAt, respondedAt, ...row }: RecipientRow): RecipientRow {
  return { ...row, seenAt: garbledDate(seenAt), respondedAt: garbledDate(respondedAt) };
}

function garbledDate(date: unknown): unknown {
  return isSet(date) ? unreadableDate : date;
}

/** Accounts of every shape, what the interface documents, what it leaves open and what it rules out: one period, or several. */
export const scenarioArbitrary: fc.Arbitrary<Scenario> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...successions).chain((periods) => scenariosOf(periods.slice(-1))) },
  { weight: 4, arbitrary: fc.constantFrom(...successions).chain(scenariosOf) },
  { weight: 2, arbitrary: weeksArbitrary },
);
