import { expect, test } from 'vitest';
import { refusals } from '../../../functions/page/answer.ts';
import { createRefusalPages } from '../../../functions/page/http.ts';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { createPages, pageKinds } from '../../../functions/unsubscribe/answer.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { readSamples } from '../../../infra/build/render-samples.ts';
import { digestOf } from '../../support/digests/build.ts';
import { digestNamed, digestNames, earlierPages, input, pageLink } from '../../support/digests/corpus.ts';
import { preheader, visibleText } from '../../support/visible-text.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';

// What is said when, as it was approved, in the words that its reader gets; the look of all is in one html document.
// `npx vitest run test/functions/render/approved.test.ts -u` writes the documents again: whoever changes one approves it in the commit.

const templates = await loadTemplates('templates');
const render = createRenderer(templates);

const expectApproved = async (shown: string, file: string): Promise<void> => {
  const text = shown.replaceAll('\u00a0', ' ');
  await expect(text).toMatchFileSnapshot(`../../fixtures/${file.replaceAll(' ', '-')}`);
};

test.each(Object.entries(await readSamples()))('the totals of "%s" are those of its rows and trend', (_, sample) => {
  const { totals, trend, broadcasts } = sample;
  const { seen, responded, previous } = totals;
  const before = previous === null ? [] : [[previous.seen, previous.responded] as const];
  const { previous: _previous, change, ...ofRows } = digestOf(broadcasts, {}, before).totals;
  expect(totals).toMatchObject({ ...ofRows, change: { seen: change.seen, responded: change.responded } });
  expect(trend.at(-1) ?? totals).toMatchObject({ seen, responded });
});

test.each(digestNames)('the mail of "%s" is as approved: subject, preheader and text', async (name) => {
  const { subject, html, text } = await render(input(digestNamed(name), { page: pageLink }));
  await expectApproved(`${subject}\n${preheader(html)}\n\n${text.replaceAll(pageLink, 'PAGE')}`, `mails/${name}.txt`);
});

test.each(['de', 'fr'])('a week in %s is as approved, for somebody to read aloud', async (locale) => {
  const report = { title: 'Harbour', locale };
  const { subject, html, text } = await render(input(digestNamed('a full week'), { report, page: 'PAGE' }));
  await expectApproved(`${subject}\n${preheader(html)}\n\n${text}`, `mails/a full week.${locale}.txt`);
});

test('the html of a mail is as approved, with its layout and styles', async () => {
  const { html } = await render(input(digestNamed('a full week'), { page: 'https://page.example.com' }));
  await expectApproved(html, 'mails/a full week.layout.txt');
});

/** What is to be seen of an html document, with its links. */
const readDocument = (html: string): string =>
  visibleText(
    html
      .replaceAll(/<(?:details|div id="([\w-]+)")>/g, '\n[$1] ')
      .replaceAll(/<a [^>]*?href="([^"]*)"[^>]*>/g, '[$1] ')
      .replaceAll(/<\/(?:summary|li)>/g, '\n'),
  );

test.each(['a full week', 'every sort'])('the page and the card of "%s" are as approved', async (name) => {
  const sample = input(digestNamed(name));
  const page = createPageRenderer(templates).renderPage({ ...sample, files: 'rows/', earlier: earlierPages });
  await expectApproved(readDocument(page), `pages/${name}.txt`);
  const card = createCardRenderer(templates)({ ...sample, page: 'https://page.example.com', kind: 'slack' });
  await expectApproved(JSON.stringify(card, null, 1), `cards/${name}.json.txt`);
});

test('the short pages are as approved, each with the field that its button posts, and load nothing', async () => {
  const { mail } = input(digestNamed('a quiet week'));
  const keyed = { ...templates, locales: { en: keyMessages } };
  const [renderPage, renderRefusal] = [createPages(keyed, mail), createRefusalPages(keyed, mail)];
  const longer = { name: 'months', title: 'All <b>months</b>', every: 'month' } as const;
  const pages = pageKinds
    .map((kind) => renderPage(kind, { title: 'Weekly <b>digest</b>', locale: 'en' }, longer))
    .concat(refusals.map((refusal) => renderRefusal(refusal, 'en')));
  expect(pages.join('')).not.toMatch(/<script|<img|<link|@import|url\(|src=|var\(/i);
  const shown = pages.map((html) => {
    const [title = ''] = /<title>.*<\/title>|$/.exec(html) ?? [];
    return `${title}${visibleText(html.replaceAll(/<(form|input|button) ?([^>]*)>/g, ' [$1 $2] '))}`;
  });
  await expectApproved(readable(shown.join('\n')), 'pages/short.txt');
});
