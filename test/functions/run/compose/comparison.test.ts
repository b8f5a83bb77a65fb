import { describe, expect, test } from 'vitest';
import type { StoredFigures } from '../../../../functions/ledger/runs/figures.ts';
import { responseRateOf } from '../../../../functions/run/compose/comparison.ts';
import { at, broadcast, collected, compose, engagement, recipients } from './collected-samples.ts';

const filters = JSON.stringify({ statuses: ['delivered'], broadcastName: null });
const kept: StoredFigures = {
  start: '2026-11-02T00:00:00+00:00',
  end: '2026-11-09T00:00:00+00:00',
  filters,
  complete: true,
  totals: { deliveries: 3, seen: 40, responded: 10, responseRate: 0.25 },
};

/** A delivery new in the preceding week, with engagement in both. */
const before = recipients('a', {
  engagement: engagement({
    listed: 20,
    seen: 20,
    responded: 5,
    inPeriod: { seen: 4, responded: 1 },
    inPrecedingPeriod: { seen: 16, responded: 4 },
    firstSign: at('2026-11-03T08:00:00Z'),
  }),
});
/** An older delivery, still read in the preceding week: the list reaches back that far. */
const older = recipients('o', {
  engagement: engagement({
    seen: 9,
    inPeriod: { seen: 0, responded: 0 },
    inPrecedingPeriod: { seen: 4, responded: 1 },
    firstSign: at('2026-10-01T08:00:00Z'),
  }),
});
const comparisonOf = (found: Parameters<typeof collected>[0], options: Parameters<typeof compose>[1] = {}) => {
  const { previous, comparison } = compose(collected(found), options).digest.totals;
  return { previous, comparison };
};

test('the figures in the digest of the preceding period are compared with, whatever the answers say now', () => {
  expect(comparisonOf({ recipients: [before, older] }, { earlierFigures: [kept] })).toEqual({
    previous: { deliveries: 3, seen: 40, responded: 10, responseRate: 0.25 },
    comparison: { basis: 'kept' },
  });
});

describe('the same counts over the same answers are compared with', () => {
  const recounted = {
    previous: { deliveries: 1, seen: 20, responded: 5, responseRate: 0.25 },
    comparison: { basis: 'recounted' },
  };

  test.each([
    { why: 'nothing was kept', earlierFigures: [] },
    { why: 'what was kept is of another period', earlierFigures: [{ ...kept, start: '2026-10-26T00:00:00+00:00' }] },
    { why: 'what was kept is incomplete', earlierFigures: [{ ...kept, complete: false }] },
    { why: 'what was kept was counted otherwise', earlierFigures: [{ ...kept, filters: '{"statuses":["sent"]}' }] },
  ])('where $why', ({ earlierFigures }) => {
    expect(comparisonOf({ recipients: [before, older] }, { earlierFigures })).toEqual(recounted);
  });

  test('with a delivery that only its creation dates as new, as its own digest counts it', () => {
    const undated = recipients('u', { engagement: engagement({ listed: 1, seen: 1, undated: 1 }) });
    const silent = recipients('s', { engagement: engagement() });
    const broadcasts = [broadcast('u', '2026-11-04T08:00:00Z'), broadcast('s', '2026-11-04T08:00:00Z')];
    const { previous } = comparisonOf({ recipients: [before, older, undated, silent], broadcasts });
    expect(previous?.deliveries).toBe(2);
  });

  test.each([{ report: { statuses: ['delivered', 'sent'] } }, { report: { broadcastName: 'Five' } }])(
    'where the report counts otherwise now: $report',
    ({ report }) => {
      expect(comparisonOf({ recipients: [before, older] }, { report, earlierFigures: [kept] })).toEqual(recounted);
    },
  );

  test('and the order in which statuses are configured is no other way to count', () => {
    const both = { ...kept, filters: JSON.stringify({ statuses: ['delivered', 'sent'], broadcastName: null }) };
    const options = { report: { statuses: ['sent', 'delivered'] }, earlierFigures: [both] };
    expect(comparisonOf({ recipients: [before, older] }, options).comparison).toEqual({ basis: 'kept' });
  });

  test('where a delivery that nobody engaged with was created before, and so shows how far the list reaches', () => {
    const silent = recipients('s', { engagement: engagement() });
    const found = { recipients: [before, silent], broadcasts: [broadcast('s', '2026-11-01T23:59:59Z')] };
    expect(comparisonOf(found)).toEqual({
      previous: { deliveries: 1, seen: 16, responded: 4, responseRate: 0.25 },
      comparison: { basis: 'recounted' },
    });
  });
});

describe('nothing is compared with, and the reason is given,', () => {
  test('in a first run whose list does not reach back', () => {
    expect(comparisonOf({ recipients: [before] })).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'first-run' },
    });
  });

  test('in a later run whose list does not reach back, and whose figures were not kept', () => {
    const earlierFigures = [{ ...kept, start: '2026-10-26T00:00:00+00:00' }];
    expect(comparisonOf({ recipients: [before] }, { earlierFigures })).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'list-too-short' },
    });
  });

  test('where this period is incomplete, whatever was kept', () => {
    const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
    expect(comparisonOf({ recipients: [before, older, unread] }, { earlierFigures: [kept] })).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'incomplete-now' },
    });
  });
});

test('the response rate is responded / seen, and none where nobody saw anything', () => {
  expect([responseRateOf(4, 1), responseRateOf(4, 0), responseRateOf(0, 0), responseRateOf(0, 3)]).toEqual([
    0.25,
    0,
    null,
    null,
  ]);
});
