import { describe, expect, test } from 'vitest';
import { defaultInformingTypes } from '../../../../functions/domain/broadcasts.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import type { StoredFigures } from '../../../../functions/ledger/runs/digests.ts';
import { countedBy } from '../../../../functions/run/earlier-figures.ts';
import { reportOf } from '../configured.ts';
import { collected, compose, recipients, type Composing } from './collected-samples.ts';

/** What the report's digest of the week of 2 November left. */
const kept: StoredFigures = {
  kind: 'week',
  start: '2026-11-02T00:00:00+00:00',
  end: '2026-11-09T00:00:00+00:00',
  run: 'weekly_2026-11-02',
  digest: 'a',
  ...countedBy(reportOf(), defaultInformingTypes),
  complete: true,
  totals: {
    deliveries: 3,
    broadcasts: 3,
    seen: 40,
    responded: 10,
    asked: { seen: 40, responded: 10, answered: 10 },
    responseRate: 0.25,
  },
};
/** The same, for the week before that. */
const keptBefore = { ...kept, start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00' };
const incomplete = { ...kept, complete: false };

const comparisonOf = (options: Composing, found: Parameters<typeof collected>[0] = {}) => {
  const { previous, comparison } = compose(collected(found), options).digest.totals;
  return { previous, comparison };
};

describe('the figures that the complete digest of the preceding period kept are compared with', () => {
  const both = { ...kept, ...countedBy({ ...reportOf(), statuses: ['delivered', 'sent'] }, defaultInformingTypes) };
  test.each<{ why: string; options: Composing }>([
    { why: 'beside others', options: { earlier: [keptBefore, kept] } },
    { why: 'and a digest of a later period was made', options: { earlier: [kept], hasLater: true } },
    {
      why: 'and the same statuses are configured in another order and case',
      options: { earlier: [both], report: { statuses: ['Sent', 'delivered'] } },
    },
    {
      why: 'and the same informing types are',
      options: {
        earlier: [kept],
        informingTypes: defaultInformingTypes.toReversed().map((type) => type.toUpperCase()),
      },
    },
  ])('$why', ({ options }) => {
    expect(comparisonOf(options)).toEqual({ previous: kept.totals, comparison: { basis: 'kept' } });
  });

  test('save for what asks, where other types were held to inform', () => {
    expect(comparisonOf({ earlier: [{ ...kept, informingTypes: '["poll"]' }] })).toEqual({
      previous: { ...kept.totals, asked: null, responseRate: null },
      comparison: { basis: 'kept' },
    });
  });
});

describe('nothing is compared with, and the reason and the period that lacks something are given', () => {
  const now = { start: '2026-11-09T00:00:00+00:00', end: '2026-11-16T00:00:00+00:00' };
  const before = { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00' };
  const unread = { recipients: [recipients('x', { unavailable: { reason: 'failed', status: 500 } })] } as const;
  const moved = periodBefore('week', 'America/New_York', '2026-11-16T13:00:00Z');
  const preceding = { start: '2026-11-02T00:00:00-05:00', end: '2026-11-09T00:00:00-05:00' };

  test.each<{ reason: string; why: string; options: Composing; found?: typeof unread; lacking: object }>([
    { reason: 'first', why: 'in a first digest', options: {}, lacking: before },
    {
      reason: 'first-so-early',
      why: 'where a digest of a later period was made, and none of an earlier one',
      options: { hasLater: true },
      lacking: before,
    },
    {
      reason: 'not-kept',
      why: 'where no digest of that period was made',
      options: { earlier: [keptBefore] },
      lacking: before,
    },
    {
      reason: 'not-kept',
      why: 'where the figures are of another kind of period',
      options: { earlier: [{ ...kept, kind: 'day', end: '2026-11-03T00:00:00+00:00' }] },
      lacking: before,
    },
    {
      reason: 'incomplete-before',
      why: 'where the digest of that period was incomplete',
      options: { earlier: [incomplete] },
      lacking: before,
    },
    {
      reason: 'incomplete-now',
      why: 'where this digest is, whatever was kept',
      options: { earlier: [kept] },
      found: unread,
      lacking: now,
    },
    {
      reason: 'counted-otherwise',
      why: 'where other statuses are wanted now',
      options: { earlier: [kept], report: { statuses: ['delivered', 'sent'] } },
      lacking: before,
    },
    {
      reason: 'counted-otherwise',
      why: 'where the report is about other broadcasts now',
      options: { earlier: [kept], report: { broadcastName: 'Five' } },
      lacking: before,
    },
    {
      reason: 'counted-otherwise',
      why: 'where that period ended at another instant',
      options: { earlier: [{ ...kept, end: '2026-11-09T01:00:00+00:00' }] },
      lacking: before,
    },
    {
      reason: 'counted-otherwise',
      why: 'where its weeks begin in another zone',
      options: { earlier: [kept], period: moved },
      lacking: preceding,
    },
  ])('$why: $reason', ({ reason, options, found, lacking }) => {
    expect(comparisonOf(options, found)).toEqual({ previous: null, comparison: { basis: 'none', reason, lacking } });
  });
});
