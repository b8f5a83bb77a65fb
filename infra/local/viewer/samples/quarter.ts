import type { Digest } from '../../../../functions/domain/digest.ts';
import { delivery, digest, engaged } from './pieces.ts';

const quarter = (start: string, seen: number) => ({
  start,
  seen,
  responded: 70,
  broadcasts: 1,
  asked: engaged(seen, 70),
  responseRate: 70 / seen,
  complete: true,
});

/** A digest of the quarter from July to September 2026, with one delivery and the trend of a year. */
export function quarterDigest(): Digest {
  return digest({
    run: 'quarterly_2026-Q3',
    report: 'quarterly',
    period: {
      kind: 'quarter',
      start: '2026-07-01T00:00:00+01:00',
      end: '2026-10-01T00:00:00+01:00',
      timeZone: 'Europe/London',
    },
    totals: {
      deliveries: 1,
      broadcasts: 1,
      seen: 90,
      responded: 70,
      asked: engaged(90, 70),
      responseRate: 70 / 90,
      undated: 0,
      previous: {
        deliveries: 2,
        broadcasts: 2,
        seen: 80,
        responded: 70,
        asked: engaged(80, 70),
        responseRate: 70 / 80,
      },
      comparison: { basis: 'kept' },
    },
    trend: [
      quarter('2025-10-01T00:00:00+01:00', 60),
      quarter('2026-01-01T00:00:00+00:00', 100),
      quarter('2026-04-01T00:00:00+01:00', 80),
      quarter('2026-07-01T00:00:00+01:00', 90),
    ],
    collectedAt: '2026-10-01T08:00:04+01:00',
    deliveries: [
      delivery({
        broadcast: { id: '71', name: 'Friday Five', createdAt: '2026-07-20T09:30:00+01:00', createdBy: 'Priya Shah' },
        firstSign: '2026-07-20T10:00:00+01:00',
      }),
    ],
  });
}
