import { firstFridayWeek, weekday, yearOfFriday } from './calendar.ts';
import { feedbackTopics, fridayFive, newsTopics, siteTopics, unseenTopics, type Topic } from './catalogue.ts';
import { chanceOf } from './chance.ts';

/** A time of the week: days after its Monday, and UK local time. */
export type WeekTime = readonly [day: number, time: string];

/** A kind of broadcast and its place in the week. */
export interface Series {
  topics: readonly [Topic, ...Topic[]];
  created: WeekTime;
  deliveries(week: number): readonly WeekTime[];
  /** Deliveries that were planned for a week and called off. */
  cancelled?(week: number): readonly WeekTime[];
  /** The week whose broadcast a week's deliveries are of; without it, every week has a broadcast of its own. */
  begunIn?(week: number): number;
  unseen?: true;
}

/** What the operator does every week. A series' place is the last digit of its broadcasts' ids. */
export const series: readonly Series[] = [
  {
    topics: fridayFive,
    created: [weekday.monday, '10:00'],
    deliveries: () => [[weekday.friday, '12:00']],
    begunIn: (week) => firstFridayWeek(yearOfFriday(week)),
  },
  {
    topics: siteTopics,
    created: [weekday.monday, '09:10'],
    deliveries: siteTimes,
    cancelled: (week) => (week % 3 === 0 ? [[weekday.thursday, '07:15']] : []),
  },
  { topics: newsTopics, created: [weekday.fridayBefore, '15:20'], deliveries: () => [[weekday.monday, '10:30']] },
  { topics: feedbackTopics, created: [weekday.tuesday, '11:40'], deliveries: feedbackTimes },
  {
    topics: unseenTopics,
    created: [weekday.wednesday, '16:05'],
    deliveries: () => [[weekday.thursday, '21:30']],
    unseen: true,
  },
];

/** A site each; some weeks the fourth one joins in. */
function siteTimes(week: number): WeekTime[] {
  const three: WeekTime[] = [
    [weekday.tuesday, '06:45'],
    [weekday.tuesday, '09:30'],
    [weekday.wednesday, '07:00'],
  ];
  return chanceOf('sites', week).share() < 0.5 ? [...three, [weekday.wednesday, '13:15']] : three;
}

/** Day staff; some weeks the evening staff too. */
function feedbackTimes(week: number): WeekTime[] {
  const day: WeekTime = [weekday.wednesday, '15:00'];
  return chanceOf('feedback', week).share() < 0.5 ? [day, [weekday.thursday, '18:00']] : [day];
}
