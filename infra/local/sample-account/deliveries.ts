import { hash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../../../functions/domain/period.ts';
import { memoize } from '../../../functions/domain/wording.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/** The operator is British: its people work, and its service dates things, by UK local time. */
const timeZone = 'Europe/London';

/** Weeks are numbered from the Monday on which the account was opened; before it there is nothing. */
const openingMs = Date.UTC(2001, 0, 1);

/** The weekdays as days after the week's Monday; a negative one lies in the week before. */
const weekday = { monday: 0, tuesday: 1, wednesday: 2, thursday: 3, friday: 4, fridayBefore: -3 };

/** The number of the week that an instant lies in; negative before the opening. */
export function weekAt(ms: number): number {
  return Math.floor((ms - openingMs) / (7 * dayMs));
}

/** The week of the first Friday of the calendar year that a week's own Friday lies in. */
function firstFridayWeek(week: number): number {
  const fridayMs = openingMs + (7 * week + weekday.friday) * dayMs;
  const newYearMs = Date.UTC(new Date(fridayMs).getUTCFullYear(), 0);
  return week - Math.floor((fridayMs - newYearMs) / (7 * dayMs));
}

/** Milliseconds since 1970 of a UK local time, `HH:MM`, so many days after the Monday of a week; by day, when clocks do not change. */
function wallTimeMs(week: number, day: number, time: string): number {
  const ms = openingMs + (7 * week + day) * dayMs + Date.parse(`1970-01-01T${time}Z`);
  return ms - aheadAt(ms);
}

/** How far UK time is ahead of UTC, in milliseconds: it changes at 1:00 UTC alone. */
function aheadAt(ms: number): number {
  return aheadInDay(Math.floor((ms - hourMs) / dayMs));
}

const aheadInDay = memoize((day: number): number => {
  const instant = Temporal.Instant.fromEpochMilliseconds(day * dayMs + hourMs);
  return instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
});

/** An instant as the service writes it: ISO 8601 to the second, with the UK's offset of that day. */
export function withOffset(ms: number): string {
  const ahead = aheadAt(ms);
  return `${new Date(ms + ahead).toISOString().slice(0, 19)}+0${ahead / hourMs}:00`;
}

/** A delivery with everything that will happen to it, past or future. Instants are milliseconds since 1970. */
export type PlannedDelivery = ReturnType<typeof deliveriesOfWeek>[number];

/** A time of the week: days after its Monday, and UK local time. What was planned for it may have been called off. */
type WeekTime = readonly [day: number, time: string, fate?: 'cancelled'];

/** A kind of broadcast and its place in the week. */
interface Series {
  /** What its broadcasts are about, in turns: the name, and the types of the content items. */
  topics: ReadonlyArray<{ name: string; contents: readonly string[] }>;
  created: WeekTime;
  deliveries(week: number): readonly WeekTime[];
  /** The week whose broadcast a week's deliveries are of; without it, every week has a broadcast of its own. */
  begunIn?(week: number): number;
  unseen?: true;
}

const { users, topics } = catalogue;

/** What the operator does every week. A series' place is the last digit of its broadcasts' ids. */
const weeklySeries: readonly Series[] = [
  {
    topics: topics.fridayFive,
    created: [weekday.monday, '10:00'],
    deliveries: () => [[weekday.friday, '12:00']],
    begunIn: firstFridayWeek,
  },
  { topics: topics.sites, created: [weekday.monday, '09:10'], deliveries: siteTimes },
  { topics: topics.news, created: [weekday.fridayBefore, '15:20'], deliveries: () => [[weekday.monday, '10:30']] },
  { topics: topics.feedback, created: [weekday.tuesday, '11:40'], deliveries: feedbackTimes },
  {
    topics: topics.unseen,
    created: [weekday.wednesday, '16:05'],
    deliveries: () => [[weekday.thursday, '21:30']],
    unseen: true,
  },
];

/** A site each; some weeks the fourth one joins in, and every third week a fifth one calls off. */
function siteTimes(week: number): WeekTime[] {
  const times: WeekTime[] = [
    [weekday.tuesday, '06:45'],
    [weekday.tuesday, '09:30'],
    [weekday.wednesday, '07:00'],
  ];
  if (chanceOf('sites', week).share() < 0.5) times.push([weekday.wednesday, '13:15']);
  if (week % 3 === 0) times.push([weekday.thursday, '07:15', 'cancelled']);
  return times;
}

/** Day staff; some weeks the evening staff too. */
function feedbackTimes(week: number): WeekTime[] {
  const day: WeekTime = [weekday.wednesday, '15:00'];
  return chanceOf('feedback', week).share() < 0.5 ? [day, [weekday.thursday, '18:00']] : [day];
}

const firstBroadcastNumber = 100_000;
const longestNoticeMs = 3 * dayMs;

/** The deliveries of a week, delivered in it or cancelled, in no particular order; none before the account was opened. */
export const deliveriesOfWeek = memoize((week: number) => {
  if (week < 0) return [];
  return weeklySeries.flatMap((series, place) => {
    const broadcast = broadcastOf(series, place, series.begunIn?.(week) ?? week);
    return series.deliveries(week).map((time) => {
      const deliverMs = jitteredMs(week, time, broadcast.id);
      return {
        id: deliveryId(broadcast.id, deliverMs),
        broadcast,
        /** Entered into the service, and shown by it from then on. */
        listedMs: Math.max(broadcast.createdMs, deliverMs - longestNoticeMs),
        /** Sent to its people, unless it is cancelled before. */
        deliverMs,
        cancelled: time[2] === 'cancelled',
        /** How many people it is for. */
        audience: chanceOf('audience', broadcast.id, deliverMs).whole(20, 120),
        /** Nobody ever sees it. */
        unseen: series.unseen ?? false,
      };
    });
  });
});

function broadcastOf({ topics, created }: Series, place: number, week: number) {
  const topic = inTurn(topics, week);
  const id = String(firstBroadcastNumber + 10 * week + place);
  return {
    id,
    name: topic.name,
    createdBy: inTurn(users, week + 2 * place),
    createdMs: jitteredMs(week, created, id),
    contents: topic.contents.map((type, index) => ({ id: `${id}${index + 1}`, type })),
  };
}

function inTurn<T>(items: readonly T[], turn: number): T {
  const item = items[turn % items.length];
  if (item === undefined) throw new RangeError('There is nothing to take in turns.');
  return item;
}

/** Nobody presses the button on the minute: up to half an hour later, to the second. */
function jitteredMs(week: number, [day, time]: WeekTime, broadcastId: string): number {
  return wallTimeMs(week, day, time) + 1000 * chanceOf('button', broadcastId, week, day, time).whole(0, 1800);
}

function deliveryId(broadcastId: string, deliverMs: number): string {
  const instant = deliverMs.toString(16).padStart(12, '0');
  const digits = hash('sha256', `${broadcastId} ${deliverMs}`, 'hex');
  const variant = (0x8000 | (Number.parseInt(digits.slice(3, 7), 16) & 0x3fff)).toString(16);
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${digits.slice(0, 3)}-${variant}-${digits.slice(7, 19)}`;
}

/** A stream of pseudo-random draws that depends on what it was made from and on nothing else. */
export type Chance = ReturnType<typeof chanceOf>;

/** The draws that belong to these words, the same ones on every machine and in every year. */
export function chanceOf(...words: ReadonlyArray<string | number>) {
  const share = shares(hash('sha256', JSON.stringify(words), 'buffer'));
  return {
    /** A number of [0, 1). */
    share,
    /** A whole number of [least, most]. */
    whole: (least: number, most: number): number => least + Math.floor(share() * (most - least + 1)),
    /** A number of an exponential distribution with this mean. */
    decay: (mean: number): number => -mean * Math.log(1 - share()),
    /** The same index as often as its weight says; the weights need not add up to one. */
    weighted(weights: readonly number[]): number {
      let left = share() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => (left -= weight) < 0);
      return index === -1 ? weights.length - 1 : index;
    },
  };
}

/** PractRand's sfc32: small, fast, and good enough for crowds of people. https://pracrand.sourceforge.net/RNG_engines.txt */
function shares(seed: Buffer): () => number {
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = seed.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
