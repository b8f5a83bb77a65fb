import fc from 'fast-check';
import { onePage, type Account, type AccountBroadcast, type AccountDelivery, type FilterAnswer } from './account.ts';
import { rarely } from './arbitrary-rows.ts';
import { calendarsFrom } from './calendars.ts';
import { simpleAccount } from './simple-account.ts';

const hour = 3_600_000;
const day = 24 * hour;
const weeks = calendarsFrom('week', 'Europe/London', '2026-10-12', 6);
const begin = Date.parse(weeks[0]?.start ?? '');

/** Names of weekly series, by the week; in some of them what counts the weeks is a part of the name. */
const names: ReadonlyArray<(week: number) => string> = [
  (week) => `Friday Five #${week + 1}`,
  (week) => `Rota week ${week + 42}`,
  (week) => `Newsletter ${week + 46}`,
  () => 'Briefing',
];

/** How many people an edition is for, and what percentage of them see it. */
const size = {
  audience: fc.constantFrom(6, 12, 24, 40, 40, 40, 60),
  reached: fc.constantFrom(0, 10, 30, 50, 60, 60, 60, 90, 100),
};

/** What goes out every week, with what differs in single weeks. */
const seriesArbitrary = fc.record({
  name: fc.constantFrom(...names),
  type: fc.constantFrom('poll', 'text', 'text', 'rating'),
  weekday: fc.integer({ min: 0, max: 6 }),
  hour: fc.constantFrom(7, 10, 16, 20),
  ...size,
  /** One in so many of those who see it respond. */
  responding: fc.constantFrom(1, 2, 3, 8, 1_000),
  deliveries: fc.constantFrom(1, 1, 1, 2, 3),
  /** A further delivery to those who have not seen it, so many days later. */
  reminder: fc.constantFrom(null, null, null, 2, 4, 9),
  /** Every week another delivery of one broadcast. */
  isOneBroadcast: fc.constantFrom(false, false, false, true),
  from: fc.constantFrom(0, 0, 0, 1, 3),
  single: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<{ audience?: number; reached?: number } | null>({}) },
      { weight: 1, arbitrary: fc.record(size, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    { minLength: weeks.length, maxLength: weeks.length },
  ),
});

/** How an account gives what is in it. */
const formArbitrary = fc.record({
  recipients: fc.constantFrom('audience', 'audience', 'engaged'),
  items: fc.constantFrom('engaged', 'engaged', 'audience', 'responders'),
  /** Its list has the newest so many, and what was created in the last so many days. */
  newest: fc.constantFrom(100, 100, 100, 10, 4),
  days: fc.constantFrom(100, 100, 30, 8),
  /** What was created is listed before it goes out. */
  areScheduledListed: fc.boolean(),
  archivedAfterDays: fc.constantFrom(100, 100, 100, 12),
  /** Ratings are in the rows, and behind no filter. */
  areRated: fc.boolean(),
  ratingFilter: fc.constantFrom<FilterAnswer>('honest', 'refused'),
  /** Rows that do not say when they saw it, or that they did; that come a week late; whose clock is wrong; or that some lists lack. */
  oddity: fc.constantFrom(null, null, null, 'no views', 'responded unseen', 'late', 'wrong clock', 'undated', 'none'),
  minimumGroup: fc.constantFrom(10, 10, 10, 0, 25),
  gone: rarely(fc.tuple(fc.constantFrom(...weeks.keys()), fc.integer({ min: 2, max: 3 }))),
});

type Form = typeof formArbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Series = typeof seriesArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** A delivery as it goes out: to so many, of whom so many see it. */
type Sent = ReturnType<typeof sentOf>[number];

function sentOf(series: Series, place: number) {
  return series.single.flatMap((single, week) => {
    if (single === null || week < series.from) return [];
    const { type, responding, reminder } = series;
    const { audience, reached } = { ...series, ...single };
    const sentAt = begin + (7 * week + series.weekday) * day + series.hour * hour;
    const seers = Math.floor((audience * reached) / 100);
    const named = series.isOneBroadcast ? 0 : week;
    const broadcast = `${700 + place}${named}`;
    const first = { broadcast, name: series.name(named), type, responding, createdAt: sentAt - 3 * day, sentAt };
    const regions = Array.from({ length: series.deliveries }, (_, region) => ({
      ...first,
      id: `d-${place}-${week}-${region}`,
      audience,
      seers,
    }));
    const [unseen, later] = [audience - seers, sentAt + (reminder ?? 0) * day];
    const again = {
      ...first,
      id: `d-${place}-${week}-r`,
      sentAt: later,
      audience: unseen,
      seers: Math.ceil(unseen / 3),
    };
    return reminder === null || unseen === 0 ? regions : [...regions, again];
  });
}

