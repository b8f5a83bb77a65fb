import type { Digest } from '../../../../functions/domain/digest.ts';
import { content, delivery, digest, engaged, unread } from './pieces.ts';

/** A week as it usually is: eight deliveries of every kind, one of which could not be read. */
export function typicalDigest(): Digest {
  const rating = content({
    id: '12',
    type: 'rating',
    seen: 84,
    responded: 64,
    reach: 84 / 160,
    inPeriod: { seen: 80, responded: 61 },
    ratings: { count: 64, mean: 4.19, histogram: { '1': 2, '2': 3, '3': 8, '4': 19, '5': 32 } },
  });
  const poll = content({
    id: '13',
    type: 'multiple_choice',
    seen: 71,
    responded: 31,
    reach: null,
    inPeriod: { seen: 71, responded: 31 },
  });
  const video = content({
    id: '14',
    type: 'video',
    listed: 66,
    seen: 66,
    responded: 0,
    reach: null,
    inPeriod: { seen: 66, responded: 0 },
    medianResponseSeconds: null,
  });
  return digest({
    totals: {
      deliveries: 5,
      broadcasts: 5,
      seen: 1284,
      responded: 618,
      asked: engaged(1284, 618),
      responseRate: 618 / 1284,
      undated: 3,
      previous: {
        deliveries: 6,
        broadcasts: 6,
        seen: 1102,
        responded: 570,
        asked: engaged(1102, 570),
        responseRate: 570 / 1102,
      },
      comparison: { basis: 'kept' },
    },
    deliveries: [
      delivery({ contents: [video, rating, poll] }),
      delivery({
        id: '502',
        broadcast: {
          id: '72',
          name: 'Pool & gym opening hours over the holidays: what changes at your site, and whom to ask',
          createdAt: '2026-11-11T16:05:00+00:00',
          createdBy: 'Tom O’Brien',
        },
        stillCounting: true,
        seen: 214,
        responded: 118,
        inPeriod: { seen: 201, responded: 110 },
        contents: [
          content({
            type: 'text',
            seen: 214,
            responded: 118,
            reach: null,
            inPeriod: { seen: 201, responded: 110 },
          }),
          content({
            id: '2',
            type: 'form',
            seen: 3,
            responded: 3,
            reach: 0.004,
            listed: 748,
            inPeriod: { seen: 3, responded: 3 },
          }),
        ],
      }),
      delivery({
        id: '503',
        broadcast: { id: '73', name: 'مرحبا بالفريق الجديد', createdAt: '2026-11-12T10:00:00+00:00', createdBy: null },
        undated: 2,
        contents: [
          content({
            unavailable: { reason: 'failed', status: 503 },
            seen: null,
            responded: null,
            listed: null,
            reach: null,
            inPeriod: null,
            medianResponseSeconds: null,
          }),
          poll,
        ],
      }),
      delivery({
        id: '504',
        kind: 'silent',
        broadcast: {
          id: '74',
          name: 'Lifeguard rota: swaps',
          createdAt: '2026-11-10T10:00:00+00:00',
          createdBy: 'Ada King',
        },
        firstSign: null,
        listed: 0,
        seen: 0,
        responded: 0,
        inPeriod: { seen: 0, responded: 0 },
        medianResponseSeconds: null,
        contents: [
          content({
            type: 'text',
            listed: 0,
            seen: 0,
            responded: 0,
            reach: null,
            inPeriod: { seen: 0, responded: 0 },
            medianResponseSeconds: null,
          }),
        ],
      }),
      delivery({
        id: '505',
        kind: 'active',
        broadcast: {
          id: '75',
          name: 'Safeguarding refresher 🏊',
          createdAt: '2026-10-05T10:00:00+01:00',
          createdBy: 'Grace Lee',
        },
        seen: 402,
        responded: 388,
        inPeriod: { seen: 12, responded: 9 },
        medianResponseSeconds: 86_400 * 3,
        contents: [
          content({
            type: 'quiz',
            seen: 402,
            responded: 388,
            reach: 0.91,
            listed: 442,
            inPeriod: { seen: 12, responded: 9 },
          }),
        ],
      }),
      delivery({
        id: '506',
        kind: 'active',
        broadcast: { id: '76', name: 'Uniform order', createdAt: '2026-10-26T10:00:00+00:00', createdBy: 'Grace Lee' },
        seen: 88,
        responded: 6,
        inPeriod: { seen: 4, responded: 0 },
        contents: null,
        unavailable: { reason: 'forbidden', status: 403 },
      }),
      unread('507'),
    ],
    otherStatuses: { scheduled: 2, cancelled: 1 },
    missing: [
      {
        what: 'content',
        delivery: '503',
        broadcast: '73',
        content: '1',
        name: 'مرحبا بالفريق الجديد',
        reason: 'failed',
        status: 503,
      },
      { what: 'broadcast', broadcast: '76', name: 'Uniform order', reason: 'forbidden', status: 403 },
      { what: 'delivery', delivery: '507', reason: 'failed', status: 500 },
    ],
  });
}
