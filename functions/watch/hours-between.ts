import { Temporal } from 'temporal-polyfill';

/** The hours from an instant, ISO 8601, until another one. */
export function hoursBetween(from: string, until: Temporal.Instant): number {
  return (until.epochMilliseconds - Temporal.Instant.from(from).epochMilliseconds) / 3_600_000;
}
