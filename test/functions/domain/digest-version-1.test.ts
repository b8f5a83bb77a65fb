import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { digestSchema } from '../../../functions/domain/digest.ts';
import { readableDigestSchema, type DigestVersion1 } from '../../../functions/domain/digest-version-1.ts';
import { content, delivery, unread } from './broadcasts/samples.ts';

/** A digest as the release before stored it. */
function stored(over: Partial<DigestVersion1> = {}): DigestVersion1 {
  return {
    schemaVersion: 1,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    collectedAt: '2026-11-16T08:00:04+00:00',
    totals: {
      deliveries: 2,
      seen: 9,
      responded: 3,
      responseRate: 3 / 9,
      undated: 0,
      previous: { deliveries: 1, seen: 8, responded: 2, responseRate: 0.25 },
      comparison: { basis: 'kept' },
    },
    trend: [
      { start: '2026-11-02T00:00:00+00:00', seen: 8, responded: 2, complete: true },
      { start: '2026-11-09T00:00:00+00:00', seen: 9, responded: 3, complete: true },
    ],
    deliveries: [
      delivery('1'),
      delivery('2'),
      delivery('3', {
        broadcast: { id: 'c', name: 'News', createdAt: null, createdBy: null },
        kind: 'active',
        contents: [content({ type: 'video' })],
      }),
    ],
    otherStatuses: { scheduled: 1 },
    missing: [],
    ...over,
  };
}

const read = (digest: unknown) => v.parse(readableDigestSchema, digest);

describe('a digest of version 1', () => {
  const digest = read(stored());

  test('is read as one of version 2, whose deliveries are the same', () => {
    expect(v.is(digestSchema, digest)).toBe(true);
    const { deliveries, otherStatuses, missing, period } = stored();
    expect(digest).toMatchObject({ schemaVersion: 2, deliveries, otherStatuses, missing, period });
  });

  test('has the broadcasts of its deliveries, and does not say what it does not know of them', () => {
    expect(digest.broadcasts).toMatchObject([
      { id: 'b', kind: 'new', asks: true, deliveries: ['1', '2'], inPeriod: { seen: 6, responded: 2 } },
      { id: 'c', kind: 'active', asks: false, deliveries: ['3'] },
    ]);
    expect(digest.broadcasts.map(({ listedDeliveries }) => listedDeliveries)).toEqual([null, null]);
    expect(digest.unseenNotNamed).toBeNull();
  });

  test('has the response rate of what asks in its period, and none before: the one it has is of everything', () => {
    expect(digest.totals).toEqual({
      ...stored().totals,
      broadcasts: 1,
      asked: { seen: 6, responded: 2 },
      responseRate: 2 / 6,
      previous: { deliveries: 1, broadcasts: null, seen: 8, responded: 2, asked: null, responseRate: null },
    });
    expect(digest.trend?.map(({ seen, responseRate }) => [seen, responseRate])).toEqual([
      [8, null],
      [9, 2 / 6],
    ]);
  });
});

test('an incomplete digest of version 1 stays incomplete', () => {
  const totals = {
    ...stored().totals,
    deliveries: null,
    seen: null,
    responded: null,
    responseRate: null,
    previous: null,
  };
  const { trend: _, ...untrended } = stored({ totals, deliveries: [delivery('1'), unread('2')] });
  const digest = read(untrended);
  expect(digest.totals).toEqual({ ...totals, broadcasts: null, asked: null });
  expect(digest).not.toHaveProperty('trend');
});

test('a digest of version 2 is read as it is, and one of another version is not read', () => {
  const digest = read(stored());
  expect(read(digest)).toEqual(digest);
  expect(v.is(readableDigestSchema, { ...digest, schemaVersion: 3 })).toBe(false);
});
