import { expect, test } from 'vitest';
import { createRenderer } from '../../../functions/render/render.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { accounts, digestNamed, input, languages, pageLink } from '../../support/digests/corpus.ts';
import { preheader } from '../../support/visible-text.ts';
import { english, wordsOf } from '../../support/words.ts';

const render = createRenderer(await loadTemplates('templates', 'pictures/logo.png'));

/** Words before the trend and the notes: whatever has a letter or a digit. */
const wordsBefore = (trend: string, text: string): number =>
  (text.split(`\n${trend}\n`)[0] ?? '')
    .replaceAll(/https:\S+/g, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test.each([
  ['a full week', 280, 45_000],
  ['one busy month', 430, 70_000],
])('the mail of "%s" has at most %i words and %i bytes in each language', async (name, mostWords, mostBytes) => {
  const measured = languages.map(async (locale) => {
    const report = { title: 'Weekly broadcast digest', locale };
    const { html, text } = await render(input(digestNamed(name), { report, canUnsubscribe: true, page: pageLink }));
    const { trend, period } = digestNamed(name);
    const heading = wordsOf(locale).count(`trend.${period.kind}`, trend.length);
    return { locale, words: wordsBefore(heading, text), bytes: Buffer.byteLength(html) };
  });
  for (const { locale, words, bytes } of await Promise.all(measured)) {
    console.info(`${name}, ${locale}: ${words} words, ${bytes} bytes`);
    expect(words).toBeLessThanOrEqual(mostWords);
    expect(bytes).toBeLessThanOrEqual(mostBytes);
  }
});

test('every mail keeps its bounds: 60,000 bytes of html, a subject of 78 characters, a preheader of 130', async () => {
  for (const [name, sample] of Object.entries(accounts)) {
    for (const locale of languages) {
      const { html, subject } = await render({ ...sample, report: { ...sample.report, locale }, page: pageLink });
      expect(Buffer.byteLength(html), name).toBeLessThan(60_000);
      expect(subject, name).toMatch(/^[^\p{Cc}\u00a0\u202a-\u202e\u2066\u2067\u2069]{1,78}$/v);
      expect(preheader(html), name).toMatch(/^.{1,130}$/);
    }
  }
});

test('a mail of many broadcasts with long texts shows fewer of them, and says how many it does not show', async () => {
  const { mail } = input(digestNamed('a quiet week'));
  const footer = { why: '&'.repeat(5000), contact: '&'.repeat(5000) };
  const broadcastLink = `https://reporting.example.com/${'b'.repeat(2000)}/{broadcastId}`;
  const sample = accounts['long names'] ?? input(digestNamed('a quiet week'));
  const { html, text } = await render({ ...sample, mail: { ...mail, footer, broadcastLink } });
  expect(Buffer.byteLength(html)).toBeLessThan(90_000);
  const saysMore = (count: number): boolean =>
    text.includes(`\n${english.count('more.sums', count, { sums: '' }).slice(0, -1)}`);
  expect([13, 14, 15, 16, 17, 18, 19].filter(saysMore)).toHaveLength(1);
});
