import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { rehearseCommand } from '../../../infra/ops/commands/rehearse.ts';

const base = loadConfiguration({ today: '2026-11-20' });

/** The example's first report with another schedule; the checks of a configuration are not asked. */
function withReport(report: Partial<Configuration['reports'][number]>): Configuration {
  const [first] = base.reports;
  if (first === undefined) throw new Error('There is no report.');
  return { ...base, reports: [{ ...first, ...report }] };
}

function rehearse(configuration: Configuration, from: string, years = 1) {
  return rehearseCommand(configuration, { report: 'weekly', years, from: Temporal.Instant.from(from) });
}

test.each([
  {
    timeZone: 'Europe/London',
    from: '2027-03-20T00:00:00Z',
    marked: ['2027-03-29 08:00', '2027-11-01 08:00'],
    minutes: [60, -60],
  },
  {
    timeZone: 'America/New_York',
    from: '2027-03-06T00:00:00Z',
    marked: ['2027-03-15 08:00', '2027-11-08 08:00'],
    minutes: [60, -60],
  },
])(
  'both clock changes of $timeZone are marked, and the time stays 08:00 there',
  ({ timeZone, from, marked, minutes }) => {
    const { json, code, lines } = rehearse(withReport({ timeZone }), from);
    expect(code).toBe(0);
    const { reports } = json as { reports: [{ times: { local: string; utc: string; clockChange: number }[] }] };
    const changed = reports[0].times.filter(({ clockChange }) => clockChange !== 0);
    expect(changed.map(({ local }) => local.replace('T', ' '))).toEqual(marked);
    expect(changed.map(({ clockChange }) => clockChange)).toEqual(minutes);
    expect(new Set(reports[0].times.map(({ local }) => local.slice(11)))).toEqual(new Set(['08:00']));
    for (const local of marked)
      expect(lines.find((line) => line.includes(local))).toMatch(/clock (forward|back) 60 min/);
  },
);

test('each time is shown by both clocks, with the period that ends before it', () => {
  const { json, lines } = rehearse(base, '2026-11-20T10:00:00Z', 2);
  expect(json).toMatchObject({
    faults: 0,
    reports: [
      {
        name: 'weekly',
        times: expect.arrayContaining([
          {
            local: '2026-11-23T08:00',
            utc: '2026-11-23T08:00:00Z',
            period: { start: '2026-11-16T00:00:00+00:00', end: '2026-11-23T00:00:00+00:00' },
            clockChange: 0,
            repeated: false,
            faults: [],
          },
        ]),
      },
    ],
  });
  expect(lines[0]).toBe(
    'weekly: cron(0 8 ? * MON *), Europe/London, 105 times; shown: the next 10, clock changes and faults',
  );
  expect(lines.at(-1)).toBe('No faults in 2 years.');
});

test('a time that a clock change skips is a fault, and so is the gap that it leaves', () => {
  const { json, code, lines } = rehearse(withReport({ cron: '30 1 * * ? *', period: 'day' }), '2027-03-26T12:00:00Z');
  expect(code).toBe(1);
  expect(json).toMatchObject({ faults: 3 });
  expect(lines.join('\n')).toContain(
    'FAULT: The clocks of Europe/London skip 2027-03-28 01:30: the report does not run.',
  );
  expect(lines.join('\n')).toContain(
    'FAULT: A gap: no digest covers 2027-03-27T00:00:00+00:00 to 2027-03-28T00:00:00+00:00.',
  );
  const repeated = lines.find((line) => line.includes('2027-10-31 01:30'));
  expect(repeated).toContain('this time occurs twice, the first counts');
});

test('a schedule that fires twice for one period, or not for each, has overlaps and gaps', () => {
  const twice = rehearse(withReport({ cron: '0 8 ? * MON,THU *' }), '2026-11-20T10:00:00Z');
  expect(twice).toMatchObject({ code: 1, json: { faults: 52 } });
  expect(twice.lines.join('\n')).toContain('FAULT: An overlap: the period before ends at 2026-11-23T00:00:00+00:00');
  const monthly = rehearse(withReport({ cron: '0 8 1 * ? *' }), '2026-11-20T10:00:00Z');
  expect(monthly).toMatchObject({ code: 1, json: { faults: 11 } });
  expect(monthly.lines.join('\n')).toContain('FAULT: A gap: no digest covers ');
});
