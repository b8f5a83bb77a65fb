import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { dueAt, latestDue } from '../../../functions/domain/due.ts';

const quarterly = { cron: '0 8 1 1/3 ? *', timeZone: 'Europe/Berlin', period: 'quarter' } as const;
const thirdQuarter = {
  kind: 'quarter',
  start: '2026-07-01T00:00:00+02:00',
  end: '2026-10-01T00:00:00+02:00',
  timeZone: 'Europe/Berlin',
  startDate: '2026-07-01',
  name: '2026-Q3',
};

describe('the run that is due', () => {
  test.each(['2026-10-01T06:00:00Z', '2026-12-31T23:59:59Z'])('at %s is that of the latest instant', (now) => {
    const due = latestDue(quarterly, Temporal.Instant.from(now));
    expect(due).toEqual({ scheduledTime: '2026-10-01T06:00:00Z', period: thirdQuarter });
  });

  test('is null for a schedule that never fires', () => {
    expect(latestDue({ ...quarterly, cron: '0 8 30 2 ? *' }, Temporal.Instant.from('2026-10-01T06:00:00Z'))).toBeNull();
  });
});

test('any instant means the last complete period before it, and is given in UTC', () => {
  const due = dueAt(quarterly, '2026-11-20T10:30:00+01:00');
  expect(due).toEqual({ scheduledTime: '2026-11-20T09:30:00Z', period: thirdQuarter });
});

test('a text without an offset is refused', () => {
  expect(() => dueAt(quarterly, '2026-11-20T10:30:00')).toThrow(RangeError);
});
