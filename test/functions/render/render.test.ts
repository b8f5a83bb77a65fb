import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../../functions/domain/digest.ts';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../functions/render/render.ts';
import { accounts, digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { preheader, visibleText } from '../run/send/read-mail.ts';
import { plain } from './entries.ts';
import { content, delivery, digest, input } from '../../support/digests/pieces.ts';

const quarterIn = (of: Digest, locale: string): RenderedDigest =>
  render(input(of, { report: { title: 'Quarterly digest', locale, settleHours: 48, statuses: ['delivered'] } }));

let render: (input: RenderInput) => RenderedDigest;

/** Addresses of links are in the text alone, and their digits are not figures. */
function unlinked({ mail, ...rest }: RenderInput): RenderInput {
  const { broadcastLink: _, ...without } = mail;
  return { ...rest, mail: without };
}

beforeAll(async () => {
  render = createRenderer(await loadTemplates('templates'));
});

describe('the html', () => {
  test('says its language and title and brings nothing from outside', () => {
    const { html, subject } = render(input(digestNamed('an incomplete week')));
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html).toContain(`<title>${subject}</title>`);
    expect(html).not.toMatch(/<(?:script|img|link|iframe|form|input)\b|@import|url\(|src=/i);
  });

  test('escapes what the service says, leaves control and direction characters out, and closes its isolates', () => {
    const { html, text, subject } = render(accounts['hostile'] ?? input(digest()));
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script|<img|<b>|evil\.example\/"/);
    for (const part of [html, text, subject]) {
      expect(part).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u2028\u2029\ufeff]/);
      expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }
    // Template syntax and replacement patterns are shown as they are.
    const syntax = hostileTexts[3] ?? '';
    expect([visibleText(html), text].every((part) => part.includes(syntax))).toBe(true);
    expect(html.match(/\u2068/g)?.length).toBeGreaterThan(0);
    expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
  });
});

/** New broadcasts whose texts take much room. */
const long = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    delivery({
      id: String(index),
      broadcast: { ...delivery().broadcast, id: String(index), name: '&'.repeat(1000), createdBy: '&'.repeat(1000) },
      contents: Array.from({ length: 8 }, (_, item) => content({ id: String(item), type: `"${'&'.repeat(60)}` })),
    }),
  );
const blocksOf = (html: string) => html.split('<h3').slice(1);

describe('too many broadcasts', () => {
  const sample = accounts['400 deliveries of 8'] ?? input(digest());

  test('are ten, and the rest is said in numbers', () => {
    const { html, text } = render(sample);
    expect(blocksOf(html).length).toBe(10);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/190 more broadcasts: [\d,]+ views and [\d,]+ responses together\./);
  });

  test('of long texts lose the items of the least seen ones first', () => {
    const { html, text } = render(input(digest({ deliveries: long(10) })));
    const withItems = blocksOf(html).map((block) => block.includes('scope="row"'));
    expect(withItems.length).toBe(10);
    expect(withItems.indexOf(false)).toBeGreaterThan(0);
    expect(withItems.lastIndexOf(true)).toBeLessThan(withItems.indexOf(false));
    expect(text.match(/^ {2}8 items are not shown\. They are in the file\.$/gm)?.length).toBe(
      withItems.filter((each) => !each).length,
    );
    expect(Buffer.byteLength(html)).toBeGreaterThan(50_000);
  });

  test('of longer ones are left out themselves, never what is above them', () => {
    const footer = { why: '&'.repeat(5000), contact: '&'.repeat(5000) };
    const { mail } = input(digest());
    const logo = `https://reporting.example.com/${'b'.repeat(4000)}/{broadcastId}`;
    const { html, text } = render(
      input(digest({ deliveries: long(10) }), { mail: { ...mail, footer, broadcastLink: logo } }),
    );
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    const shown = blocksOf(html).length;
    expect(shown).toBeLessThan(10);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`${10 - shown} more broadcast`);
    expect(text).toContain('New this week · 10 broadcasts');
    expect(text).toContain('New broadcasts');
  });

  test('say nothing where all are shown', () => {
    expect(render(input(digestNamed('an incomplete week'))).text).not.toMatch(/more broadcast|not shown/);
  });
});

