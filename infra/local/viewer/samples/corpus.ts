import { withUnsubscribeLink } from '../../../../functions/signed-links/unsubscribe-placeholder.ts';
import {
  createRenderer,
  type RenderedDigest,
  type RenderInput,
  type Templates,
} from '../../../../functions/render/render.ts';
import { loadTemplates } from '../../../build/load-templates.ts';
import {
  busyMonth,
  eightWeeks,
  firstWeek,
  fortyDeliveries,
  incompleteWeek,
  manyDeliveries,
  quietWeek,
  textOnlyWeek,
} from './weeks.ts';
import { CORPUS } from './edge-cases.ts';
import { delivery, digest, engaged, input } from './pieces.ts';
import { typicalDigest } from './usual-week.ts';

/** A mail of the corpus: an account's digest in one language. */
export interface CorpusMail extends RenderedDigest {
  account: string;
  locale: string;
}

/** The languages that mails are written in. */
export const languages = ['en', 'de', 'fr'] as const;

const week = (start: string, seen: number | null) => ({
  start,
  seen,
  responded: seen,
  broadcasts: null,
  asked: null,
  responseRate: null,
  complete: seen !== null,
});

/** The account of a week of which nothing is missing, with every section that a mail has. */
export const completeWeek = 'eight weeks';

/** The accounts: the edges, and a usual one with everything that a mail can show. */
export const accounts: Readonly<Record<string, RenderInput>> = {
  ...CORPUS,
  'a usual week': input({
    ...typicalDigest(),
    trend: [
      week('2026-09-21T00:00:00+01:00', 1020),
      week('2026-09-28T00:00:00+01:00', 1311),
      week('2026-10-05T00:00:00+01:00', null),
      week('2026-10-12T00:00:00+01:00', 0),
      week('2026-10-19T00:00:00+01:00', 1198),
      week('2026-10-26T00:00:00+00:00', 987),
      week('2026-11-02T00:00:00+00:00', 1102),
      week('2026-11-09T00:00:00+00:00', 1284),
    ],
  }),
  'a quiet week': input(quietWeek()),
  'the first week ever': input(firstWeek()),
  'an incomplete week': input(incompleteWeek()),
  'one broadcast with 40 deliveries': input(fortyDeliveries()),
  'a month of 63 deliveries': input(busyMonth(), { report: { ...input(digest()).report, title: 'Monthly digest' } }),
  'nothing but text': input(textOnlyWeek()),
  '400 deliveries of 8': input(manyDeliveries()),
  [completeWeek]: input(eightWeeks()),
  'names of 1,000 characters': input(
    digest({
      deliveries: ['W'.repeat(1000), 'Donaudampfschifffahrtsgesellschaft '.repeat(28), 'مرحبا بالفريق '.repeat(70)].map(
        (name, index) =>
          delivery({ id: String(index), broadcast: { id: 'i'.repeat(60), name, createdAt: null, createdBy: name } }),
      ),
      missing: [{ what: 'delivery', delivery: 'd'.repeat(60), name: 'W'.repeat(1000), reason: 'gone', status: 410 }],
    }),
  ),
  'numbers of millions': input(
    digest({
      totals: {
        ...typicalDigest().totals,
        deliveries: 12_345,
        seen: 123_456_789,
        responded: 98_765_432,
        previous: {
          deliveries: 1,
          broadcasts: 1,
          seen: 1,
          responded: 1,
          asked: engaged(1, 1),
          responseRate: 1,
        },
      },
      trend: [week('2026-11-02T00:00:00+00:00', 1), week('2026-11-09T00:00:00+00:00', 123_456_789)],
      deliveries: [delivery({ seen: 12_345_678, responded: 9_876_543, inPeriod: { seen: 1, responded: 0 } })],
    }),
  ),
};

/** Where the links of the corpus lead. */
export const unsubscribeLink = `https://abcdefghij.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(14)}`;

/** Where the pages of the corpus are. */
export const pageLink = `https://klmnopqrst.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(12)}`;

/** All mails of the corpus, as a subscriber gets them. */
export async function renderCorpus(): Promise<CorpusMail[]> {
  const templates = await loadTemplates('templates', 'pictures/logo.png');
  return languages.flatMap((locale) =>
    Object.entries(accounts).map(([account, sample]) => renderMail(templates, account, sample, locale)),
  );
}

/** One account's mail, with its links to the page and to leave by. */
export function renderMail(templates: Templates, account: string, sample: RenderInput, locale: string): CorpusMail {
  // Without a logo the brand's name is shown.
  const shown = account === 'empty' ? { ...templates, logo: null } : templates;
  // A mail links to a page where the settings want one.
  const page = account === 'nothing but text' ? null : pageLink;
  const report = { ...sample.report, locale };
  const rendered = createRenderer(shown)({ ...sample, report, canUnsubscribe: true, page });
  return {
    account,
    locale,
    ...rendered,
    html: withUnsubscribeLink(rendered.html, unsubscribeLink),
    text: withUnsubscribeLink(rendered.text, unsubscribeLink),
  };
}

/** The html as a mail program shows it: with the pictures that come with the mail. */
export function htmlWithPictures({ html, logo }: RenderedDigest): string {
  return logo === null ? html : html.replaceAll('src="cid:logo"', `src="data:image/png;base64,${logo.png}"`);
}
