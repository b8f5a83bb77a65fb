import { Temporal } from 'temporal-polyfill';
import { comparable } from '../domain/folding.ts';
import type { ListFacts } from '../domain/facts.ts';
import { dayMs } from '../domain/period.ts';
import { seriesOf } from '../domain/series.ts';
import { broadcastOf, engagedBy, reachedBy, saysViews, type Composing, type Delivery } from './deliveries.ts';

/** What is usual of a series is that of the latest days on which it began, of at least so many. */
const daysOfSeries = { fewest: 3, most: 8 };
const fewestTogether = 3;
/** What is usual of an account is that of its latest deliveries, of at least so many of so many broadcasts. */
const ofAccount = { fewest: 10, broadcasts: 5, most: 40 };
const fewestUnknown = 5;

/** A delivery that others may be compared with. */
type Past = Delivery & { list: ListFacts; beginMs: number };

/** What is usual of deliveries that are like one, at the age at which it is judged. */
export type Usual = ReturnType<typeof usualIn>;

/**
 * Compares each delivery with those of its series, else with those that began with it, else with earlier ones of the account: with
 * those that were read at that age or later, whose audience is between half and twice as large, and that are no later deliveries
 * of their broadcast, which may be reminders.
 */
export function usualIn(composing: Composing) {
  const { account, options, endMs, ofAgeMs } = composing;
  const end = Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(options.period.timeZone);
  const midnightMs = end.startOfDay().epochMilliseconds;
  const dayOf = ({ beginMs }: Delivery): number => Math.floor(((beginMs ?? Number.NaN) - midnightMs) / dayMs);
  const latestFirst = account.deliveries
    .filter((other): other is Past => other.list !== null && other.beginMs !== null)
    .filter((other) => !other.isLater && other.list.readMs >= ofAgeMs(other))
    .toSorted((a, b) => b.beginMs - a.beginMs);
  const seriesKey = seriesKeys(composing, dayOf);
  const bySeries = Map.groupBy(latestFirst, ({ key }) => seriesKey.get(key));
  const byBroadcast = Map.groupBy(latestFirst, ({ key }) => key);

  const latestOfSeries = (delivery: Delivery, isLike: (other: Past) => boolean): Past[] => {
    const series = bySeries.get(seriesKey.get(delivery.key)) ?? [];
    const earlier = series.filter(
      (other) => other.key !== delivery.key && dayOf(other) < dayOf(delivery) && isLike(other),
    );
    const days = [...new Set(earlier.map(dayOf))].slice(0, daysOfSeries.most);
    return days.length < daysOfSeries.fewest ? [] : earlier.filter((other) => days.includes(dayOf(other)));
  };
  const latestOfAccount = (delivery: Delivery, isLike: (other: Past) => boolean): Past[] => {
    const isEarlier = (other: Past): boolean => other.key !== delivery.key && other.beginMs < (delivery.beginMs ?? 0);
    const found = latestFirst.filter((other) => isEarlier(other) && isLike(other)).slice(0, ofAccount.most);
    const broadcasts = new Set(found.map(({ key }) => key));
    return found.length < ofAccount.fewest || broadcasts.size < ofAccount.broadcasts ? [] : found;
  };
  const usualOf = (others: readonly Past[]): number | null =>
    medianOf(others.map((other) => reachedBy(other.list, ofAgeMs(other)) / (other.audience ?? Infinity)));

  return {
    /** The median share of their audiences that saw it or responded; `null` where nothing is like it. */
    shareFor: (delivery: Delivery, audience: number): number | null => {
      const isLike = (other: Past): boolean =>
        other.audience !== null && other.audience * 2 >= audience && other.audience <= audience * 2;
      const ofBroadcast = byBroadcast.get(delivery.key) ?? [];
      const together = ofBroadcast.filter((other) => other.id !== delivery.id && isLike(other));
      return (
        usualOf(latestOfSeries(delivery, isLike)) ??
        usualOf(together.length < fewestTogether ? [] : together) ??
        usualOf(latestOfAccount(delivery, isLike))
      );
    },
    /** Where its audience is not known, the fewest views of earlier ones of its series; `null` where there are too few. */
    fewestViewsFor: (delivery: Delivery): number | null => {
      const earlier = latestOfSeries(delivery, isOfUnknownAudience);
      const views = earlier.map((other) => engagedBy(other.list, ofAgeMs(other)).seen);
      return views.length < fewestUnknown ? null : Math.min(...views);
    },
  };
}

function isOfUnknownAudience({ audience, list }: Past): boolean {
  return audience === null && saysViews(list);
}

/** The median; `null` of none. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Numbers that are no part of a name: it began with so many of them, each on a day of its own. */
const fewestNumbers = 3;

/**
 * The series of each broadcast, by its key: what its name is without what dates it, else the broadcast itself. Another number dates
 * a name that began with at least two other numbers, and never with two on one day: "Newsletter 42", but not "Store 104 rota".
 */
function seriesKeys({ account, options }: Composing, dayOf: (delivery: Delivery) => number): Map<string, string> {
  const names = account.broadcasts.map((deliveries) => {
    const name = seriesOf(broadcastOf(deliveries).name, options.dating);
    const days = deliveries.filter(({ beginMs }) => beginMs !== null).map(dayOf);
    return {
      key: deliveries[0]?.key ?? '',
      name,
      template: comparable(name).replaceAll(/\d+/g, '#'),
      day: Math.min(...days),
    };
  });
  const begun = names.filter(({ day }) => Number.isFinite(day));
  const dated = new Set<string>();
  for (const [template, alike] of Map.groupBy(begun, (one) => one.template)) {
    const [days, numbers] = [new Set(alike.map(({ day }) => day)), new Set(alike.map(({ name }) => name))];
    const isOneADay = new Set(alike.map(({ day, name }) => `${day} ${name}`)).size === days.size;
    if (template.includes('#') && isOneADay && numbers.size >= fewestNumbers) dated.add(template);
  }
  return new Map(
    names.map(({ key, name, template }) => [
      key,
      name === '' ? key : `series ${dated.has(template) ? template : name}`,
    ]),
  );
}