test.each([
  [{}, 'Nothing was new, and nobody looked at anything older.', ''],
  [
    { otherStatuses: { scheduled: 3, Delivering: 1 } },
    'Only deliveries with the status “delivered” are counted, and none was new or looked at.',
    ' Not counted here: 3 scheduled, 1 Delivering.',
  ],
])('a digest without deliveries claims nothing of other statuses: %j', (over, said, others) => {
  const { text, html } = render(input(digest(over)));
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`Nothing to report for this week. ${said}${others}`);
  expect(preheader(html)).toBe(said);
});

test('what came late is said in html and text, above the notes', () => {
  const { html, text } = render(input(digest({ late: { seen: 200, responded: 0 } })));
  const said = /200 views from before Nov.9 came too late for the last digest\.\s+About these figures/;
  expect([visibleText(html), text]).toEqual([expect.stringMatching(said), expect.stringMatching(said)]);
});

describe('a full week', () => {
  test('is in the text part as the html has it, in the same order', () => {
    const { text, subject, html } = render(unlinked(accounts['a full week'] ?? input(digest())));
    expect(subject).toBe('335 views (+43), 2 need you – Weekly broadcast digest, Nov 9 – 15');
    expect(preheader(html)).toBe(
      'Where something was asked, 68% of viewers responded, up from 62%. “Plant room inspection”: none of 68 people has seen it.',
    );
    expect(text.replaceAll('\u00a0', ' ')).toBe(usualWeek);
  });

  test('has a second copy of the dark rules, for programs that ignore those in a media block', () => {
    const { html } = render(accounts['a full week'] ?? input(digest()));
    const inBlock = /@media \(prefers-color-scheme: dark\) \{([\s\S]*?\})\s*\}\s*<\/style>/.exec(html)?.[1];
    const alone = /<style media="\(prefers-color-scheme: dark\)">([\s\S]*?)<\/style>/.exec(html)?.[1];
    expect(inBlock?.match(/!important/g)?.length).toBeGreaterThan(10);
    expect(alone?.trim()).toBe(inBlock?.trim());
  });
});

describe('a quarter', () => {
  test('is named by its dates, and in the trend by its months', () => {
    const { subject, text, html } = quarterIn(digestNamed('a quarter'), 'en');
    expect(subject).toBe('90 views (+10) – Quarterly digest, Jul 1 – Sep 30');
    expect(plain(visibleText(html))).toContain('July 1 – September 30, 2026');
    expect(plain(text)).toContain(`New this quarter · 1 broadcast\n`);
    expect(plain(text)).toContain(`Views, quarter by quarter
  From            Views  Response rate
  Oct – Dec 2025     60           117%
  Jan – Mar 2026    100            70%
  Apr – Jun 2026     80            88%
  Jul – Sep 2026     90            78%
`);
  });

  test.each([
    {
      locale: 'de',
      subject: '90 Aufrufe (+10) – Quarterly digest, 1. Juli – 30. Sept.',
      sentences: ['Neu in diesem Quartal · 1 Broadcast', 'Aufrufe, Quartal für Quartal', '  Juli–Sept. 2026       90'],
      nothing: 'Für dieses Quartal gibt es nichts zu berichten.',
    },
    {
      locale: 'fr',
      subject: '90 vues (+10) – Quarterly digest, 1 juil. – 30 sept.',
      sentences: ['Nouveau ce trimestre · 1 annonce', 'Vues, trimestre par trimestre', '  juil.–sept. 2026    90'],
      nothing: 'Rien à signaler pour ce trimestre.',
    },
  ])('has the words of a language: $locale', ({ locale, subject, sentences, nothing }) => {
    const mail = quarterIn(digestNamed('a quarter'), locale);
    expect(mail.subject).toBe(subject);
    for (const sentence of sentences) expect(mail.text).toContain(sentence);
    expect(quarterIn(digest({ ...digestNamed('a quarter'), deliveries: [], broadcasts: [] }), locale).text).toContain(
      nothing,
    );
  });
});

