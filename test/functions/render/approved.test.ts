import { beforeAll, describe, expect, test } from 'vitest';
import { refusals } from '../../../functions/page/answer.ts';
import { createRefusalPages } from '../../../functions/page/http.ts';
import { csvFiles } from '../../../functions/render/csv.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer, type RenderedDigest } from '../../../functions/render/render.ts';
import { createPages, pageKinds } from '../../../functions/unsubscribe/answer.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestNamed, digestNames, languages } from '../../support/digests/corpus.ts';
import { input } from '../../support/digests/pieces.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { plain } from './sections.ts';

// `npx vitest run test/functions/render/approved.test.ts -u` writes the documents again: whoever changes one approves it in the commit.

let templates: Awaited<ReturnType<typeof loadTemplates>>;

beforeAll(async () => {
  templates = await loadTemplates('templates');
});

const fixture = (folder: string, name: string): string => `../../fixtures/${folder}/${name.replaceAll(' ', '-')}`;

const earlier = [
  { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/before' },
  { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier' },
];
/** A sample of every setting that shows something, beside the settings that all samples have. */
const settings = { statuses: ['delivered', 'partly_delivered'] };

const inOtherLanguages = [
  ['an incomplete week', 'de'],
  ['the first week ever', 'fr'],
  ['a quarter', 'de'],
  ['a quarter', 'fr'],
] as const;

function mailOf(name: string, locale: string): RenderedDigest {
  const sample = input(digestNamed(name));
  return createRenderer(templates)({ ...sample, report: { ...sample.report, locale } });
}

/** What is to be seen of an html document, with the ends of its bars, and with the links that are not of one broadcast's name. */
function readDocument(html: string): string {
  const marked = html
    .replaceAll(/<td class="([fgktu])"(?: width="(\d+%)")?[^>]*>&nbsp;/g, ' [$1 $2] ')
    .replaceAll(/<span class="([fg])" style="width:(\d+%)">/g, ' [$1 $2] ')
    .replaceAll(/<(?:details( open)?|div id="([\w-]+)")>/g, ' [$1$2] ')
    .replaceAll(/<a href="([^"]*)"[^>]*>/g, ' [$1] ');
  return plain(visibleText(marked));
}

describe('as approved', () => {
  test.each([...digestNames.map((name) => [name, 'en'] as const), ...inOtherLanguages])(
    'is the text of the mail of "%s" in the language %s',
    async (name, locale) => {
      await expect(plain(mailOf(name, locale).text)).toMatchFileSnapshot(fixture('mails', `${name}.${locale}.txt`));
    },
  );

  test('are the subjects and what an inbox shows beside them', async () => {
    const lines = digestNames.flatMap((name) =>
      languages.map((locale) => {
        const { subject, html } = mailOf(name, locale);
        return `${subject}\n  ${preheader(html)}\n`;
      }),
    );
    await expect(plain(lines.join(''))).toMatchFileSnapshot(fixture('mails', 'subjects.txt'));
  });

  const withEverySort = ['an incomplete week', 'blocks of every sort', 'needs and gaps of every sort'];

  test.each(withEverySort)('is the html of the mail of "%s"', async (name) => {
    await expect(readDocument(mailOf(name, 'en').html)).toMatchFileSnapshot(fixture('mails', `${name}.en.html.txt`));
  });

  test.each([
    ...[...withEverySort, 'ratings of a long scale'].map((name) => [name, 'en'] as const),
    ['an incomplete week', 'de'] as const,
  ])('are the page of "%s" in the language %s, and the files', async (name, locale) => {
    const { renderPage, renderCsv } = createPageRenderer(templates);
    const sample = input(digestNamed(name));
    const report = { ...sample.report, ...settings, locale };
    const html = renderPage({ ...sample, report, files: 'rows/', earlier });
    await expect(readDocument(html)).toMatchFileSnapshot(fixture('pages', `${name}.${locale}.txt`));
    for (const file of csvFiles) {
      const { pieces } = renderCsv({ ...sample, report, file });
      await expect([...pieces].join('')).toMatchFileSnapshot(fixture('pages', `${name}.${locale}-${file}.csv`));
    }
  });

  test('are the short pages, each with the field that its button posts', async () => {
    const { mail } = input(digestNamed('an empty week'));
    const [render, renderRefusal] = [createPages(templates, mail), createRefusalPages(templates, mail)];
    const pages = languages.flatMap((locale) =>
      pageKinds
        .map((kind) => render(kind, { title: 'Weekly <b>digest</b>', locale }))
        .concat(refusals.map((refusal) => renderRefusal(refusal, locale))),
    );
    expect(pages.join('')).not.toMatch(/<script|<img|<link|@import|url\(|src=/i);
    const read = pages.map((html) => {
      const [head = ''] = /<html lang="[^"]*">|$/.exec(html) ?? [];
      const [title = ''] = /<title>.*<\/title>|$/.exec(html) ?? [];
      return `${head} ${title}${readDocument(html.replaceAll(/<(form|input|button) ?([^>]*)>/g, ' [$1 $2] '))}`;
    });
    await expect(read.join('\n')).toMatchFileSnapshot(fixture('pages', 'short.txt'));
  });
});
