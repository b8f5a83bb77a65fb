import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { configurationWith, templateOf } from '../support/template.ts';
import { pageTable } from './page-cost.ts';
import { costOf, together } from './prices.ts';
import { standingParts, standingTable } from './standing-cost.ts';

const [weekly] = configurationWith().reports;

const parts = standingParts(templateOf(configurationWith({ reports: [weekly] })));

describe('a stack with one weekly report that mails nobody', () => {
  it('costs at most $3.50 a month without the free tier', () => {
    expect(costOf(together(...parts.map(({ usage }) => usage))).full).toBeLessThanOrEqual(3.5);
  });

  it('has no metric that is published every hour and no key to pay for', () => {
    const amounts = Object.fromEntries(parts.map(({ what, amount }) => [what, amount]));
    expect(amounts).toEqual({
      secrets: 2,
      'metrics that alarms read': 14,
      'metrics that are published every hour': 0,
      'customer keys, rotations included': 0,
      'looks of the watch': 2_920,
    });
  });

  it('costs what the operators’ README says', async () => {
    const readme = await readFile(new URL('../../infra/ops/README.md', import.meta.url), 'utf8');
    const table = standingTable(parts);
    const [head = ''] = table.split('\n');
    expect(readme.slice(readme.indexOf(head)).split('\n\n')[0]).toBe(table);
  });
});

test('what the pages cost is what the operators’ README says', async () => {
  const readme = await readFile(new URL('../../infra/ops/README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\n\n${pageTable()}\n\n`);
});

describe('the cost of a month', () => {
  it('counts what is beyond the free tier of each unit', () => {
    expect(costOf({ alarmMetricMonth: 13, secretMonth: 2 })).toEqual({
      full: expect.closeTo(1.3 + 0.8),
      beyondFree: expect.closeTo(0.3 + 0.8),
    });
  });

  it('counts a metric by the hours in which it is published', () => {
    const hoursOfWeeklyRun = 52 / 12;
    expect(costOf({ metricMonth: hoursOfWeeklyRun / 730 }).full).toBeLessThan(0.01);
  });
});
