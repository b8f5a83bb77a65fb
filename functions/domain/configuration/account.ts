import type { Temporal } from 'temporal-polyfill';
import { stepsInMinutes, type StepMinutes } from '../facts.ts';
import type { Configuration } from './configuration.ts';

/** Which account of the service figures are of: by its address, with the port where that is not the usual one, unless it has a name. */
export function accountOf({ baseUrl, account }: Pick<Configuration['service'], 'baseUrl' | 'account'>): string {
  const { host, pathname } = new URL(baseUrl);
  return account ?? host + pathname.replace(/\/+$/, '');
}

interface Zoned {
  service: Pick<Configuration['service'], 'timeZone'>;
  reports: ReadonlyArray<{ schedule: { timeZone: string } }>;
}

/** The zone of the account: of dates without an offset, and of the daily observation. By default the first report's. */
export function timeZoneOf({ service, reports }: Zoned): string {
  return service.timeZone ?? reports[0]?.schedule.timeZone ?? 'UTC';
}

const lookedAtMonths = 24;

/** The widest step that the offsets of all zones are whole numbers of, in the year before `now` and the one after it. */
export function stepMinutesOf(configuration: Zoned, now: Temporal.Instant): StepMinutes {
  const zones = new Set([timeZoneOf(configuration), ...configuration.reports.map(({ schedule }) => schedule.timeZone)]);
  const offsets = [...zones].flatMap((zone) => {
    const first = now.toZonedDateTimeISO(zone).subtract({ months: lookedAtMonths / 2 });
    return Array.from({ length: lookedAtMonths }, (_, months) => first.add({ months }).offsetNanoseconds / 60e9);
  });
  return stepsInMinutes.find((step) => offsets.every((offset) => offset % step === 0)) ?? 15;
}
