import type { RenderInput } from '../../../../functions/render/render.ts';
import { content, delivery, digest, input, unread } from './pieces.ts';
import { quarterDigest } from './quarter.ts';
import { typicalDigest } from './usual-week.ts';

const RATED_500 = content({
  type: 'rating',
  seen: 640,
  responded: 500,
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
        comparison: { basis: 'none', reason: 'incomplete-now', lacking: digest().period },
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
          inPeriod: { seen: 0, responded: 0 },
          medianResponseSeconds: null,
        }),
      ],
    }),
  ),
  'more responses than views': input(digest({ deliveries: [delivery({ seen: 10, responded: 12 })] })),
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
