import { gzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { createPageRenderer, type PageInput } from '../../../functions/render/page.ts';
import { createRenderer, type RenderInput } from '../../../functions/render/render.ts';
import { findNeeds } from '../../../functions/render/sections/needs.ts';
import { unsubscribePlaceholder } from '../../../functions/render/texts/foreign-text.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { rulesNotKept } from '../../mail/client-exceptions.ts';
import { accounts, digestNamed, manyDeliveries } from '../../support/digests/corpus.ts';
import { content, delivery, digest, engaged, input } from '../../support/digests/pieces.ts';
import { preheader } from '../../support/visible-text.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

const templates = { ...(await loadTemplates('templates', 'pictures/logo.png')), locales: { en: keyMessages } };
const { renderPage } = createPageRenderer(templates);

const week = (start: string, end: string) => ({
  start: `${start}T00:00:00+00:00`,
  end: `${end}T00:00:00+00:00`,
  url: `/page-of-${start}`,
});
const earlier = [week('2026-11-02', '2026-11-09'), week('2026-10-26', '2026-11-02')];

const pageOf = (sample: RenderInput, over: Partial<PageInput> = {}): string =>
  readable(renderPage({ ...sample, files: 'rows/', earlier, ...over }));

/** Ids of blocks, in their order. */
const anchorsOf = (html: string) => [...html.matchAll(/<div id="([^"]*)"/g)].map(([, id]) => id);

describe('the page', () => {
  test('has its own title, no preheader, and nothing of files, earlier digests or leaving where there are none', () => {
    const html = pageOf(input(digestNamed('an incomplete week')), { files: null, earlier: [] });
    const title = 'page.digest(period November 9 – 15, 2026, title Weekly broadcast digest)';
    expect(html).toContain(`<title>${title}</title>`);
    expect(preheader(html)).toBe('');
    expect(html).not.toContain(unsubscribePlaceholder);
    expect(html).not.toMatch(/aria-roledescription|\.csv|files\.heading|earlier\.heading/);
  });

  test('of 400 deliveries has all of their broadcasts, opens what needs somebody, and is small', () => {
    const html = pageOf(input(manyDeliveries()));
    expect(anchorsOf(html).length).toBe(400);
    expect(html.match(/<details open/g)?.length).toBe(findNeeds(manyDeliveries()).length);
    // Of one broadcast each delivery is a row.
    const { broadcast } = delivery();
    const deliveries = manyDeliveries().deliveries.map((each) => delivery({ ...each, kind: 'new', broadcast }));
    const one = pageOf(input(digest({ deliveries })));
    expect(one.match(/>delivery\.name\(count 400, number \d+\)/g)?.length).toBe(400);
    expect([html, one].filter((page) => gzipSync(page).length > 100_000)).toEqual([]);
  });

  test('leads to every block from its index, and to earlier digests from the bars of the trend', () => {
    const html = pageOf(input(digestNamed('a full week')));
    const links = [...html.matchAll(/href="#(broadcast-\d+)"/g)].map(([, id]) => id);
    expect(new Set(links)).toEqual(new Set(anchorsOf(html)));
    expect(html).toMatch(/<a [^>]*href="\/page-of-2026-11-02"[^>]*>Nov 2<\/a>/);
    expect(pageOf(input(digest()))).toMatch(/<a [^>]*href="\/page-of-2026-11-02"[^>]*>November 2 – 8, 2026<\/a>/);
  });

  test('says the rate of what asks, beside that of the week before where both have thirty who saw it', () => {
    const { totals } = digest();
    const rateOf = (now: number, before: number) => {
      const previous = { ...totals, asked: engaged(before, 9) };
      const asked = { ...totals, asked: engaged(now, 9), previous };
      const html = pageOf(input(digest({ deliveries: [delivery()], totals: asked })));
      return /page\.rate\w*/.exec(html)?.[0];
    };
    expect([rateOf(30, 30), rateOf(29, 30), rateOf(30, 29)]).toEqual(['page.rateBefore', 'page.rate', 'page.rate']);
  });
});

describe('every page', () => {
  const links =
    /^(?:#top|#broadcast-\d+|rows\/[\w-]+-(?:deliveries|items)\.csv|\/page-of-[\d-]+|https:\/\/reporting\.example\.com\/broadcasts\/[^/?#]*)$/;

  test.each(Object.entries(accounts))('loads nothing, runs nothing and sends nothing: %s', (_, sample) => {
    const html = pageOf(sample);
    const valuesOf = (name: string) =>
      [...html.matchAll(new RegExp(`\\b${name}="([^"]*)`, 'g'))].map(([, of = '']) => of);
    expect(html).not.toMatch(
      /<(?:script|link|iframe|object|embed|form|input|base|video|audio)\b|@import|url\(| on\w+=/i,
    );
    expect(valuesOf('src').filter((src) => !src.startsWith('data:image/png;base64,'))).toEqual([]);
    expect(valuesOf('href').filter((href) => !links.test(href))).toEqual([]);
  });

  test.each(['an incomplete week', 'hostile', 'an empty week', 'ratings of a long scale'])(
    'is valid html, with headings in order and tables that a screen reader can read: %s',
    async (account) => {
      const rules = Object.fromEntries(Object.keys(rulesNotKept).map((rule) => [rule, 'off'] as const));
      const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules });
      const { results } = await validator.validateString(pageOf(input(digestNamed(account))));
      expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => [ruleId, message]))).toEqual([]);
    },
  );

  test('shows texts of ids, types, statuses and ratings as text', () => {
    const text = '"><img src=x onerror=alert(1)>';
    const rated = content({ id: text, type: text, ratings: { count: 1, mean: null, histogram: { [text]: 1 } } });
    const deliveries = ['', '2'].map((end) => delivery({ id: text + end, status: text, contents: [rated] }));
    const sample = input(digest({ deliveries }));
    const html = pageOf(
      { ...sample, report: { ...sample.report, statuses: ['a', 'b'] } },
      { files: text, earlier: [{ ...week('2026-11-02', '2026-11-09'), url: text }] },
    );
    expect(html).not.toMatch(/<img src=x/);
    expect(html).toContain('&quot;&gt;&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;');
  });
});

const page = 'https://pages.example.com/eyJhbGciOiJkaXIi';
const mailOf = (sample: RenderInput) => readable(createRenderer(templates)({ ...sample, page }));

test('a mail leads to its page by a button and at its foot, and to the places of broadcasts there', () => {
  const { html, text } = mailOf(input(digestNamed('a full week')));
  const links = [...html.matchAll(new RegExp(`<a [^>]*href="${page}"[^>]*>([^<]*)</a>`, 'g'))];
  expect(links.map(([, label]) => label?.trim())).toEqual(['report.link', 'report.link']);
  const [button = 0, foot = 0] = links.map(({ index }) => index);
  expect(button).toBeLessThan(html.indexOf('tile.responses'));
  expect(foot).toBeGreaterThan(html.indexOf('You get this digest'));
  expect(text.split('\n').filter((line) => line === page).length).toBe(1);
  const anchors = anchorsOf(pageOf(input(digestNamed('a full week'))));
  const places = [...html.matchAll(new RegExp(`<a [^>]*href="${page}#([^"]*)"`, 'g'))].map(([, id]) => id);
  expect(places.length).toBe(2);
  expect(places.filter((place) => !anchors.includes(place))).toEqual([]);
});
