import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRenderer, type RenderedDigest, type RenderInput } from '../../../../functions/run/render/render.ts';
import { loadTemplates } from '../../../../infra/build/load-templates.ts';
import { numbers, preheader, visibleText } from '../send/read-mail.ts';
import {
  content,
  CORPUS,
  delivery,
  digest,
  HOSTILE_NAMES,
  input,
  typicalDigest,
  withoutLinks,
} from '../../../../infra/local/viewer/samples.ts';

let render: (input: RenderInput) => RenderedDigest;

beforeAll(async () => {
  render = createRenderer(await loadTemplates('templates'));
});

describe.each(Object.entries(CORPUS))('%s', (_, sample) => {
  test('keeps the html under 102,400 bytes', () => {
    expect(Buffer.byteLength(render(sample).html)).toBeLessThan(102_400);
  });

  test('has a subject of at most 78 characters in one line', () => {
    const { subject } = render(sample);
    expect(subject.length).toBeLessThanOrEqual(78);
    expect(subject).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066\u2067\u2069]/u);
  });

  test('has a preheader of 40 to 130 characters', () => {
    const { length } = preheader(render(sample).html);
    expect({ length, fits: length >= 40 && length <= 130 }).toEqual({ length, fits: true });
  });

  test('has no line of text wider than 78 characters, except for a URL', () => {
    const tooWide = render(sample)
      .text.split('\n')
      .filter((line) => line.length > 78 && !/^ *https:\/\/\S+$/.test(line));
    expect(tooWide).toEqual([]);
  });

  test('shows the same numbers in the same order in html and text', () => {
    const { html, text } = render(withoutLinks(sample));
    expect(numbers(visibleText(html))).toEqual(numbers(text));
  });

  test.each([
    ['Outlook', /<!--\[if mso \| IE\]>|<!\[endif\]-->/g],
    ['every other program', /<!--[\s\S]*?-->/g],
  ])('closes every element that it opens, as %s reads it', (_, ignored) => {
    const { html } = render(sample);
    const body = html.slice(html.indexOf('<body')).replaceAll(ignored, '');
    for (const name of ['table', 'tbody', 'tr', 'td', 'th', 'div', 'p', 'span', 'a', 'h1', 'h2', 'h3']) {
      const opened = body.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length ?? 0;
      expect({ name, closed: body.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0 }).toEqual({
        name,
        closed: opened,
      });
    }
  });
});

describe('the html', () => {
  test('says its language and title and brings nothing from outside', () => {
    const { html, subject } = render(input(typicalDigest()));
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html).toContain(`<title>${subject}</title>`);
    expect(html).not.toMatch(/<(?:script|img|link|iframe|form|input)\b|@import|url\(|src=/i);
  });

  test('escapes what the service says and leaves control and direction characters out', () => {
    const { html, text, subject } = render(CORPUS['hostile'] ?? input(digest()));
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script|<img|<b>|evil\.example\/"/);
    for (const part of [html, text, subject]) {
      expect(part).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u2028\u2029\ufeff]/);
      expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }
  });

  test('shows template syntax and replacement patterns as they are', () => {
    const { html, text } = render(CORPUS['hostile'] ?? input(digest()));
    const syntax = HOSTILE_NAMES[3] ?? '';
    expect(visibleText(html)).toContain(syntax);
    expect(text).toContain(syntax);
  });

  test('closes every isolate that it opens', () => {
    const { html } = render(CORPUS['hostile'] ?? input(digest()));
    expect(html.match(/\u2068/g)?.length).toBeGreaterThan(0);
    expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
  });

  test('encodes a broadcast id whole in its link', () => {
    const strange = delivery({
      broadcast: { id: '7/1?x="&', name: 'A', createdAt: null, createdBy: null },
    });
    expect(render(input(digest({ deliveries: [strange] }))).html).toContain(
      'href="https://reporting.example.com/broadcasts/7%2F1%3Fx%3D%22%26"',
    );
  });
});

describe('too many rows', () => {
  const sample = CORPUS['400 deliveries of 8'] ?? input(digest());

  test('are trimmed at the end, and the rest is said in numbers', () => {
    const { html, text } = render(sample);
    const shown = html.match(/<h3/g)?.length ?? 0;
    const contents = text.match(/^ {2}\d\. Multiple choice: /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(0);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `Not shown here, to keep this mail readable: ${400 - shown} more deliveries and ${(
        3200 - contents
      ).toLocaleString('en')} content items.`,
    );
    expect(text).toContain('New · 100\n');
  });

  test('fill the room that there is', () => {
    expect(Buffer.byteLength(render(sample).html)).toBeGreaterThan(96_000);
  });

  test('of one delivery are trimmed, too', () => {
    const { text } = render(CORPUS['one delivery of 2000'] ?? input(digest()));
    const contents = text.match(/^ {2}\d+\. Text: /gm)?.length ?? 0;
    const more = (2000 - contents).toLocaleString('en');
    expect(text).toContain(`${more} more content items are not shown here.`);
    expect(text).toContain(`Not shown here, to keep this mail readable: ${more} content items.`);
  });

  test('say nothing where all are shown', () => {
    expect(render(input(typicalDigest())).text).not.toContain('Not shown here');
  });
});

test('an accent that cannot be read on its ground colours bars, not words', () => {
  const { mail } = input(digest());
  const brand = { name: 'Sunny', colours: { accent: '#ffe066', accentDark: '#202020' } };
  const { html } = render(input(typicalDigest(), { mail: { ...mail, brand } }));
  expect(html).toContain('bgcolor="#ffe066"');
  expect(html).not.toContain(';color:#ffe066');
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
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...HOSTILE_NAMES));
  const deliveries = fc.array(
    fc
      .record({ name: text, type: text, seen: count, responded: count, undated: count, contents: fc.nat(40) })
      .map((d) =>
        delivery({
          seen: d.seen,
          responded: d.responded,
          responseRate: d.seen === 0 ? null : d.responded / d.seen,
          undated: d.undated,
          broadcast: { id: d.name, name: d.name, createdAt: null, createdBy: d.name },
          contents: Array.from({ length: d.contents }, () => content({ type: d.type, seen: d.seen })),
        }),
      ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(deliveries, text, count, (deliveries, title, seen) => {
      const totals = { ...typicalDigest().totals, seen };
      const { html, subject, text } = render(
        input(digest({ deliveries, totals }), { report: { ...input(digest()).report, title } }),
      );
      expect(Buffer.byteLength(html)).toBeLessThan(102_400);
      expect(subject.length).toBeLessThanOrEqual(78);
      expect(
        Math.max(...text.split('\n').map((line) => (/^ *https:\S+$/.test(line) ? 0 : line.length))),
      ).toBeLessThanOrEqual(78);
      expect(html).not.toMatch(/<script|<img/);
    }),
    { numRuns: 40 },
  );
});
