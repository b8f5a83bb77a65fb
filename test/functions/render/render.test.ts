import { expect, test } from 'vitest';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { accounts, digestNamed, hostileTexts } from '../../support/digests/corpus.ts';
import { content, delivery, digest, input, need } from '../../support/digests/pieces.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

const templates = { ...(await loadTemplates('templates')), locales: { en: keyMessages } };
const render = createRenderer(templates);

test('a mail escapes what the service says, leaves control and direction characters out, and closes its isolates', () => {
  const { html, text, subject } = render(accounts['hostile'] ?? input(digest()));
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|<img|<b>ب|evil\.example\/"/);
  for (const part of [html, text, subject]) {
    expect(part).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u2028\u2029\ufeff]/);
    expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  }
  // Template syntax and replacement patterns are shown as they are.
  const syntax = hostileTexts[3] ?? '';
  expect([visibleText(html), text].every((part) => part.includes(syntax))).toBe(true);
  const page = createPageRenderer(templates).renderPage({ ...input(digestNamed('hostile')), files: null, earlier: [] });
  expect(page.match(/\u2068/g)?.length).toBeGreaterThan(0);
  expect(page.match(/\u2068/g)?.length).toBe(page.match(/\u2069/g)?.length);
  expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
});

test('files come with a mail that has no page, or as the settings say', () => {
  const { mail, ...sample } = input(digestNamed('a full week'));
  const counts = [{}, { csvAttachment: true }, { csvAttachment: false }].flatMap((set) =>
    [null, 'https://pages.example.com/a'].map(
      (page) => render({ ...sample, mail: Object.assign({}, mail, set), page }).files.length,
    ),
  );
  expect(counts).toEqual([2, 0, 2, 2, 0, 0]);
});

test('of two files that are too large together neither comes with the mail, which says so', () => {
  const broadcast = { ...delivery().broadcast, name: 'x'.repeat(30_000) };
  const deliveries = Array.from({ length: 100 }, () => delivery({ broadcast, contents: [content()] }));
  const { files, html } = render(input(digest({ deliveries })));
  expect(files).toEqual([]);
  expect(readable(html)).toContain('notes.tooLarge');
});

/** New broadcasts whose texts take much room. */
const long = (count: number, type: number) =>
  Array.from({ length: count }, (_, index) =>
    delivery({
      id: String(index),
      broadcast: { ...delivery().broadcast, id: String(index), name: '&'.repeat(1000), createdBy: '&'.repeat(1000) },
      contents: Array.from({ length: 8 }, (__, item) => content({ id: String(item), type: `"${'&'.repeat(type)}` })),
    }),
  );
test('a mail of many broadcasts with long texts is never clipped, and says how many it does not show', () => {
  const { mail } = input(digest());
  const footer = { why: '&'.repeat(5000), contact: '&'.repeat(5000) };
  const broadcastLink = `https://reporting.example.com/${'b'.repeat(2000)}/{broadcastId}`;
  const needs = Array.from({ length: 20 }, (_, id) => need(String(id)));
  const many = digest({ deliveries: long(70, 60), needs });
  const { html, text } = render(input(many, { mail: { ...mail, footer, broadcastLink } }));
  expect(Buffer.byteLength(html)).toBeLessThan(90_000);
  expect(readable(text)).toMatch(/more\.broadcasts\(6[3-9]\)/);
  expect(readable(text)).toContain('needs.more.file(12)');
  expect(readable(text)).toContain('new.note.week(count 70');
});

test('the sections of a mail come in the same order in html and text', () => {
  const { deliveries, ...week } = digestNamed('a full week');
  const since = [{ delivery: deliveries[0]?.id ?? '', seen: 0, audience: null }];
  const { html, text } = render(input({ ...week, deliveries, since }, { page: 'https://pages.example.com/a' }));
  const sections = ['verdict', 'needs', 'since', 'report', 'tile', 'new', 'trend', 'notes'];
  const orderIn = (part: string): string[] => {
    const places = sections.map((name) => readable(part).search(new RegExp(`\\b${name}\\.\\w+`)));
    expect(places).not.toContain(-1);
    return sections.toSorted(
      (one, other) => (places[sections.indexOf(one)] ?? 0) - (places[sections.indexOf(other)] ?? 0),
    );
  };
  expect(orderIn(text.slice(text.indexOf('Harbour')))).toEqual(orderIn(visibleText(html.slice(html.indexOf('<h1')))));
});