test('an accent that cannot be read on its ground colours bars, not words', () => {
  const { mail } = input(digest());
  const brand = { name: 'Sunny', colours: { accent: '#ffe066', accentDark: '#202020' } };
  const { html } = render(input(digestNamed('an incomplete week'), { mail: { ...mail, brand } }));
  expect(html).toContain('background-color:#ffe066');
  expect(html).not.toMatch(/[;"]color:#ffe066/);
  expect(html).not.toMatch(/[^-]color: #202020/);
});

test('a locale without messages is an error', () => {
  const report = { ...input(digest()).report, locale: 'xx' };
  expect(() => render(input(digest(), { report }))).toThrow(
    new TypeError('There are no messages for the locale "xx".'),
  );
});

test('any digest keeps the bounds of a mail', () => {
  const count = fc.nat(2 ** 31);
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...hostileTexts));
  const deliveries = fc.array(
    fc
      .record({ name: text, type: text, seen: count, responded: count, undated: count, contents: fc.nat(40) })
      .map((d) =>
        delivery({
          seen: d.seen,
          responded: d.responded,
          undated: d.undated,
          inPeriod: { seen: d.seen, responded: d.responded },
          broadcast: { id: d.name, name: d.name, createdAt: null, createdBy: d.name },
          contents: Array.from({ length: d.contents }, () => content({ type: d.type, seen: d.seen })),
        }),
      ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(deliveries, text, count, (deliveries, title, seen) => {
      const totals = { ...digestNamed('an incomplete week').totals, seen };
      const { html, subject, text } = render(
        input(digest({ deliveries, totals }), { report: { ...input(digest()).report, title } }),
      );
      expect(Buffer.byteLength(html)).toBeLessThan(60_000);
      expect(subject.length).toBeLessThanOrEqual(78);
      expect(
        Math.max(...text.split('\n').map((line) => (/^ *https:\S+$/.test(line) ? 0 : line.length))),
      ).toBeLessThanOrEqual(78);
      expect(html).not.toMatch(/<script|<img/);
    }),
    { numRuns: 40 },
  );
});

const usualWeek = `Harbour Leisure
Weekly broadcast digest, November 9 – 15, 2026

One broadcast has not been seen by anybody yet. Where something was asked, 68%
of viewers responded, up from 62%. Best answered: “Friday Five”, by 29 of 36
viewers.

  Views           335  +43 (was 292)
  Response rate   68%  +6 pts (was 62%)
  New broadcasts    3  as before (3), 3 deliveries
  The response rate is of the broadcasts that ask something: 78 of 115 viewers
  responded. The other 220 views (66%; 48% before) were of broadcasts that
  only inform.

Needs you
  Plant room inspection
    none of 68 people has seen it · Tom O’Brien, created Nov 9
  Friday Five
    57 of 93 people have not seen it · Ada King, first seen Nov 10

New this week · 3 broadcasts

Changing village: deep clean
  by Priya Shah · first seen Nov 10 · text only
  220 saw it · 7 responded

Induction week: quiz & verdict
  by Grace Lee · first seen Nov 10
  70 of 127 saw it (55%) · 45 responded (64%) · 57 not yet
    1 Video                          70 seen   0 responded
    2 Quiz                           63 seen  36 responded
    3 Rating, mean 3.7 (29 ratings)  57 seen  29 responded

Friday Five
  by Ada King · first seen Nov 10
  36 of 93 saw it (39%) · 29 responded (81%) · 57 not yet
    1 Image                          36 seen   0 responded
    2 Text                           32 seen   0 responded
    3 Link                           29 seen  19 responded
    4 Poll                           26 seen  15 responded
    5 Rating, mean 3.7 (12 ratings)  24 seen  12 responded

Still being read
Older broadcasts, with what came this week.
  Café & bar: the new menu  9 seen  4 responded

Views, week by week
  From    Views  Response rate
  Sep 21    283              –
  Sep 28    441            52%
  Oct 5     248            54%
  Oct 12    400            56%
  Oct 19    336            58%
  Oct 26    285            60%
  Nov 2     292            62%
  Nov 9     335            68%

About these figures
  The attached file weekly_2026-W46.csv has every delivery and content item
  with all figures.
  Views and responses are counted by delivery: somebody who saw two counts
  twice.
  Data as of Nov 16, 2026, 8:00 AM, Europe/London.

You get this digest because you manage a team at Harbour Leisure.
Questions? Ask the internal communications team, comms@example.com.
`;
