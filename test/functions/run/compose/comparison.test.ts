import { describe, expect, test } from 'vitest';
import type { StoredFigures } from '../../../../functions/ledger/runs/figures.ts';
import { countedBy } from '../../../../functions/run/earlier-figures.ts';
import { defaultInformingTypes } from '../../../../functions/domain/broadcasts/asks.ts';
import { historyKey } from '../../../../functions/ledger/runs/delivery-history.ts';
import { reportOf } from '../configured.ts';
import { at, broadcast, collected, compose, engagement, recipients } from './collected-samples.ts';

const filters = JSON.stringify({ statuses: ['delivered'], broadcastName: null });
const kept: StoredFigures = {
  kind: 'week',
  name: '2026-W45',
  start: '2026-11-02T00:00:00+00:00',
  end: '2026-11-09T00:00:00+00:00',
  filters,
  informingTypes: countedBy(reportOf(), defaultInformingTypes).informingTypes,
  complete: true,
  totals: {
    deliveries: 3,
    broadcasts: 3,
    seen: 40,
    responded: 10,
    asked: { seen: 40, responded: 10 },
    responseRate: 0.25,
  },
};

/** A broadcast that asks something, and one that does not. */
const asking = broadcast('a', '2026-11-03T07:00:00Z', [{ id: '1', type: 'poll' }]);
const informing = broadcast('o', '2026-10-01T07:00:00Z', [{ id: '2', type: 'text' }]);
const broadcasts = [asking, informing];

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
  expect(comparisonOf({ recipients: [before, older], broadcasts }, { earlierFigures: [kept] })).toEqual({
    previous: {
      deliveries: 3,
      broadcasts: 3,
      seen: 40,
      responded: 10,
      asked: { seen: 40, responded: 10 },
      responseRate: 0.25,
    },
    comparison: { basis: 'kept' },
  });
});

describe('the same counts over the same answers are compared with', () => {
  const recounted = {
    previous: {
      deliveries: 1,
      broadcasts: 1,
      seen: 20,
      responded: 5,
      asked: { seen: 16, responded: 4 },
      responseRate: 0.25,
    },
    comparison: { basis: 'recounted' },
  };

  test.each([
    { why: 'nothing was kept', earlierFigures: [] },
    { why: 'what was kept is of another period', earlierFigures: [{ ...kept, start: '2026-10-26T00:00:00+00:00' }] },
    {
      why: 'what was kept is of another kind of period',
      earlierFigures: [{ ...kept, kind: 'day', name: '2026-11-02' }],
    },
    {
      why: 'what was kept ends at another instant, by another zone',
      earlierFigures: [{ ...kept, end: '2026-11-09T00:00:00+01:00' }],
    },
    { why: 'what was kept is incomplete', earlierFigures: [{ ...kept, complete: false }] },
    { why: 'what was kept was counted otherwise', earlierFigures: [{ ...kept, filters: '{"statuses":["sent"]}' }] },
  ] as const)('where $why', ({ earlierFigures }) => {
    expect(comparisonOf({ recipients: [before, older], broadcasts }, { earlierFigures })).toEqual(recounted);
  });

  test('with a delivery that only its creation dates as new, as its own digest counts it', () => {
    const undated = recipients('u', { engagement: engagement({ listed: 1, seen: 1, undated: 1 }) });
    const silent = recipients('s', { engagement: engagement() });
    const created = [broadcast('u', '2026-11-04T08:00:00Z'), broadcast('s', '2026-11-04T08:00:00Z')];
    const { previous } = comparisonOf({ recipients: [before, older, undated, silent], broadcasts: created });
    expect(previous?.deliveries).toBe(2);
  });

  test.each([{ report: { statuses: ['delivered', 'sent'] } }, { report: { broadcastName: 'Five' } }])(
    'where the report counts otherwise now: $report',
    ({ report }) => {
      expect(comparisonOf({ recipients: [before, older], broadcasts }, { report, earlierFigures: [kept] })).toEqual(
        recounted,
      );
    },
  );

  test('and the order in which statuses are configured is no other way to count', () => {
    const both = { ...kept, filters: JSON.stringify({ statuses: ['delivered', 'sent'], broadcastName: null }) };
    const options = { report: { statuses: ['sent', 'delivered'] }, earlierFigures: [both] };
    expect(comparisonOf({ recipients: [before, older], broadcasts }, options).comparison).toEqual({ basis: 'kept' });
  });

  test('where a delivery that nobody engaged with was created before, and so shows how far the list reaches', () => {
    const silent = recipients('s', { engagement: engagement() });
    const found = { recipients: [before, silent], broadcasts: [asking, broadcast('s', '2026-11-01T23:59:59Z')] };
    expect(comparisonOf(found)).toEqual({
      previous: {
        deliveries: 1,
        broadcasts: 1,
        seen: 16,
        responded: 4,
        asked: { seen: 16, responded: 4 },
        responseRate: 0.25,
      },
      comparison: { basis: 'recounted' },
    });
  });
});

