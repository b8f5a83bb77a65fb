import { beforeAll, describe, expect, test } from 'vitest';
import type { DigestDelivery } from '../../../functions/digest.ts';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../functions/run/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { preheader } from './read-mail.ts';
import { content, CORPUS, delivery, digest, input, typicalDigest, withoutLinks } from './render-samples.ts';

let render: (input: RenderInput) => RenderedDigest;

beforeAll(async () => {
  render = createRenderer(await loadTemplates('templates'));
});

describe('a digest with one delivery', () => {
  const one = digest({
    totals: {
      deliveries: 1,
      seen: 1300,
      responded: 700,
      responseRate: 700 / 1300,
      undated: 1,
      previous: { deliveries: 2, seen: 1200, responded: 700, responseRate: 700 / 1200 },
      comparison: { basis: 'recounted' },
    },
    deliveries: [
      delivery({
        stillCounting: true,
        contents: [
          content({ type: 'multiple_choice', inPeriod: { seen: 70, responded: 50 }, undated: 1 }),
          content({
            type: 'rating',
            reach: null,
            medianResponseSeconds: null,
            ratings: { count: 3, mean: 4.333, histogram: { '4': 2, '5': 1, '10': 0 } },
          }),
        ],
      }),
    ],
    otherStatuses: { in_progress: 1, cancelled: 2 },
  });

  test('is told in the text part', () => {
    expect(render(input(one)).text.replaceAll('\u00a0', ' ')).toBe(`Harbour Leisure
Weekly broadcast digest
November 9 – 15, 2026 · Europe/London

The period in figures
  New deliveries: 1 · −1 (was 2)
  Views: 1,300 · +100 (was 1,200)
  Responses: 700 · unchanged (was 700)
  Response rate: 53.8% · −4.5 pts (was 58.3%)
Changes are against the week before. The earlier figures are counted from the
same answers.

What worked
  Most views: “Friday Five”, 90 views in the period.
  Best response: “Friday Five”, 75% to date.

----------------------------------------
New · 1
First views or responses came in the period.

Friday Five (still counting)
  https://reporting.example.com/broadcasts/71
  by Priya Shah · created Nov 9, 2026
  To date: Seen 96 · Responded 72 · Rate 75%
  In the week: Seen 90 · Responded 70
  Half of those who responded did so within 5 minutes of seeing it.
  1. Multiple choice: Seen 80 · Responded 60 · Rate 75%
     In the week: 70 seen, 50 responded. Reached 50% of an audience of 160.
     Half responded within 4 minutes. 1 row has a date that cannot be read.
  2. Rating: Seen 80 · Responded 60 · Rate 75%
     Mean 4.33 from 3 ratings
     10: 0
     5: 1
     4: 2

----------------------------------------
About these figures
  Views and responses are counted by delivery: somebody who saw two deliveries
  counts twice.
  “Still counting”: the first sign is less than 48 hours old at the end of the
  period, so the figures will grow.
  1 row has a date that cannot be read. It counts to date, not in the period.
  Deliveries with another status, not counted here: Cancelled 2 and In
  progress 1.
  Data as of Nov 16, 2026, 8:00 AM GMT.

You get this digest because you manage a team at Harbour Leisure.
Questions? Ask the internal communications team, comms@example.com.
`);
  });

  test('has title, period and views in the subject', () => {
    expect(render(input(one)).subject).toBe('Weekly broadcast digest, Nov 9 – 15, 2026: 1,300 views (+100)');
  });

  test('has its figures in the preheader', () => {
    expect(preheader(render(input(one)).html).replaceAll('\u00a0', ' ')).toBe(
      '1,300 views and 700 responses, 1 new delivery (Nov 9 – 15, 2026). Response rate 53.8%. Views: +100 against the period before.',
    );
  });

  test('links the name of its broadcast', () => {
    expect(render(input(one)).html).toContain('<a href="https://reporting.example.com/broadcasts/71"');
  });

  test('draws a rate as two cells', () => {
    expect(render(input(one)).html).toContain(
      '<td class="f" width="75%" bgcolor="#0b57a4">&nbsp;</td><td class="t" width="25%" bgcolor="#dde2e8">&nbsp;</td>',
    );
  });
});