/** The rows of those who did something until then, each in the same place; of the others `null`. */
function rowsOf({ sentAt, audience, seers, responding, type }: Sent, now: number, { oddity, areRated }: Form) {
  return Array.from({ length: audience }, (_, person) => {
    const hours = person % 5 === 4 ? 30 + ((person * 13) % 160) : 1 + ((person * 7) % 40);
    const isWrong = oddity === 'wrong clock' && person === 0;
    const seen = isWrong ? sentAt - 60 * hour : sentAt + hours * hour;
    const comes = oddity === 'late' && person % 4 === 3 ? seen + 8 * day : seen;
    if (person >= seers || comes > now) return null;
    const instant = new Date(seen).toISOString();
    const hasResponded = person % responding === 0;
    const isUnseen = oddity === 'no views' || (oddity === 'responded unseen' && hasResponded);
    const isUndated = oddity === 'undated' && person % 30 === 1;
    return {
      seenAt: isUnseen ? null : isUndated ? '10/11/2026 10:00' : instant,
      respondedAt: hasResponded ? new Date(seen + hour / 3).toISOString() : null,
      ...(type === 'rating' && hasResponded && areRated ? { rating: 1 + (person % 5) } : {}),
    };
  });
}

function deliveryOf(sent: Sent, broadcast: number, { now, form }: { now: number; form: Form }): AccountDelivery {
  const idle = { seenAt: null, respondedAt: null };
  const rows = now < sent.sentAt ? [] : rowsOf(sent, now, form);
  const engaged = rows.filter((row) => row !== null);
  const items = {
    engaged,
    audience: rows.map((row) => row ?? { ...idle, rating: 0 }),
    responders: engaged.filter(({ respondedAt }) => respondedAt !== null),
  };
  const recipients = form.recipients === 'audience' ? rows.map((row) => row ?? idle) : engaged;
  const lacksRows = form.oddity === 'none' && sent.id.endsWith('0');
  const status = now - sent.sentAt > form.archivedAfterDays * day ? 'archived' : 'delivered';
  return {
    id: sent.id,
    status: now < sent.sentAt ? 'scheduled' : status,
    broadcast,
    recipients: { ...onePage, rows: lacksRows ? [] : recipients },
    contents: [{ ...onePage, rows: items[form.items] }],
  };
}

function broadcastOf({ broadcast, name, type, createdAt }: Sent): AccountBroadcast {
  const created = { by: { firstName: 'Ada', lastName: 'Byron' }, at: new Date(createdAt).toISOString() };
  return {
    id: broadcast,
    name,
    items: [{ id: `${broadcast}1`, type }],
    header: { name, created },
  };
}

/** An ordinary account in six weeks: series that go out every week, to audiences that are known or not. */
export const weeksArbitrary: fc.Arbitrary<readonly Account[]> = fc
  .record({ series: fc.array(seriesArbitrary, { minLength: 1, maxLength: 3 }), form: formArbitrary })
  .map(({ series, form }) => {
    const sent = series.flatMap(sentOf);
    const { areRated, minimumGroup } = form;
    const ratingFilter = areRated ? 'off' : form.ratingFilter;
    return weeks.map((calendar, week): Account => {
      const now = Date.parse(calendar.at);
      const listed = sent
        .filter(({ createdAt, sentAt }) => (form.areScheduledListed ? createdAt : sentAt) <= now)
        .filter(({ createdAt }) => now - createdAt <= form.days * day)
        .filter((_, place) => form.gone === null || week < form.gone[0] || place % form.gone[1] !== 0)
        .toSorted((one, other) => other.createdAt - one.createdAt)
        .slice(0, form.newest);
      const broadcasts = [...new Map(listed.map((delivery) => [delivery.broadcast, delivery])).values()];
      const deliveries = listed.map((delivery) => {
        const place = broadcasts.findIndex(({ broadcast }) => broadcast === delivery.broadcast);
        return deliveryOf(delivery, place, { now, form });
      });
      const answers = { ratingFilter, deliveries, broadcasts: broadcasts.map(broadcastOf) };
      return Object.assign(simpleAccount({}, calendar), answers, { minimumGroup });
    });
  });
