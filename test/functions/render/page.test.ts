import { gzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { createPageRenderer, type PageInput } from '../../../functions/render/page.ts';
import type { RenderInput } from '../../../functions/render/render.ts';
import { unsubscribePlaceholder } from '../../../functions/render/texts/foreign-text.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { rulesNotKept } from '../../mail/client-exceptions.ts';
import { accounts, digestNamed, earlierPages, input, manyDeliveries } from '../../support/digests/corpus.ts';
import { preheader } from '../../support/visible-text.ts';

const { renderPage } = createPageRenderer(await loadTemplates('templates', 'pictures/logo.png'));

const pageOf = (sample: RenderInput, over: Partial<PageInput> = {}): string =>
  renderPage({ ...sample, files: 'rows/', earlier: earlierPages, ...over });

/** Ids of broadcasts, in their order. */
const anchorsOf = (html: string) => [...html.matchAll(/<div id="(broadcast-[^"]*)"/g)].map(([, id]) => id);

describe('the page', () => {
  test('has its own title, no preheader, and nothing of files, earlier digests or leaving where there are none', () => {
    const html = pageOf(input(digestNamed('an incomplete week')), { files: null, earlier: [] });
    expect(html).toMatch(/<title>Weekly broadcast digest, November\s9–15,\s2026<\/title>/);
    expect(preheader(html)).toBe('');
    expect(html).not.toContain(unsubscribePlaceholder);
    expect(html).not.toMatch(/aria-roledescription|\.xlsx|Earlier digests/);
  });

  test('of 400 broadcasts has each once, and is small', () => {
    const html = pageOf(input(manyDeliveries()));
    expect(new Set(anchorsOf(html)).size).toBe(400);
    expect(anchorsOf(html).length).toBe(400);
    expect(gzipSync(html).length).toBeLessThan(100_000);
  });

  test('leads from each need to its broadcast, and to earlier digests from the bars of the trend', () => {
    const html = pageOf(input(digestNamed('a full week')));
    const links = [...html.matchAll(/href="#(broadcast-\d+)"/g)].map(([, id]) => id);
    expect(links.length).toBe(2);
    expect(anchorsOf(html)).toEqual(expect.arrayContaining(links));
    expect(html).toMatch(/<a [^>]*href="\/earlier"[^>]*>Nov\s2<\/a>/);
    expect(pageOf(input(digestNamed('a season')))).toMatch(/<a [^>]*href="\/earlier"[^>]*>November\s2–8,\s2026<\/a>/);
  });

  test('names authors only where the settings want it', () => {
    const sample = input(digestNamed('every sort'));
    const shown = (authors: 'named' | 'unnamed') => pageOf({ ...sample, report: { ...sample.report, authors } });
    expect(shown('named')).toContain('by Priya Shah');
    expect(shown('unnamed')).not.toContain('Priya');
  });
});

describe('every page', () => {
  const links =
    /^(?:#top|#broadcast-\d+|rows\/[\w-]+\.xlsx|\/earlier(?:-still)?|https:\/\/reporting\.example\.com\/broadcasts\/[^/?#]*)$/;

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

  const valid = ['an incomplete week', 'hostile', 'a quiet week', 'every sort'];
  test.each(valid)('is valid html, with headings and tables for a screen reader: %s', async (account) => {
    const rules = Object.fromEntries(Object.keys(rulesNotKept).map((rule) => [rule, 'off'] as const));
    const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules });
    const sample = accounts[account] ?? input(digestNamed('a quiet week'));
    const { results } = await validator.validateString(pageOf(sample));
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => [ruleId, message]))).toEqual([]);
  });
});