describe('what is missing', () => {
  test('is named on top, five lines at most, content items of one delivery together', () => {
    const missing = [
      { what: 'deliveries' as const, reason: 'cut-off' as const },
      ...['1', '2', '3'].map((id) => ({
        what: 'content' as const,
        delivery: '501',
        content: id,
        name: 'Friday Five',
        reason: 'gone' as const,
        status: 410,
      })),
      { what: 'ratings' as const, delivery: '501', name: 'Friday Five', reason: 'incomplete' as const },
      { what: 'broadcast' as const, broadcast: '88', reason: 'too-large' as const },
      ...['601', '602', '603'].map((id) => ({
        what: 'delivery' as const,
        delivery: id,
        reason: 'unreadable' as const,
      })),
    ];
    const { text } = render(input(digest({ missing })));
    expect(text.slice(text.indexOf('This digest'), text.indexOf('The period in figures')))
      .toBe(`This digest is incomplete
  The list of deliveries: the list may be cut off.
  3 content items of “Friday Five”: this was removed from the service (status
  410).
  The ratings of a content item of “Friday Five”: parts of the answer are
  missing.
  Name and content items of broadcast 88: the answer was too large to read.
  The figures of delivery 601: the answer could not be understood.
  … and 2 more.

`);
  });

  test('is a dash with its reason, never a zero', () => {
    const { text } = render(CORPUS['everything unavailable'] ?? input(digest()));
    expect(text.slice(text.indexOf('The period'), text.indexOf('-----'))).toBe(`The period in figures
  New deliveries: – · not available
  Views: – · not available
  Responses: – · not available
  Response rate: – · not available
Figures of the period are not available: parts of the answer are missing.

`);
  });

  test('makes the subject and the preheader say so', () => {
    const { html, subject } = render(CORPUS['everything unavailable'] ?? input(digest()));
    expect(subject).toBe('Weekly broadcast digest, Nov 9 – 15, 2026: some figures are missing');
    expect(preheader(html)).toMatch(/^Some figures of .* could not be had; the mail says which and why\.$/);
  });

  test('is named even where only the totals lack it', () => {
    const totals = { ...typicalDigest().totals, unavailable: { reason: 'incomplete' as const } };
    expect(render(input(digest({ totals }))).text).toContain(
      'This digest is incomplete\n  The totals of the period: parts of the answer are missing.\n',
    );
  });

  test('is said at the broadcast that could not be read', () => {
    const unread = delivery({ contents: null });
    const { text } = render(
      input(
        digest({
          deliveries: [unread],
          missing: [{ what: 'broadcast', broadcast: '71', reason: 'not-found', status: 404 }],
        }),
      ),
    );
    expect(text).toContain('  Content items not available: the service no longer finds this (status 404).\n');
  });
});

describe('the comparison', () => {
  test.each([
    ['first-run', 'There is nothing to compare with yet: this is the first digest of this report.'],
    ['incomplete-now', 'There is no comparison, because figures of this period are missing.'],
    ['list-too-short', 'There is no comparison, because the list of deliveries does not reach back far enough.'],
  ] as const)('is replaced by one sentence: %s', (reason, sentence) => {
    const totals = { ...typicalDigest().totals, previous: null, comparison: { basis: 'none' as const, reason } };
    const { text, subject } = render(input(digest({ totals, deliveries: [delivery()] })));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `New deliveries: 5 Views: 1,284 Responses: 618 Response rate: 48.1% ${sentence}`,
    );
    expect(subject).toBe('Weekly broadcast digest, Nov 9 – 15, 2026: 1,284 views');
  });

  test('has no figure where nobody saw anything before', () => {
    const totals = {
      ...typicalDigest().totals,
      previous: { deliveries: 5, seen: 0, responded: 0, responseRate: null },
    };
    expect(render(input(digest({ totals, deliveries: [delivery()] }))).text).toContain(
      'Response rate: 48.1% · no figure before',
    );
  });
});

describe('the deliveries', () => {
  test('stand in groups, each in the order of the digest', () => {
    const kinds = [null, 'active', 'new', 'silent', 'new'] as const;
    const deliveries = kinds.map((kind, index) =>
      delivery({ kind, broadcast: { id: String(index), name: `B${index}`, createdAt: null, createdBy: null } }),
    );
    const { text } = render(withoutLinks(input(digest({ deliveries }))));
    expect(text.match(/^(?:New|Silent|Active|Not available) · \d$|^B\d$/gm)).toEqual([
      'New · 2',
      'B2',
      'B4',
      'Silent · 1',
      'B3',
      'Active · 1',
      'B1',
      'Not available · 1',
      'B0',
    ]);
  });

  test('say their status where the report wants several', () => {
    const several = input(digest({ deliveries: [delivery({ status: 'partly_delivered' })] }), {
      report: { ...input(digest()).report, statuses: ['delivered', 'partly_delivered'] },
    });
    expect(render(several).text).toContain('created Nov 9, 2026 · status Partly delivered');
    expect(render(input(several.digest)).text).not.toContain('status');
  });

  test('that nobody has engaged with are what needs the reader, three by name', () => {
    const deliveries = Array.from({ length: 5 }, (_, index) =>
      delivery({
        kind: 'silent',
        seen: 0,
        responded: 0,
        responseRate: null,
        inPeriod: { seen: 0, responded: 0 },
        broadcast: { id: '1', name: `B${index}`, createdAt: null, createdBy: null },
      }),
    );
    expect(render(input(digest({ deliveries }))).text).toContain(
      'What needs you\n  Nobody has engaged with 5 deliveries yet: “B0”, “B1”, “B2”, and 2 more.\n',
    );
  });

  test('need ten views before their rate is praised', () => {
    expect(render(input(digest({ deliveries: [rated(9, 'Few'), rated(10, 'Enough')] }))).text).toContain(
      'Best response: “Enough”, 100% to date.',
    );
  });
});

test('an empty digest is a short mail', () => {
  const { text, subject } = render(input(digest()));
  expect(subject).toBe('Weekly broadcast digest, Nov 9 – 15, 2026: nothing to report');
  expect(text.slice(text.indexOf('Nothing'))).toBe(`Nothing to report for this week.
No delivery was new, nobody engaged with an older one, and none is waiting for
a first view.

----------------------------------------
About these figures
  Data as of Nov 16, 2026, 8:00 AM GMT.

You get this digest because you manage a team at Harbour Leisure.
Questions? Ask the internal communications team, comms@example.com.
`);
});

test('a report of some broadcasts says which', () => {
  const report = { ...input(digest()).report, broadcastName: 'friday' };
  expect(render(input(digest(), { report })).text).toContain('Only broadcasts whose name contains “friday”.');
});

function rated(seen: number, name: string): DigestDelivery {
  return delivery({ seen, responded: seen, responseRate: 1, broadcast: { ...delivery().broadcast, name } });
}
