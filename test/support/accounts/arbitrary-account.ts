import fc from 'fast-check';
import { dayMs, hourMs } from '../../../functions/domain/period.ts';
import { on } from '../facts/world.ts';
import { usualForm, type Delivered, type Fault, type Form, type Viewer } from './account.ts';

const weeks = 6;
/** Days after 2 November 2026; clocks change in London on 25 October, in New York a week later. */
const firstDay = -21;

/** How many people something is for, and what percentage of them see it. */
const size = {
  audience: fc.constantFrom(3, 6, 12, 24, 40, 40, 60),
  reached: fc.constantFrom(0, 0, 10, 30, 50, 60, 60, 90, 100),
};

/** What goes out once a week or once at all, with what differs in single weeks. */
const seriesArbitrary = fc.record({
  name: fc.constantFrom('Briefing', 'Rota week #', 'Newsletter #', 'Plant # November'),
  type: fc.constantFrom('poll', 'text', 'text', 'rating', 'rating'),
  items: fc.constantFrom(0, 1, 1, 1, 2),
  dayOfWeek: fc.integer({ min: 0, max: 6 }),
  hour: fc.constantFrom(0, 7, 10, 16, 23),
  ...size,
  /** Hours after which the last of them has seen it. */
  spread: fc.constantFrom(2, 30, 100, 400),
  /** One in so many of those who see it responds, so many hours later; of so many nobody says who saw it. */
  responding: fc.constantFrom(1, 2, 3, 8, 1_000),
  answerHours: fc.constantFrom(0, 1, 60),
  unopened: fc.constantFrom(0, 0, 0, 2, 12),
  deliveries: fc.constantFrom(1, 1, 1, 2, 3, 5),
  /** A further delivery to those who have not seen it, so many days later. */
  reminder: fc.constantFrom(null, null, null, 2, 4, 9),
  /** Every week another delivery of one broadcast. */
  isOneBroadcast: fc.constantFrom(false, false, false, true),
  skipped: fc.array(fc.boolean(), { minLength: weeks, maxLength: weeks }),
  /** Listed so many hours before it is delivered, as scheduled. */
  scheduled: fc.constantFrom(0, 0, 0, 20, 240),
  status: fc.constantFrom('delivered', 'delivered', 'delivered', 'Delivered', 'sent'),
  archivedAfter: fc.constantFrom(Infinity, Infinity, Infinity, 3, 20),
  /** So many of its people are known to the service only days later, cannot be dated, or are erased in the end. */
  late: fc.constantFrom(0, 0, 0, 3, 12),
  lateDays: fc.constantFrom(1, 8),
  undated: fc.constantFrom(0, 0, 0, 0, 1, 5, 100),
  erased: fc.constantFrom(0, 0, 0, 0, 4),
  /** So many people join its audience in a week. */
  growth: fc.constantFrom(0, 0, 0, 2),
  /** What somebody did to the second where periods end. */
  atEdges: fc.array(fc.constantFrom(-1_000, 0, 1_000), { maxLength: 3 }),
  createdBefore: fc.constantFrom(1, 1, 40, 500),
  isCreationKnown: fc.constantFrom(true, true, true, false),
});
type Series = typeof seriesArbitrary extends fc.Arbitrary<infer T> ? T : never;

const formArbitrary: fc.Arbitrary<Form> = fc.record({
  days: fc.constantFrom(365, 365, 90, 21, 14, 7),
  newest: fc.constantFrom(Infinity, Infinity, Infinity, 10, 4),
  namesEverybody: fc.constantFrom(true, true, false),
  items: fc.constantFrom('same', 'everybody', 'engaged', 'responders'),
  dates: fc.constantFrom('text', 'text', 'with offset', 'seconds', 'days'),
  areSparse: fc.constantFrom(false, false, false, true),
  pageSize: fc.constantFrom(Infinity, Infinity, 7),
  wrapper: fc.constantFrom(null, 'data'),
  ratings: fc.constantFrom('rows', 'filter'),
  timeZone: fc.constant(usualForm.timeZone),
});

/** When a report runs: weeks, days, a month, in several zones. */
const calendars = [
  { timeZone: 'Europe/London', schedule: { every: 'week', on: 'monday' }, days: weekly(weeks) },
  { timeZone: 'Europe/London', schedule: { every: 'week', on: 'monday' }, days: weekly(weeks) },
  { timeZone: 'America/New_York', schedule: { every: 'week', on: 'monday' }, days: weekly(4) },
  { timeZone: 'Asia/Kathmandu', schedule: { every: 'week', on: 'monday' }, days: weekly(4) },
  {
    timeZone: 'Europe/London',
    schedule: { every: 'day' },
    days: Array.from({ length: 9 }, (_, day) => firstDay + 7 + day),
  },
  { timeZone: 'Pacific/Auckland', schedule: { every: 'month', on: 1 }, days: [-1, 29] },
] as const;

function weekly(runs: number): number[] {
  return Array.from({ length: runs }, (_, week) => firstDay + 7 * (week + 1));
}

const minute = (series: Series, week: number): number => (series.name.length * 7 + week * 13) % 60;

