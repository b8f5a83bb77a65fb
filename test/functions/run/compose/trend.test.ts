import { expect, test } from 'vitest';
import type { StoredFigures } from '../../../../functions/ledger/runs/digests.ts';
import { periodBefore, precedingPeriod } from '../../../../functions/domain/period.ts';
import { composeTrend } from '../../../../functions/run/compose/comparison.ts';

const period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');
const totals = {
  deliveries: 1,
  broadcasts: 1,
  seen: 100,
  responded: 50,
  asked: { seen: 100, responded: 50, answered: 50 },
  responseRate: 0.5,
};

/** The figures of the period `back` before this one. */
function kept(back: number, over: Partial<StoredFigures> = {}): StoredFigures {
  let at = period;
  for (let step = 0; step < back; step += 1) at = precedingPeriod(at);
  const { start, end } = at;
  return {
    kind: 'week',
    start,
    end,
    run: `weekly_${start.slice(0, 10)}`,
    digest: 'a',
    filters: 'f',
    informingTypes: 't',
    complete: true,
    totals: { ...totals, seen: back, responded: back },
    ...over,
  };
}

const trendOf = (earlier: StoredFigures[], over: object = {}) =>
  composeTrend({ period, earlier, filters: 'f', informingTypes: 't', totals, ...over }).map(
    ({ start, seen, complete }) => [start, seen, complete],
  );

test('is of eight periods at most, oldest first, over the clock change', () => {
  const earlier = Array.from({ length: 12 }, (_, index) => kept(12 - index));
  expect(trendOf(earlier)).toEqual([
    ['2026-09-21T00:00:00+01:00', 7, true],
    ['2026-09-28T00:00:00+01:00', 6, true],
    ['2026-10-05T00:00:00+01:00', 5, true],
    ['2026-10-12T00:00:00+01:00', 4, true],
    ['2026-10-19T00:00:00+01:00', 3, true],
    ['2026-10-26T00:00:00+00:00', 2, true],
    ['2026-11-02T00:00:00+00:00', 1, true],
    ['2026-11-09T00:00:00+00:00', 100, true],
  ]);
});

test('leaves a gap where a period in between is not known, was incomplete or was counted otherwise', () => {
  expect(trendOf([kept(5), kept(4, { complete: false }), kept(3, { filters: 'other' }), kept(1)])).toEqual([
    ['2026-10-05T00:00:00+01:00', 5, true],
    ['2026-10-12T00:00:00+01:00', null, false],
    ['2026-10-19T00:00:00+01:00', null, false],
    ['2026-10-26T00:00:00+00:00', null, false],
    ['2026-11-02T00:00:00+00:00', 1, true],
    ['2026-11-09T00:00:00+00:00', 100, true],
  ]);
});

test('is of this period alone where nothing is known of any', () => {
  const nothing = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  expect(trendOf([], { totals: nothing })).toEqual([['2026-11-09T00:00:00+00:00', null, false]]);
});
