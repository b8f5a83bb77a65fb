import { expect, test } from 'vitest';
import { refusals } from '../../../functions/page/answer.ts';
import { createRefusalPages } from '../../../functions/page/http.ts';
import { csvFiles } from '../../../functions/render/csv.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { createPages, pageKinds } from '../../../functions/unsubscribe/answer.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { digestNamed, digestNames } from '../../support/digests/corpus.ts';
import { input } from '../../support/digests/pieces.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

// What is said when, as it was approved, with the keys of messages and their values for words: whatever these are worded, it stays.
// `npx vitest run test/functions/render/approved.test.ts -u` writes the documents again: whoever changes one approves it in the commit.

const templates = { ...(await loadTemplates('templates')), locales: { en: keyMessages } };
const earlier = [
  { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/before' },
  { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier' },
];

const expectApproved = async (shown: string, file: string): Promise<void> => {
  await expect(readable(shown)).toMatchFileSnapshot(`../../fixtures/${file.replaceAll(' ', '-')}`);
};

/** What is said in each mail differs; these are about texts and numbers that are hard to show. */
const mails = digestNames.filter((name) => !['hostile', 'long names', 'numbers of millions'].includes(name));

/** What is to be seen of an html document, with the ends of its bars, and with its links. */
function readDocument(html: string): string {
  const marked = html
    .replaceAll(/<td class="(\w+)" width="(\d+%)"[^>]*>&nbsp;/g, ' [$1 $2] ')
    .replaceAll(/<span class="(\w+)" style="width:(\d+%)">/g, ' [$1 $2] ')
    .replaceAll(/<(?:details( open)?|div id="([\w-]+)")>/g, ' [$1$2] ')
    .replaceAll(/<a [^>]*?href="([^"]*)"[^>]*>/g, ' [$1] ');
  return visibleText(marked);
}

test.each(mails)('the mail of "%s" is as approved: subject, preheader and text', async (name) => {
  const { subject, html, text } = createRenderer(templates)(input(digestNamed(name)));
  await expectApproved(`${subject}\n${preheader(html)}\n\n${text}`, `mails/${name}.txt`);
});

test('the html of a mail is as approved, with its layout and styles', async () => {
  const { html } = createRenderer(templates)(input(digestNamed('a full week'), { page: 'https://page.example.com' }));
  await expectApproved(html, 'mails/a full week.layout.txt');
});

test.each(['blocks of every sort', 'needs and gaps of every sort'])(
  'the html of the mail of "%s", its page and its files are as approved',
  async (name) => {
    const sample = input(digestNamed(name));
    const report = { ...sample.report, statuses: ['delivered', 'partly_delivered'] };
    const { renderPage, renderCsv } = createPageRenderer(templates);
    await expectApproved(readDocument(createRenderer(templates)(sample).html), `mails/${name}.html.txt`);
    await expectApproved(readDocument(renderPage({ ...sample, report, files: 'rows/', earlier })), `pages/${name}.txt`);
    for (const file of csvFiles) {
      await expectApproved([...renderCsv({ ...sample, report, file }).pieces].join(''), `pages/${name}-${file}.csv`);
    }
  },
);

test('the short pages are as approved, each with the field that its button posts, and load nothing', async () => {
  const { mail } = input(digestNamed('an empty week'));
  const [render, renderRefusal] = [createPages(templates, mail), createRefusalPages(templates, mail)];
  const longer = { name: 'months', title: 'All <b>months</b>', every: 'month' } as const;
  const pages = pageKinds
    .map((kind) => render(kind, { title: 'Weekly <b>digest</b>', locale: 'en' }, longer))
    .concat(refusals.map((refusal) => renderRefusal(refusal, 'en')));
  expect(pages.join('')).not.toMatch(/<script|<img|<link|@import|url\(|src=/i);
  const shown = pages.map((html) => {
    const [title = ''] = /<title>.*<\/title>|$/.exec(html) ?? [];
    return `${title}${readDocument(html.replaceAll(/<(form|input|button) ?([^>]*)>/g, ' [$1 $2] '))}`;
  });
  await expectApproved(shown.join('\n'), 'pages/short.txt');
});
