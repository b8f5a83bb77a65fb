import type { Digest, DigestContent, DigestDelivery } from '../../../functions/domain/digest.ts';
import { defaultInformingTypes } from '../../../functions/domain/broadcasts/asks.ts';
import { groupBroadcasts } from '../../../functions/domain/broadcasts/group.ts';
import type { RenderInput } from '../../../functions/render/render.ts';

/** A content item that 80 of an audience of 160 saw and 60 answered; `over` replaces what a test is about. */
export function content(over: Partial<DigestContent> = {}): DigestContent {
  return {
    id: '1',
    type: 'text',
    listed: 160,
    seen: 80,
    responded: 60,
    responseRate: 0.75,
    reach: 0.5,
    inPeriod: { seen: 80, responded: 60 },
    medianResponseSeconds: 240,
    undated: 0,
    ...over,
  };
}

/** A new delivery of "Friday Five" without content items. */
export function delivery(over: Partial<DigestDelivery> = {}): DigestDelivery {
  return {
    id: '501',
    broadcast: { id: '71', name: 'Friday Five', createdAt: '2026-11-09T09:30:00+00:00', createdBy: 'Priya Shah' },
    status: 'delivered',
    kind: 'new',
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: false,
    listed: 96,
    seen: 96,
    responded: 72,
    responseRate: 0.75,
    inPeriod: { seen: 90, responded: 70 },
    medianResponseSeconds: 300,
    undated: 0,
    contents: [],
    ...over,
  };
}

/** A digest of the week of 9 November 2026 with nothing in it. */
export function digest(over: Partial<Digest> = {}): Digest {
  const broadcasts = groupBroadcasts(over.deliveries ?? [], {
    informingTypes: defaultInformingTypes,
    listedDeliveries: () => null,
    unseenSince: () => null,
  });
  return {
    schemaVersion: 2,
    run: 'weekly_2026-11-09',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    collectedAt: '2026-11-16T08:00:04+00:00',
    totals: {
      deliveries: 0,
      broadcasts: 0,
      seen: 0,
      responded: 0,
      asked: { seen: 0, responded: 0 },
      responseRate: null,
      undated: 0,
      previous: {
        deliveries: 0,
        broadcasts: 0,
        seen: 0,
        responded: 0,
        asked: { seen: 0, responded: 0 },
        responseRate: null,
      },
      comparison: { basis: 'kept' },
    },
    deliveries: [],
    broadcasts,
    unseenNotNamed: 0,
    otherStatuses: {},
    missing: [],
    ...over,
  };
}

const quarter = (start: string, seen: number) => ({
  start,
  seen,
  responded: 70,
  broadcasts: 1,
  asked: { seen, responded: 70 },
  responseRate: 70 / seen,
  complete: true,
});

