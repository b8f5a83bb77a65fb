import { expect, test } from 'vitest';
import { longerReport } from '../../../functions/unsubscribe/longer-report.ts';
import type { PeriodKind } from '../../../functions/domain/period.ts';
import { requireReport } from '../../../functions/run/find-run.ts';
import { configurationWith } from '../../support/configuration.ts';

const report = requireReport(configurationWith(), 'weekly');
const every = (kind: PeriodKind, over: object = {}) => ({
  ...report,
  name: kind,
  schedule: { ...report.schedule, every: kind },
  statuses: ['delivered', 'cancelled'],
  ...over,
});
const warningOf = { report: 'week', every: 'week', afterHours: 24, weekdays: false } as const;
const byBo = { createdBy: 'Bo' };
const written = { only: { broadcastName: 'NORTH ' }, statuses: ['Cancelled', 'delivered'] };

test.each([
  ['the next longer one', [every('week'), every('quarter'), every('month')], 'month'],
  ['a longer one where there is no next', [every('day'), every('quarter')], 'quarter'],
  ['none that comes as often or more so', [every('month'), every('month'), every('week')], null],
  ['one in its language first', [every('day'), every('week', { locale: 'de' }), every('week', { name: 'w' })], 'w'],
  ['none of other broadcasts', [every('week'), every('month', { only: byBo }), every('month', { except: byBo })], null],
  ['none of other statuses', [every('week'), every('month', { statuses: ['delivered'] })], null],
  ['one otherwise written', [every('week', { only: { broadcastName: 'north' } }), every('month', written)], 'month'],
  ['none to a warning', [every('day', { warningOf }), every('month')], null],
  ['no warning', [every('day'), every('week', { warningOf })], null],
])('in place of a report there is %s', (_, [left = report, ...others], name) => {
  expect(longerReport(left, [left, ...others])?.name ?? null).toBe(name);
});
