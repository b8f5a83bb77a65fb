import { expect, test } from 'vitest';
import { parseTrigger } from '../../../functions/run/trigger.ts';
import { reportOf } from './configured.ts';

const reports = ['weekly', 'daily'].map((name) => reportOf({ name }));

/** Expects an event to be refused by an error of this name and message. */
const expectRefused = (event: unknown, fault: { name: string; message: string }): void =>
  expect(() => parseTrigger(event, reports)).toThrow(expect.objectContaining(fault));

test.each([
  { report: 'weekly', scheduledTime: '2026-11-16T08:00:00Z', trigger: 'schedule' },
  { action: 'run', report: 'daily', subscribers: 'key-1', hold: false, resendUnknown: true, operation: 'op' },
  { action: 'release', run: 'weekly_2026-W46' },
  { action: 'test', report: 'weekly', subscribers: 'key' },
])('%j is a trigger, of a run where it names no action', (event) => {
  const parsed = parseTrigger(event, reports);
  const report = 'report' in parsed ? { report: parsed.report.name } : {};
  expect({ ...parsed, ...report }).toEqual({ action: 'run', ...event });
});

const fieldsOfRun = 'action, report, trigger, scheduledTime, subscribers, hold, resendUnknown, again, operation';
test.each<[unknown, string]>([
  [null, 'the event: Expected an object, found something else.'],
  [{ report: 'weekly', Hold: true }, 'Hold: Unknown field. Did you mean "hold"?'],
  [{ report: 'weekly', 'ada@example.com': 'canary' }, `[…]: Unknown field. Expected ${fieldsOfRun}.`],
  [
    { action: 'release', report: 'weekly' },
    'run: Expected the name of a run, such as "weekly_2026-W46", found nothing. ' +
      'report: Unknown field. Expected action, run, operation.',
  ],
  [
    { action: 'test', report: 'weekly', subscribers: 'ada@example.com', scheduledTime: '2026-11-16' },
    'scheduledTime: Expected an instant, ISO 8601 with Z or an offset, found something else. ' +
      'subscribers: Expected a key, found something else.',
  ],
])('%j is refused with every fault, and no text of it', (event, faults) => {
  expectRefused(event, { name: 'bad-trigger', message: `Invalid trigger. ${faults}` });
});

test('an unknown report is a failure of its own', () => {
  const message = 'There is no report with that name. Configured: "weekly", "daily".';
  expectRefused({ report: 'ada@example.com' }, { name: 'unknown-report', message });
});
