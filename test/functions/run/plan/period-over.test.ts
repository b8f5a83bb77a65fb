import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitUntilOver } from '../../../../functions/run/plan/period-over.ts';

const end = '2026-11-16T00:00:00Z';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The instant at which a wait that begins at `now` ends, by the clock. */
async function waitedUntil(now: string): Promise<string> {
  vi.setSystemTime(new Date(now));
  const waited = waitUntilOver({ end });
  await vi.runAllTimersAsync();
  return (await waited).toString();
}

test.each(['2026-11-15T23:59:59.9Z', '2026-11-15T23:59:00Z'])('a trigger that is early at %s waits', async (now) => {
  expect(await waitedUntil(now)).toBe(end);
});

test.each(['2026-11-15T23:58:59Z', '2026-11-14T00:00:00Z', end, '2026-11-16T08:00:00Z'])(
  'a trigger at %s does not wait',
  async (now) => {
    expect(await waitedUntil(now)).toBe(Temporal.Instant.from(now).toString());
  },
);