/** A digest of the quarter from July to September 2026, with one delivery and the trend of a year. */
export function quarterDigest(): Digest {
  return digest({
    run: 'quarterly_2026-07-01',
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
      asked: { seen: 90, responded: 70 },
      responseRate: 70 / 90,
      undated: 0,
      previous: {
        deliveries: 2,
        broadcasts: 2,
        seen: 80,
        responded: 70,
        asked: { seen: 80, responded: 70 },
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

/** The title of every sample that is not about titles. */
export const sampleTitle = 'Weekly broadcast digest';

/** A digest for the weekly report of Harbour Leisure. */
export function input(digest: Digest, over: Partial<Omit<RenderInput, 'digest'>> = {}): RenderInput {
  return {
    digest,
    report: { title: sampleTitle, locale: 'en', settleHours: 48, statuses: ['delivered'] },
    canUnsubscribe: false,
    page: null,
    mail: {
      csvAttachment: true,
      brand: { name: 'Harbour Leisure', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
      broadcastLink: 'https://reporting.example.com/broadcasts/{broadcastId}',
      footer: {
        why: 'You get this digest because you manage a team at Harbour Leisure.',
        contact: 'Questions? Ask the internal communications team, comms@example.com.',
      },
    },
    ...over,
  };
}

/** A week as it usually is: eight deliveries of every kind, one of which could not be read. */
export function typicalDigest(): Digest {
  const rating = content({
    id: '12',
    type: 'rating',
    seen: 84,
    responded: 64,
    responseRate: 64 / 84,
    reach: 84 / 160,
    inPeriod: { seen: 80, responded: 61 },
    ratings: { count: 64, mean: 4.19, histogram: { '1': 2, '2': 3, '3': 8, '4': 19, '5': 32 } },
  });
  const poll = content({
    id: '13',
    type: 'multiple_choice',
    seen: 71,
    responded: 31,
    responseRate: 31 / 71,
    reach: null,
    inPeriod: { seen: 71, responded: 31 },
  });
  const video = content({
    id: '14',
    type: 'video',
    listed: 66,
    seen: 66,
    responded: 0,
    responseRate: 0,
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
      asked: { seen: 1284, responded: 618 },
      responseRate: 618 / 1284,
      undated: 3,
      previous: {
        deliveries: 6,
        broadcasts: 6,
        seen: 1102,
        responded: 570,
        asked: { seen: 1102, responded: 570 },
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
        responseRate: 118 / 214,
        inPeriod: { seen: 201, responded: 110 },
        contents: [
          content({
            type: 'text',
            seen: 214,
            responded: 118,
            responseRate: 118 / 214,
            reach: null,
            inPeriod: { seen: 201, responded: 110 },
          }),
          content({
            id: '2',
            type: 'form',
            seen: 3,
            responded: 3,
            responseRate: 1,
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
            responseRate: null,
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
        firstSign: '2026-11-10T10:00:00+00:00',
        listed: 0,
        seen: 0,
        responded: 0,
        responseRate: null,
        inPeriod: { seen: 0, responded: 0 },
        medianResponseSeconds: null,
        contents: [
          content({
            type: 'text',
            listed: 0,
            seen: 0,
            responded: 0,
            responseRate: null,
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
        responseRate: 388 / 402,
        inPeriod: { seen: 12, responded: 9 },
        medianResponseSeconds: 86_400 * 3,
        contents: [
          content({
            type: 'quiz',
            seen: 402,
            responded: 388,
            responseRate: 388 / 402,
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
        responseRate: 6 / 88,
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

const RATED_500 = content({
  type: 'rating',
  seen: 640,
  responded: 500,
  responseRate: 500 / 640,
  ratings: { count: 500, mean: 3.018, histogram: { '1': 98, '2': 102, '3': 100, '4': 96, '5': 104 } },
});

/** Texts that would do something if they were not shown as text. */
export const HOSTILE_NAMES = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"><a href="https://evil.example/">click</a>',
  '</table></body></html><!-- --><![endif]-->',
  '{{subject}} {{{brand}}} {{#each groups}} {count} ${name} $& $1',
  'Bell\u0007 null\u0000 escape\u001b[31m delete\u007f next\u0085 line\r\nBcc: eve@example.com\ttab\u2028sep',
  'invoice\u202egpj.exe \u2066isolate\u2069 \u200fmark\u061c',
  'Zalgo'.padEnd(1000, '\u0301'),
  'W'.repeat(1000),
  '&'.repeat(1000),
  '🏊‍♀️'.repeat(300),
  'lone \ud800 surrogate',
  'مرحبا <b>بالفريق</b>',
  ' \u200b\ufeff ',
];

/** Digests at the edges of what an account can hold, by what they are. */
export const CORPUS: Record<string, RenderInput> = {
  empty: input(digest()),
  'an empty day': input(
    digest({
      period: {
        kind: 'day',
        start: '2026-12-31T00:00:00-03:00',
        end: '2027-01-01T00:00:00-03:00',
        timeZone: 'America/Argentina/ComodRivadavia',
      },
    }),
  ),
  'a quarter': input(quarterDigest()),
  'one delivery': input(digest({ deliveries: [delivery({ contents: [content()] })] })),
  typical: input(typicalDigest()),
  'one delivery of 2000': input(
    digest({
      deliveries: [delivery({ contents: Array.from({ length: 2000 }, (_, item) => content({ id: String(item) })) })],
    }),
  ),
  'everything unavailable': input(
    digest({
      totals: {
        deliveries: null,
        broadcasts: null,
        seen: null,
        responded: null,
        asked: null,
        responseRate: null,
        undated: 0,
        previous: null,
        comparison: { basis: 'none', reason: 'incomplete-now' },
        unavailable: { reason: 'incomplete' },
      },
      deliveries: Array.from({ length: 40 }, (_, index) => unread(String(index))),
      missing: Array.from({ length: 40 }, (_, index) => ({
        what: 'delivery' as const,
        delivery: String(index),
        reason: 'failed' as const,
        status: 500,
      })),
    }),
  ),
  hostile: input(
    digest({
      deliveries: HOSTILE_NAMES.flatMap((text, index) => [
        delivery({
          id: String(index),
          kind: (['new', 'silent', 'active'] as const)[index % 3] ?? 'new',
          status: text,
          broadcast: { id: text, name: text, createdAt: '2026-11-09T09:30:00+00:00', createdBy: text },
          contents: [content({ type: text })],
        }),
      ]),
      otherStatuses: Object.fromEntries(HOSTILE_NAMES.map((text, index) => [text, index + 1])),
      missing: HOSTILE_NAMES.map((name, index) => ({
        what: 'content' as const,
        delivery: String(index),
        name,
        reason: 'failed' as const,
      })),
    }),
    { report: { ...input(digest()).report, title: HOSTILE_NAMES[0] ?? '', statuses: ['delivered', 'sent'] } },
  ),
  'a title of 300 characters': input(typicalDigest(), {
    report: { ...input(digest()).report, title: 'Title '.repeat(50), broadcastName: '<b>'.repeat(100) },
  }),
  'nobody has seen anything': input(
    digest({
      deliveries: [
        delivery({
          kind: 'silent',
          seen: 0,
          responded: 0,
          responseRate: null,
          inPeriod: { seen: 0, responded: 0 },
          medianResponseSeconds: null,
        }),
      ],
    }),
  ),
  'more responses than views': input(
    digest({ deliveries: [delivery({ seen: 10, responded: 12, responseRate: 1.2 })] }),
  ),
  '500 ratings': input(digest({ deliveries: [delivery({ contents: [RATED_500] })] })),
  'ratings of a long scale': input(
    digest({
      deliveries: [
        delivery({
          contents: [
            content({
              ratings: {
                count: 101,
                mean: 50,
                histogram: Object.fromEntries(Array.from({ length: 101 }, (_, rating) => [String(rating), 1])),
              },
            }),
          ],
        }),
      ],
    }),
  ),
};

/** A delivery whose recipients could not be read. */
export function unread(id: string): DigestDelivery {
  return delivery({
    id,
    kind: null,
    broadcast: { id, name: null, createdAt: null, createdBy: null },
    firstSign: null,
    listed: null,
    seen: null,
    responded: null,
    responseRate: null,
    inPeriod: null,
    medianResponseSeconds: null,
    contents: null,
    unavailable: { reason: 'failed', status: 500 },
  });
}
