import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { waitUntilOver } from '../../../../functions/run/plan/period-over.ts';

const end = '2026-11-16T00:00:00Z';
const period = { ...periodBefore('week', 'UTC', end), end };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The instant that a wait from `now` on returns. The clock has to be there by then. */
async function waitedUntil(now: string): Promise<string> {
  vi.setSystemTime(new Date(now));
  const waiting = waitUntilOver(period, Temporal.Instant.from(now));
  await vi.runAllTimersAsync();
  const after = await waiting;
  expect(Date.now()).toBe(after.epochMilliseconds);
  return after.toString();
}

test.each(['2026-11-15T23:59:59.9Z', '2026-11-15T23:59:00Z'])('a trigger that is early at %s waits', async (now) => {
  expect(await waitedUntil(now)).toBe(end);
});

test.each([end, '2026-11-16T08:00:00Z'])('a trigger at %s does not wait', async (now) => {
  expect(await waitedUntil(now)).toBe(Temporal.Instant.from(now).toString());
});
