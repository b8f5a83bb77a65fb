import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../../functions/domain/digest.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import {
  createRenderer,
  type RenderedDigest,
  type RenderInput,
  type Templates,
} from '../../../functions/render/render.ts';
import { unsubscribePlaceholder } from '../../../functions/render/texts/foreign-text.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { content, delivery, digest, input, need } from './pieces.ts';

/** A mail of the corpus: an account's digest in one language. */
export interface CorpusMail extends RenderedDigest {
  account: string;
  locale: string;
}

/** The languages that mails are written in. */
export const languages = ['en', 'de', 'fr'] as const;

/** Texts that would do something if they were not shown as text. */
export const hostileTexts = v.parse(
  v.array(v.string()),
  JSON.parse(readFileSync('test/fixtures/hostile-texts.json', 'utf8')),
);

/** A digest that is kept as data, by its name: the samples of the templates, and what only tests need. */
export function digestNamed(name: string): Digest {
  const digest = digests[name];
  if (digest === undefined) throw new TypeError(`There is no digest "${name}".`);
  return digest;
}

const digests = { ...readDigests('templates/samples'), ...readDigests('test/fixtures/digests') };

/** The names of all digests that are kept as data. */
export const digestNames = Object.keys(digests);

function readDigests(folder: string): Record<string, Digest> {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace('.json', '').replaceAll('-', ' '),
      v.parse(digestSchema, JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))),
    ]),
  );
}

/** More than a mail can show: 400 deliveries of as many broadcasts, each with eight content items. */
export function manyDeliveries(): Digest {
  const types = ['text', 'multiple_choice', 'image', 'rating', 'video', 'form', 'link', 'poll'];
  const kinds = ['new', 'new', 'silent', 'active'] as const;
  const deliveries = Array.from({ length: 400 }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? 'new';
    const name = `Broadcast ${index + 1}: what everybody at every site should know before the holidays`;
    const [seen, responded] = kind === 'silent' ? [0, 0] : [450 - index, 300 - Math.round(index / 2)];
    const ratings = { count: responded, mean: 3.7, histogram: { '3': responded } };
    return delivery({
      id: String(600 + index),
      kind,
      broadcast: { id: `broadcast-${index}`, name, createdAt: '2026-11-09T09:30:00+00:00', createdBy: 'Ada King' },
      seen,
      responded,
      inPeriod: { seen, responded },
      contents: types.map((type, place) =>
        content({ id: String(place), type, listed: 500, seen, responded, ...(type === 'rating' ? { ratings } : {}) }),
      ),
    });
  });
  const unseen = deliveries.filter(({ kind }) => kind === 'silent');
  return digest({
    totals: digestNamed('one busy month').totals,
    deliveries,
    judged: { of: unseen.length, deliveries: unseen.length },
    needs: unseen.map(({ id, audience }) => need(id, { audience })),
  });
}

const { report } = input(digest());

/** The accounts: the edges, and usual ones with everything that a mail can show. */
export const accounts: Readonly<Record<string, RenderInput>> = {
  ...Object.fromEntries(Object.entries(digests).map(([name, kept]) => [name, input(kept)])),
  hostile: input(digestNamed('hostile'), {
    report: { ...report, title: hostileTexts[0] ?? '', statuses: ['delivered', 'sent'] },
  }),
  'a title of 300 characters': input(
    { ...digestNamed('an incomplete week'), only: { broadcastName: '<b>'.repeat(100) } },
    { report: { ...report, title: 'Title '.repeat(50) } },
  ),
  'one delivery of 2000': input(
    digest({
      deliveries: [delivery({ contents: Array.from({ length: 2000 }, (_, item) => content({ id: String(item) })) })],
    }),
  ),
  '400 deliveries of 8': input(manyDeliveries()),
};

/** Where the links of the corpus lead. */
export const unsubscribeLink = `https://abcdefghij.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(14)}`;

/** Where the pages of the corpus are. */
export const pageLink = `https://klmnopqrst.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(12)}`;

/** All mails of the corpus, as a subscriber gets them, each in the next language: no language has elements of its own. */
export async function renderCorpus(): Promise<CorpusMail[]> {
  const templates = await loadTemplates('templates', 'pictures/logo.png');
  return Object.entries(accounts).map(([account, sample], index) =>
    renderMail(templates, account, sample, languages[index % languages.length] ?? 'en'),
  );
}

/** One account's mail, with its links to the page and to leave by. */
export function renderMail(templates: Templates, account: string, sample: RenderInput, locale: string): CorpusMail {
  // Without a logo the brand's name is shown.
  const shown = account === 'an empty week' ? { ...templates, logo: null } : templates;
  // A mail links to a page where the settings want one.
  const page = account === 'nothing but text' ? null : pageLink;
  const report = { ...sample.report, locale };
  const rendered = createRenderer(shown)({ ...sample, report, canUnsubscribe: true, page });
  return {
    account,
    locale,
    ...rendered,
    html: rendered.html.replaceAll(unsubscribePlaceholder, unsubscribeLink),
    text: rendered.text.replaceAll(unsubscribePlaceholder, unsubscribeLink),
  };
}

const sampleOf = (name: string): RenderInput => {
  const sample = accounts[name];
  if (sample === undefined) throw new TypeError(`There is no account "${name}".`);
  return sample;
};

/** What a browser shows of accounts: their mails, with the pictures that come with them, and their pages. */
export async function createDocuments() {
  const templates = await loadTemplates('templates', 'pictures/logo.png');
  const { renderPage } = createPageRenderer(templates);
  const earlier = [
    { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/earlier' },
    { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier-still' },
  ];
  return {
    templates,
    mails: (names: readonly string[]) =>
      names.map((name) => {
        const { html, logo } = renderMail(templates, name, sampleOf(name), 'en');
        return [name, html.replaceAll('src="cid:logo"', `src="data:image/png;base64,${logo?.png}"`)] as const;
      }),
    /** Each in the next language, from English on. */
    pages: (names: readonly string[]) =>
      names.map((name, index) => {
        const { report, ...sample } = sampleOf(name);
        const locale = languages[index % languages.length] ?? 'en';
        return [name, renderPage({ ...sample, report: { ...report, locale }, files: '', earlier })] as const;
      }),
  };
}