/** Those who do something with one delivery. */
function viewersOf(series: Series, sentMs: number, people: number): Viewer[] {
  const { spread, responding, answerHours, unopened, late, lateDays, undated, erased, atEdges, type } = series;
  const viewers = Array.from({ length: people }, (_, place): Viewer => {
    const at = sentMs + 60_000 + Math.floor((spread * hourMs * place * place) / (people * people));
    const seenAtMs = place < unopened ? null : at;
    const respondedAtMs = place < unopened || place % responding === 0 ? at + answerHours * hourMs : null;
    const isUndated = place < undated;
    return {
      seenAtMs: isUndated && seenAtMs !== null ? '?' : seenAtMs,
      respondedAtMs: isUndated && respondedAtMs !== null && place % 2 === 0 ? '?' : respondedAtMs,
      // A row is there from its first instant on, whatever its date says.
      knownMs: Math.max(at, place >= people - late ? at + lateDays * dayMs : 0),
      ...(place >= people - erased ? { goneMs: sentMs + 12 * dayMs } : {}),
      ...(type === 'rating' && respondedAtMs !== null ? { rating: 1 + (place % 5) } : {}),
    };
  });
  const monday = sentMs - ((((sentMs - on(0, 0)) % (7 * dayMs)) + 7 * dayMs) % (7 * dayMs)) + 7 * dayMs;
  return [...viewers, ...atEdges.map((offset): Viewer => ({ seenAtMs: monday + offset, respondedAtMs: null }))];
}

/** The statuses with which something that is delivered at an instant is listed. */
function listingsOf({ scheduled, status, archivedAfter }: Series, atMs: number): Delivered['listed'] {
  const draft = { fromMs: atMs - scheduled * hourMs, status: 'scheduled' };
  const archived = { fromMs: atMs + archivedAfter * dayMs, status: 'archived' };
  const listed = [draft, { fromMs: atMs, status }, archived];
  return listed.slice(scheduled > 0 ? 0 : 1, archivedAfter < Infinity ? 3 : 2);
}

/** The deliveries of a series, week after week. */
function deliveriesOf(series: Series, place: number): Delivered[] {
  const { isOneBroadcast, skipped, deliveries, reminder, scheduled, audience, growth } = series;
  const reached = Math.floor((audience * series.reached) / 100);
  return skipped.flatMap((isSkipped, week): Delivered[] => {
    if (isSkipped) return [];
    const sentMs = on(firstDay + 7 * week + series.dayOfWeek, series.hour) + minute(series, week) * 60_000;
    const broadcast = `${place}0${isOneBroadcast ? 0 : week}`;
    const first = on(firstDay + 7 * (isOneBroadcast ? skipped.indexOf(false) : week) + series.dayOfWeek, series.hour);
    const createdMs = Math.min(first, sentMs - scheduled * hourMs) - series.createdBefore * hourMs;
    const creation = series.isCreationKnown ? { createdMs } : {};
    const delivery = (nth: string, atMs: number, people: number, of: number): Delivered => ({
      ...creation,
      id: `d${place}-${week}${nth}`,
      broadcast,
      name: series.name.replace('#', String(isOneBroadcast ? 1 : week + 43)),
      listed: listingsOf(series, atMs),
      audience: of + growth * week,
      people: viewersOf(series, atMs, people),
      items: Array.from({ length: series.items }, (_, item) => ({
        id: `${broadcast}${item}`,
        type: item === 0 ? series.type : 'text',
      })),
    });
    const all = Array.from({ length: deliveries }, (_, nth) =>
      // Stores differ: one may be dark.
      delivery(`-${nth}`, sentMs + nth * hourMs, nth === 4 ? 0 : Math.max(0, reached - nth), audience),
    );
    const left = audience - reached;
    const again = reminder === null ? [] : [delivery('-r', sentMs + reminder * dayMs, Math.floor(left / 2), left)];
    return all.concat(again);
  });
}

const faultArbitrary = fc.record({
  event: fc.nat(20),
  length: fc.constantFrom(1, 1, 2, 30),
  at: fc.constantFrom('list', 'delivery', 'delivery', 'item', 'broadcast'),
  place: fc.nat(20),
  answer: fc.constantFrom<Fault['answer']>(403, 404, 410, 500, 'cut', 'empty'),
});

/** Ordinary accounts over weeks, and what ordinary services do: audiences or not, lists that forget, late rows, refusals. */
export const scenarioArbitrary = fc
  .record({
    series: fc.array(seriesArbitrary, { minLength: 1, maxLength: 4 }),
    form: formArbitrary,
    calendar: fc.constantFrom(...calendars),
    /** Observations by themselves between two runs. */
    between: fc.constantFrom(0, 0, 1, 2),
    faults: fc.array(faultArbitrary, { maxLength: 2, size: 'medium' }),
    minimumGroup: fc.constantFrom(10, 10, 0),
  })
  .map(({ series, form, calendar, between, faults, minimumGroup }) => {
    const { timeZone, days, schedule } = calendar;
    const sent = series.flatMap(deliveriesOf);
    const events = days.flatMap((day, nth) => {
      const [atMs, beforeMs] = [on(day, 13), on(days[nth - 1] ?? day - 7, 13)];
      const stepMs = (atMs - beforeMs) / (between + 1);
      return Array.from({ length: between + 1 }, (_, step) => ({
        atMs: beforeMs + (step + 1) * stepMs,
        isRun: step === between,
      }));
    });
    const found = faults.flatMap(({ event, length, at, place, answer }): Fault[] => {
      const fromMs = events[event % events.length]?.atMs ?? 0;
      const untilMs = events[(event % events.length) + length]?.atMs ?? Infinity;
      const one = sent[place % Math.max(1, sent.length)];
      if (one === undefined) return [];
      const { id, broadcast = '', items } = one;
      const places = { list: 'list', delivery: id, item: `${id}/${items[0]?.id}`, broadcast: `broadcast ${broadcast}` };
      return [{ fromMs, untilMs, at: places[at], answer }];
    });
    return {
      account: { sent, form: { ...form, timeZone }, faults: found },
      schedule: { ...schedule, at: '08:00', timeZone },
      minimumGroup,
      events,
    };
  });

/** An account, and when it is observed and reported on: epoch milliseconds, in order; `isRun` where the report runs. */
export type Scenario = typeof scenarioArbitrary extends fc.Arbitrary<infer T> ? T : never;
