import type { ReportConfiguration } from '../functions/domain/configuration/configuration.ts';

/**
 * A report's schedule in the grammar of EventBridge Scheduler, which takes the time zone apart from it.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function scheduleExpression(schedule: ReportConfiguration['schedule']): string {
  const [hour, minute] = schedule.at.split(':').map(Number);
  return `cron(${minute} ${hour} ${dateFields(schedule)} *)`;
}

/** Day of month, month and day of week. */
const workingDays = { 'saturday-sunday': '? * MON-FRI', 'friday-saturday': '? * SUN-THU', none: '* * ?' } as const;

function dateFields({ every, on, except = 'none' }: ReportConfiguration['schedule']): string {
  if (on === undefined) return workingDays[except];
  if (typeof on === 'string') return `? * ${on.slice(0, 3).toUpperCase()}`;
  return `${on} ${every === 'quarter' ? '1,4,7,10' : '*'} ?`;
}