test('with `authors` unnamed nothing that a reader gets says who made a broadcast', () => {
  const sample = input(digestNamed('a full week'));
  const only = { createdBy: 'Ada King' };
  const shown = (authors: 'named' | 'unnamed'): string => {
    const mail = { ...sample.mail, authors, csvAttachment: true };
    const named = { ...sample, mail, digest: { ...sample.digest, only } };
    const { html, text, subject, files } = render(named);
    const { renderPage, renderCsv } = createPageRenderer(templates);
    const rows = renderCsv({ ...named, file: 'deliveries' });
    return [
      html,
      text,
      subject,
      ...files.map(({ content }) => content),
      ...rows.pieces,
      renderPage({ ...named, files: null, earlier: [] }),
    ].join();
  };
  const authors = new Set(sample.digest.deliveries.flatMap(({ broadcast }) => broadcast.createdBy ?? []));
  expect(authors.size).toBeGreaterThan(1);
  for (const author of [...authors, 'Ada King']) expect(shown('named')).toContain(author);
  for (const author of [...authors, 'Ada King']) expect(shown('unnamed')).not.toContain(author);
});

test('a digest without deliveries claims nothing of other statuses', () => {
  const { text, html } = render(input(digest({ otherStatuses: { scheduled: 3, Delivering: 1 } })));
  const sentence = 'empty.statuses(name.quoted(status.delivered))';
  expect(readable(text)).toContain(sentence);
  expect(readable(text)).toContain('notes.status(count 3, status status.scheduled)');
  expect(readable(preheader(html))).toBe(sentence);
});

test('that no listed broadcast is one of the report is said in mail, page and card, and no quiet week', () => {
  const sample = input(digest({ noMatch: true, only: { createdBy: 'Tom Baker' } }));
  const { subject, html, text } = render(sample);
  const page = createPageRenderer(templates).renderPage({ ...sample, files: null, earlier: [] });
  const card = JSON.stringify(createCardRenderer(templates)({ ...sample, kind: 'slack' }));
  expect(readable(subject)).toContain('subject.noMatch');
  expect(readable(preheader(html))).toBe('empty.noMatch');
  for (const output of [html, text, page, card].map(readable)) {
    expect(output).toContain('empty.noMatch');
    expect(output).not.toMatch(/empty\.heading|subject\.empty|tile\./);
  }
});

test('a mail of warnings is called so, and a test says that it is one', () => {
  const sample = input(digest());
  const warningOf = { report: 'weekly', every: 'week', afterHours: 48, belowShare: 0.5, weekdays: false } as const;
  const { html, subject } = render({ ...sample, report: { ...sample.report, title: 'News', warningOf }, test: true });
  for (const shown of [html, subject]) expect(readable(shown)).toContain('warning.title(News)');
  expect(readable([html, subject])).toEqual(
    [/test\.banner/, /test\.title\(/].map((mark) => expect.stringMatching(mark)),
  );
});

test('the html has a second copy of the dark rules, for programs that ignore those in a media block', () => {
  const { html } = render(input(digestNamed('a full week')));
  const inBlock = /@media \(prefers-color-scheme: dark\) \{([\s\S]*?\})\s*\}\s*<\/style>/.exec(html)?.[1];
  const alone = /<style media="\(prefers-color-scheme: dark\)">([\s\S]*?)<\/style>/.exec(html)?.[1];
  expect(inBlock?.match(/!important/g)?.length).toBeGreaterThan(10);
  expect(alone?.trim()).toBe(inBlock?.trim());
});

test('an accent that cannot be read on its ground colours bars, not words', () => {
  const { mail } = input(digest());
  const brand = { name: 'Sunny', colours: { accent: '#ffe066', accentDark: '#202020' } };
  const { html } = render(input(digestNamed('an incomplete week'), { mail: { ...mail, brand } }));
  expect(html).toContain('background-color: #ffe066');
  expect(html).not.toMatch(/[;" ]color: ?#ffe066/);
  expect(html).not.toMatch(/[^-]color: #202020/);
});
