import { expect, test } from 'vitest';
import type { TrendPeriod } from '../../../../functions/domain/digest.ts';
import { viewTrend } from '../../../../functions/render/sections/trend.ts';
import { digest } from '../../../support/digests/pieces.ts';
import { language, plain } from './entries.ts';

const period = (start: string, seen: number | null, responseRate: number | null = null): TrendPeriod => ({
  start: `2026-${start}T00:00:00+00:00`,
  seen,
  responded: seen,
  broadcasts: null,
  asked: null,
  responseRate,
  complete: true,
});
const lines = (...trend: TrendPeriod[]) => plain(viewTrend(digest({ trend }), language))?.lines;

test('the trend is not drawn for a single period', () => {
  expect(lines()).toBeUndefined();
  expect(lines(period('11-09', 372))).toBeUndefined();
  expect(lines(period('11-02', null), period('11-09', 372))).toBeUndefined();
});

test('the trend has the rate beside the views, and a dash where one was not kept', () => {
  expect(lines(period('10-26', 285), period('11-02', null), period('11-09', 372, 0.71))).toEqual([
    'From    Views  Response rate',
    'Oct 26    285              –',
    'Nov 2       –              –',
    'Nov 9     372            71%',
  ]);
});

test('the trend has no column of rates where none is known', () => {
  expect(lines(period('11-02', 292), period('11-09', 372))?.[0]).toBe('From   Views');
});

test('the trend has bars against the highest, and none for nothing', () => {
  const trend = [period('10-26', 0), period('11-02', 100), period('11-09', 50)];
  expect(viewTrend(digest({ trend }), language)?.periods.map(({ bar, current }) => [bar, current])).toEqual([
    [null, false],
    ['100%', false],
    ['50%', true],
  ]);
});