describe('figures that were kept without what asks', () => {
  const { informingTypes: _, ...ofEarlierRelease } = kept;
  const without = { ...kept.totals, asked: null, responseRate: null };

  test.each([
    { why: 'by an earlier release', earlierFigures: [{ ...ofEarlierRelease, totals: without }] },
    { why: 'as a broadcast could not be read then', earlierFigures: [{ ...kept, totals: without }] },
    { why: 'under other informing types', earlierFigures: [{ ...kept, informingTypes: '["poll"]' }] },
  ])('are counted again where they were kept so $why', ({ earlierFigures }) => {
    const { previous, comparison } = comparisonOf({ recipients: [before, older], broadcasts }, { earlierFigures });
    expect(previous).toMatchObject({ seen: 20, asked: { seen: 16, responded: 4 }, responseRate: 0.25 });
    expect(comparison).toEqual({ basis: 'recounted' });
  });

  test.each([
    { why: 'the list does not reach back', found: { recipients: [before], broadcasts } },
    { why: 'it is still not known what asks', found: { recipients: [before, older], broadcasts: [asking] } },
    {
      why: 'a delivery is gone for good, as an earlier digest said',
      found: {
        recipients: [before, older, recipients('x', { unavailable: { reason: 'gone', status: 410 } })],
        broadcasts,
        shown: { [historyKey('delivery', 'x')]: { goneIn: '2026-11-02' } },
      },
    },
  ] as const)('are compared with, save for the response rate, where $why', ({ found }) => {
    const earlierFigures = [{ ...kept, informingTypes: 'of another release' }];
    expect(comparisonOf(found, { earlierFigures })).toEqual({ previous: without, comparison: { basis: 'kept' } });
  });

  test('the order and the case of the informing types make no difference', () => {
    const informingTypes = defaultInformingTypes.toReversed().map((type) => type.toUpperCase());
    const { comparison } = comparisonOf(
      { recipients: [before, older], broadcasts },
      { informingTypes, earlierFigures: [kept] },
    );
    expect(comparison).toEqual({ basis: 'kept' });
  });
});

test('what a broadcast asks in the preceding period is not known where the broadcast is not', () => {
  const { previous } = comparisonOf({ recipients: [before, older], broadcasts: [informing] });
  expect(previous).toMatchObject({ seen: 20, asked: null, responseRate: null });
});

describe('nothing is compared with, and the reason is given,', () => {
  test('in a first run whose list does not reach back', () => {
    expect(comparisonOf({ recipients: [before], broadcasts })).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'first-run' },
    });
  });

  test.each([
    { why: 'were not kept', figures: { ...kept, start: '2026-10-26T00:00:00+00:00' } },
    { why: 'are of another kind of period', figures: { ...kept, kind: 'month', name: '2026-11' } },
    { why: 'are of a period that ends elsewhere', figures: { ...kept, end: '2026-11-09T00:00:00-05:00' } },
    { why: 'are of a period that began elsewhere', figures: { ...kept, start: '2026-11-02T00:00:00+01:00' } },
  ] as const)('in a later run whose list does not reach back, and whose figures $why', ({ figures }) => {
    const { digest } = compose(collected({ recipients: [before], broadcasts }), { earlierFigures: [figures] });
    const { previous, comparison } = digest.totals;
    expect({ previous, comparison }).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'list-too-short' },
    });
    expect(digest.trend).toHaveLength(1);
  });

  test('where this period is incomplete, whatever was kept', () => {
    const unread = recipients('x', { unavailable: { reason: 'failed', status: 500 } });
    expect(comparisonOf({ recipients: [before, older, unread], broadcasts }, { earlierFigures: [kept] })).toEqual({
      previous: null,
      comparison: { basis: 'none', reason: 'incomplete-now' },
    });
  });
});
