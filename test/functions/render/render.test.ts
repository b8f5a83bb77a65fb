import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { light, dark } from '../../../functions/render/colours.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { broadcast, delivery, digestOf, item } from '../../support/digests/build.ts';
import { accounts, digestNamed, hostileTexts, input } from '../../support/digests/corpus.ts';
import { visibleText } from '../../support/visible-text.ts';
import { english } from '../../support/words.ts';

const templates = await loadTemplates('templates');
const render = createRenderer(templates);

test('a mail escapes what the service says, leaves control and direction characters out, and closes its isolates', async () => {
  const sample = accounts['hostile'] ?? input(digestNamed('a quiet week'));
  const { html, text, subject } = await render(sample);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|<img|<b>ب|evil\.example\/"/);
  for (const part of [html, text, subject]) {
    expect(part).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u2028\u2029\ufeff]/);
    expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  }
  // Template syntax and replacement patterns are shown as they are.
  expect(visibleText(html)).toContain(hostileTexts[3]);
  const page = createPageRenderer(templates).renderPage({ ...sample, files: null, earlier: [] });
  expect(page).toContain('\u2068');
  for (const shown of [html, page]) {
    expect(shown.match(/\u2068/g)?.length).toBe(shown.match(/\u2069/g)?.length);
  }
});

describe('the workbook', () => {
  test('comes with a mail that has no page, or as the settings say', async () => {
    const { mail, ...sample } = input(digestNamed('a full week'));
    const counts = [{}, { workbook: 'attached' as const }, { workbook: 'page' as const }].flatMap((set) =>
      [null, 'https://pages.example.com/a'].map(async (page) => {
        return (await render({ ...sample, mail: { ...mail, ...set }, page })).files.length;
      }),
    );
    expect(await Promise.all(counts)).toEqual([1, 0, 1, 1, 0, 0]);
  });

  test('has texts as texts, numbers as numbers, dates as dates of the zone and shares as percent', async () => {
    const texts = ['00123', '9007199254740993', '1-2', '=1+1', 'MAR 3', 'Übung 🏊‍♀️'];
    const createdAt = '2026-11-10T08:00:00+05:30';
    const rows = texts.map((text) => {
      const contents = [item('text', [12, 3], { id: text })];
      return broadcast(text, [delivery([12, 3], { id: text, audience: 48, contents })], { createdAt });
    });
    const { files } = await render(input(digestOf(rows)));
    expect(files.map(({ name }) => name)).toEqual(['weekly_2026-W46.xlsx']);
    const parts = unzipSync(files[0]?.content ?? Buffer.of());
    const read = (name: string): string => new TextDecoder().decode(parts[name]);
    const sheet = read('xl/worksheets/sheet2.xml');
    for (const text of texts) expect(read('xl/sharedStrings.xml')).toContain(`>${text}</t>`);
    expect(sheet).not.toMatch(/<f>/);
    expect(sheet).toMatch(/<pane[^>]*ySplit="1"/);
    expect(read('xl/workbook.xml')).toMatch(/_FilterDatabase.*?\$A\$1:\$[A-Z]+\$7</);
    expect(sheet).toMatch(/<autoFilter ref="A1:[A-Z]+7"\/>/);
    // 10 November 2026, 08:00 of a zone ahead of UTC, and a quarter.
    expect(read('xl/worksheets/sheet1.xml')).toMatch(/<v>46336\.333\d*<\/v>/);
    expect(sheet).toContain('<v>0.25</v>');
    expect(read('xl/styles.xml')).toContain('formatCode="0%"');
  });
});

test('a footer may be one for each language', async () => {
  const sample = input(digestNamed('a quiet week'));
  const footer = { en: { why: 'Because.', contact: 'Ask.' }, de: { why: 'Weil.', contact: 'Fragen.' } };
  const said = ['de-AT', 'en', 'fr'].map(async (locale) => {
    const report = { ...sample.report, locale };
    const { text } = await render({ ...sample, report, mail: { ...sample.mail, footer } });
    return text.trim().split('\n').at(-1);
  });
  expect(await Promise.all(said)).toEqual(['Weil. Fragen.', 'Because. Ask.', 'Because. Ask.']);
});

test('a mail of warnings is called so, and a test says that it is one', async () => {
  const warningOf = { report: 'weekly', every: 'week', afterHours: 48, belowShare: 0.5, weekdays: false } as const;
  const report = { title: 'News', locale: 'en', warningOf };
  const { html, subject } = await render(input(digestNamed('a warning'), { report, test: true }));
  for (const shown of [html, subject]) expect(shown).toContain(english.say('warning.title', { title: 'News' }));
  expect(subject).toContain(english.say('test.title', { title: english.count('subject.needs', 2) }));
  expect(html).toContain(english.say('test.banner'));
});

test('the html has a second copy of the dark rules, for programs that ignore those in a media block', async () => {
  const { html } = await render(input(digestNamed('a full week')));
  const inBlock = /@media \(prefers-color-scheme: dark\) \{([\s\S]*?\})\s*\}\s*<\/style>/.exec(html)?.[1];
  const alone = /<style media="\(prefers-color-scheme: dark\)">([\s\S]*?)<\/style>/.exec(html)?.[1];
  expect(inBlock?.match(/!important/g)?.length).toBeGreaterThan(10);
  expect(alone?.trim()).toBe(inBlock?.trim());
});

test('an accent that cannot be read on its ground colours bars, not words, and grounds are those of the stylesheets', async () => {
  const { mail } = input(digestNamed('a quiet week'));
  const brand = { name: 'Sunny', colours: { accent: '#ffe066', accentDark: '#202020' } };
  const { html } = await render(input(digestNamed('an incomplete week'), { mail: { ...mail, brand } }));
  expect(html).toContain('background-color: #ffe066');
  expect(html).not.toMatch(/[;" ]color: ?#ffe066/);
  expect(html).not.toMatch(/[^-]color: #202020/);
  expect(html).not.toContain('var(');
  const tokens = await readFile('templates/styles/tokens.css', 'utf8');
  const named = { card: light.ground, ink: light.ink, 'card-dark': dark.ground, 'ink-dark': dark.ink };
  for (const [name, colour] of Object.entries(named)) expect(tokens).toContain(`--${name}: ${colour};`);
});
