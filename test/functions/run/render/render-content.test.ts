import { beforeAll, describe, expect, test } from 'vitest';
import type { DigestDelivery } from '../../../../functions/domain/digest.ts';
import { unsubscribePlaceholder } from '../../../../functions/signed-links/unsubscribe-placeholder.ts';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../../functions/run/render/render.ts';
import { loadTemplates } from '../../../../infra/build/load-templates.ts';
import { preheader } from '../send/read-mail.ts';
import {
  content,
  CORPUS,
  delivery,
  digest,
  input,
  typicalDigest,
  withoutLinks,
} from '../../../../infra/local/viewer/samples.ts';

let render: (input: RenderInput) => RenderedDigest;

beforeAll(async () => {
  render = createRenderer(await loadTemplates('templates'));
});

describe('a digest with one delivery', () => {
  const one = digest({
    totals: {
      deliveries: 1,
      broadcasts: 1,
      seen: 1300,
      responded: 700,
      asked: { seen: 1300, responded: 700 },
      responseRate: 700 / 1300,
      undated: 1,
      previous: {
        deliveries: 2,
        broadcasts: 2,
        seen: 1200,
        responded: 700,
        asked: { seen: 1200, responded: 700 },
        responseRate: 700 / 1200,
      },
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

  test('is in the text part, too', () => {
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
  Best answered: “Friday Five”, 75% to date (96 views). Still counting.

----------------------------------------
New · 1
First views or responses came in the period.

Friday Five (still counting)
  https://reporting.example.com/broadcasts/71
  by Priya Shah · created Nov 9, 2026
  To date: Seen 96 · Responded 72 · Rate 75%
  In the week: Seen 90 · Responded 70
  Half responded within 5 minutes.
  1. Multiple choice: Seen 80 · Responded 60 · Rate 75%
     In the week: 70 seen, 50 responded. Reached 50% of 160. Half responded
     within 4 minutes. 1 row has a date that cannot be read.
  2. Rating: Seen 80 · Responded 60 · Rate 75%
     Mean 4.33 from 3 ratings
     10: 0
     5: 1
     4: 2

The attached file weekly_2026-11-09.csv has every delivery and content item
with all figures, for a spreadsheet.

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

  test("draws a delivery's rate as a cell of its width", () => {
    expect(render(input(one)).html).toContain(
      '<td>75%<table role="presentation" class="f" width="75%" cellpadding="0" cellspacing="0" bgcolor="#0b57a4">',
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
    const unread = delivery({ contents: null, medianResponseSeconds: null });
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
      previous: {
        deliveries: 5,
        broadcasts: 5,
        seen: 0,
        responded: 0,
        asked: { seen: 0, responded: 0 },
        responseRate: null,
      },
    };
    expect(render(input(digest({ totals, deliveries: [delivery()] }))).text).toContain(
      'Response rate: 48.1% · no figure before',
    );
  });
});

describe('the deliveries', () => {
  test('are in groups, each in the order of the digest', () => {
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
      'Best answered: “Enough”, 100% to date (10 views).',
    );
  });
});

const named = (name: string, seen: number | null, responseRate: number | null, over = {}): DigestDelivery =>
  delivery({ seen, responseRate, broadcast: { id: name, name, createdAt: null, createdBy: null }, ...over });
const highlights = (deliveries: DigestDelivery[]): string => {
  const { text } = render(input(digest({ deliveries })));
  return text.slice(text.indexOf('before.') + 9, text.indexOf('-----')).trim();
};

describe('what worked and what did not', () => {
  test('are the best and the least answered of those that enough have seen', () => {
    expect(
      highlights([named('A', 40, 0.5), named('B', 30, 0.9), named('C', 20, 0.1), named('D', 9, 0), named('E', 9, 1)]),
    ).toBe(`What worked
  Best answered: “B”, 90% to date (30 views).

What did not
  Least answered: “C”, 10% to date (20 views).`);
  });

  test('are the ones with more views where the rates are equal', () => {
    expect(highlights([named('A', 40, 0.5), named('B', 30, 0.5), named('C', 20, 0.1), named('D', 12, 0.1)])).toContain(
      '“A”, 50%',
    );
    expect(highlights([named('A', 40, 0.5), named('C', 20, 0.1), named('D', 12, 0.1)])).toContain('“C”, 10%');
  });

  test('are not distinguished where they show the same rate', () => {
    expect(highlights([named('A', 400, 0.5), named('B', 300, 0.501)])).toBe(
      'What worked\n  Best answered: “B”, 50% to date (300 views).',
    );
  });

  test.each([
    ['nobody has responded', [named('A', 40, 0), named('B', 30, 0)]],
    ['too few have seen anything', [named('A', 9, 0.5), named('B', 3, 1)]],
    ['the figures are not there', [named('A', null, null)]],
  ])('are not said where %s', (_, deliveries) => {
    expect(highlights(deliveries)).not.toMatch(/answered/);
  });

  test('say where the count still goes on', () => {
    expect(highlights([named('A', 40, 0.5), named('B', 30, 0.1, { stillCounting: true })])).toContain(
      'Least answered: “B”, 10% to date (30 views). Still counting.',
    );
  });
});

const week = (start: string, seen: number | null) => ({
  start: `${start}T00:00:00+00:00`,
  seen,
  responded: seen,
  broadcasts: null,
  asked: null,
  responseRate: null,
  complete: seen !== null,
});

describe('the trend', () => {
  test('is a line a period, the highest over the whole width, this one in the accent', () => {
    const trend = [week('2026-10-26', 500), week('2026-11-02', null), week('2026-11-09', 250)];
    const { html, text } = render(input(digest({ trend, deliveries: [delivery()] })));
    expect(text).toContain('Views, week by week\n  Oct 26: 500\n  Nov 2: –\n  Nov 9: 250\n');
    expect(
      [
        ...html.matchAll(
          /class="[ef]" width="(\d+%)"[^>]*bgcolor="(#\w+)"><tr><td style="font-size:0;line-height:10px"/g,
        ),
      ].map(([, ...bar]) => bar),
    ).toEqual([
      ['100%', '#a9b5c1'],
      ['50%', '#0b57a4'],
    ]);
  });

  test('is not shown for one known period', () => {
    const trend = [week('2026-11-02', null), week('2026-11-09', 250)];
    expect(render(input(digest({ trend, deliveries: [delivery()] }))).text).not.toContain('week by week');
  });
});

test('a silent delivery names its content items, without rows of zeros', () => {
  const zeros = { seen: 0, responded: 0, responseRate: null, inPeriod: { seen: 0, responded: 0 }, reach: 0 };
  const silent = delivery({
    kind: 'silent',
    ...zeros,
    medianResponseSeconds: null,
    contents: [content({ ...zeros, type: 'text' }), content({ ...zeros, type: 'poll' })],
  });
  const { text } = render(withoutLinks(input(digest({ deliveries: [silent] }))));
  expect(text).toContain('Friday Five\n  by Priya Shah · created Nov 9, 2026\n  Content items: 1. Text and 2. Poll.\n');
});

test('a digest has the place of each subscriber’s own unsubscribe link', () => {
  const { html, text } = render({ ...input(typicalDigest()), canUnsubscribe: true });
  expect(html).toContain(`<a href="${unsubscribePlaceholder}"`);
  expect(text).toContain(`Unsubscribe from this digest\n${unsubscribePlaceholder}\n`);
});

test('a language has the dates and numbers of its region', () => {
  const report = { ...input(digest()).report, locale: 'en-GB' };
  expect(render(input(typicalDigest(), { report })).subject).toBe(
    'Weekly broadcast digest, 9 – 15 Nov 2026: 1,284 views (+182)',
  );
});

describe('the file with all rows', () => {
  const many = digest({
    deliveries: Array.from({ length: 9000 }, (_, index) =>
      delivery({
        id: String(index),
        broadcast: { ...delivery().broadcast, name: 'N'.repeat(300) },
        contents: [content(), content()],
      }),
    ),
  });

  test('is named after the run, and what is in it is said', () => {
    const { csv, text } = render(input(typicalDigest()));
    expect(csv?.name).toBe('weekly_2026-11-09.csv');
    expect(text).toContain('The attached file weekly_2026-11-09.csv');
  });

  test('is left out where the settings want none', () => {
    const sample = input(typicalDigest());
    const { csv, text } = render({ ...sample, mail: { ...sample.mail, csvAttachment: false } });
    expect(csv).toBeNull();
    expect(text).not.toContain('attached');
  });

  test('is left out where the message would be larger than 7 MB, and the rows that are shown nowhere are counted', () => {
    const { csv, html, text } = render(input(many));
    expect(csv).toBeNull();
    const shown = (html.match(/<h3/g)?.length ?? 0) + (text.match(/^ {2}\d\. Text:/gm)?.length ?? 0);
    const nowhere = (27_000 - shown).toLocaleString('en');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `The file that would have them is too large for a mail: ${nowhere} rows are shown nowhere.`,
    );
  });
});

const noteOf = (over: Parameters<typeof delivery>[0]) =>
  render(input(digest({ deliveries: [delivery({ listed: 40, ...over })] }))).text.replaceAll(/\s+/g, ' ');

describe('what the service leaves out', () => {
  test.each([
    { lackingFields: 4, contents: 0, said: null },
    { lackingFields: 5, contents: 0, said: 'In 1 recipient list, more than a tenth of the rows do not say' },
    { lackingFields: 40, contents: 40, said: 'In 2 recipient lists, more than a tenth of the rows do not say' },
  ])('of $lackingFields and $contents rows in 40 is said: $said', ({ lackingFields, contents, said }) => {
    const text = noteOf({ lackingFields, contents: [content({ listed: 40, lackingFields: contents })] });
    if (said === null) expect(text).not.toContain('more than a tenth');
    else expect(text).toContain(said);
  });

  test('of its ratings is said beside those that can be read', () => {
    const ratings = { count: 3, mean: 4.333, histogram: { '4': 2, '5': 1 }, unreadable: 2 };
    expect(noteOf({ contents: [content({ ratings })] })).toContain('Mean 4.33 from 3 ratings · 2 more cannot be read');
  });

  test('of the period before the list begins is said', () => {
    const { text } = render(input(digest({ listedSince: '2026-11-12T08:00:00+00:00' })));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'The list of deliveries begins on Nov 12, 2026, 8:00 AM GMT. What happened in the period before that is not known.',
    );
  });
});

test('ratings that are words have no mean', () => {
  const ratings = { count: 3, mean: null, histogram: { low: 1, high: 2 } };
  expect(render(input(digest({ deliveries: [delivery({ contents: [content({ ratings })] })] }))).text).toContain(
    '3 ratings',
  );
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
