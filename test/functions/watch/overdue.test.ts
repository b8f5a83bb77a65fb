import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { lastDueRun } from '../../../functions/watch/inspect.ts';

const weekly = {
  schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
  graceHours: 6,
} as const;
const known = { firstSeenAt: '2026-01-01T00:00:00Z' };
const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

function due(now: string, more: Partial<Parameters<typeof lastDueRun>[1]> = {}): string | null {
  return lastDueRun(weekly, { ...known, ...more }, instant(now))?.scheduledTime ?? null;
}

describe('lastDueRun', () => {
  it('is the last scheduled instant whose hours of grace are over, with its period', () => {
    expect(lastDueRun(weekly, known, instant('2026-11-16T14:00:00Z'))).toEqual({
      scheduledTime: '2026-11-16T08:00:00Z',
      period: {
        kind: 'week',
        start: '2026-11-09T00:00:00+00:00',
        end: '2026-11-16T00:00:00+00:00',
        timeZone: 'Europe/London',
        startDate: '2026-11-09',
        name: '2026-W46',
      },
    });
  });

  it('is the one before while the grace of the last is not over', () => {
    expect(due('2026-11-16T13:59:59Z')).toBe('2026-11-09T08:00:00Z');
  });

  it('follows the clock changes of the report’s zone', () => {
    expect(due('2026-10-26T14:00:00Z')).toBe('2026-10-26T08:00:00Z');
    expect(due('2026-10-19T13:00:00Z')).toBe('2026-10-19T07:00:00Z');
  });

  it('is null before the ledger first saw the report', () => {
    expect(due('2026-11-16T14:00:00Z', { firstSeenAt: '2026-11-16T08:00:01Z' })).toBeNull();
    expect(due('2026-11-16T14:00:00Z', { firstSeenAt: '2026-11-16T08:00:00Z' })).toBe('2026-11-16T08:00:00Z');
  });

  it('is null while the report is paused, from the first instant of the pause on', () => {
    expect(due('2026-11-16T14:00:00Z', { pausedAt: '2026-11-16T08:00:00Z' })).toBeNull();
    expect(due('2026-11-16T14:00:00Z', { pausedAt: '2026-11-16T08:00:01Z' })).toBe('2026-11-16T08:00:00Z');
  });

  it('is null where the instant was in a pause that is over', () => {
    const lastPause = { from: '2026-11-13T00:00:00Z', until: '2026-11-16T09:00:00Z' };
    expect(due('2026-11-16T14:00:00Z', { lastPause })).toBeNull();
    expect(due('2026-11-23T14:00:00Z', { lastPause })).toBe('2026-11-23T08:00:00Z');
  });
});
