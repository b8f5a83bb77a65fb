import { readFileSync } from 'node:fs';
import type { Digest, DigestBroadcast } from '../../../functions/digest/schema.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer, type RenderInput, type Templates } from '../../../functions/render/render.ts';
import { unsubscribePlaceholder } from '../../../functions/render/texts/foreign-text.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { readSamples } from '../../../infra/build/render-samples.ts';
import { times } from '../facts/world.ts';
import { broadcast, delivery, digestOf, earlierOne, item, need, numbered } from './build.ts';

/** A mail of the corpus: an account's digest in one language. */
export type CorpusMail = Awaited<ReturnType<typeof renderMail>>;

/** The languages that mails are written in. */
export const languages = ['en', 'de', 'fr'] as const;

/** Texts that would do something if they were not shown as text. Vitest imports no JSON that has half a surrogate pair. */
export const hostileTexts: readonly string[] = JSON.parse(readFileSync('test/fixtures/hostile-texts.json', 'utf8'));

/** A first week, of which the list says when it begins, read in the night. */
function theFirstWeek(): Digest {
  const rows = [
    broadcast('Pool temperature', [delivery([64, 20], { audience: 80 })]),
    broadcast('Open day', [delivery([70, 41], { audience: 120 })], { createdAt: '2026-10-02T09:00:00+01:00' }),
  ];
  return digestOf(rows, {
    coveredSince: '2026-11-12T08:00:00+00:00',
    readAt: '2026-11-16T04:00:00+00:00',
    unjudged: ['7'],
  });
}

/** Lists that hold only those who did something: no audience anywhere, and something that nobody can be reminded of. */
function engagedOnly(): Digest {
  const few = broadcast('Staff meeting', [delivery([12, 0])], { asks: false });
  const small = broadcast('Lifeguards', [delivery([4, 3])]);
  const rows = [broadcast('Open day', [delivery([120, 40], { contents: [item('form', [118, 40])] })]), few, small];
  return digestOf(rows, { needs: [need(few, { reason: 'too-few', fewest: 41 })], mayHoldOnlyNewest: true });
}

const keysOf = (day: string): DigestBroadcast => {
  const rows = [delivery([30, 10], { audience: 50, firstSign: `${day}T10:00:00+00:00` })];
  return broadcast('Keys', rows, { createdAt: `${day}T09:00:00+00:00` });
};

/** Earlier broadcasts with a line of each sort, what became of what was named, and names that are not unique. */
function everySort(): Digest {
  const again = earlierOne('Welcome pack', [9, 2], { line: { reason: 'delivered-again' } });
  again.deliveries.push(delivery([5, 1], { isLater: true, audience: 18 }));
  const late = earlierOne('Pool party', [0, 0], { line: { reason: 'first-known' } });
  const open = earlierOne('Open survey', [90, 60], { line: { reason: 'large' } });
  const first = keysOf('2026-11-09');
  const second = keysOf('2026-11-12');
  const reminded = broadcast('Rota', [
    delivery([40, 9], { audience: 60, contents: [item('poll', [40, 9]), item('text', [null, null])] }),
    delivery([3, 0], { audience: 18, isLater: true }),
  ]);
  const counts = { audience: 93, reached: 36, seen: 36 };
  return digestOf(
    [first, second, reminded, open, again, late, earlierOne('News', [6, 1])],
    {
      needs: [need(second, { usual: 0.9 }), need(first, { timesNamed: 1, usual: 0.9 })],
      since: [
        { ...need(open, { reason: 'too-few' }), before: counts, now: null },
        { ...need(again, { reason: 'unseen' }), before: { ...counts, seen: 0 }, now: counts },
        { ...need(late, { reason: 'unseen' }), before: { ...counts, seen: 0 }, now: counts },
      ],
      only: { createdBy: 'Priya Shah', contentType: 'multiple_choice' },
      except: { broadcastName: 'Test' },
      leftOut: 3,
      undated: [{ delivery: first.deliveries[0]?.id ?? '', seen: 2, responded: 1 }],
      note: { text: 'The pool is closed on Friday.' },
      unavailable: [
        { what: 'content', broadcast: first, delivery: '1', content: '2', reason: 'failed', status: 500 },
        { what: 'createdBy', broadcast: null, delivery: null, content: null, reason: 'forbidden' },
      ],
    },
    [
      [180, 70],
      [196, 80],
    ],
  );
}

/** Most of what was judged reached fewer than usual. */
function aSeason(): Digest {
  const rows = times(11, (place) => broadcast(`Rota ${place}`, [delivery([35, 9], { audience: 100 })]));
  return digestOf(rows, { season: { deliveries: 9, judged: 11, reached: 315, audience: 900, usual: 0.6 } });
}

function everythingUnavailable(): Digest {
  const unread = { listed: null, unavailable: { reason: 'failed', status: 500 } } as const;
  const rows = times(5, (place) => broadcast(`Broadcast ${place}`, [delivery([null, null], unread)], { asks: null }));
  const list = { what: 'deliveries', broadcast: null, delivery: null, content: null } as const;
  return digestOf(rows, { unavailable: [{ ...list, reason: 'forbidden', status: 403 }] });
}

function hostile(): Digest {
  const rows = hostileTexts.map((text, place) => {
    const ratings = { count: 12, mean: 4, histogram: { [text]: 12 }, unreadable: 0 };
    const contents = [item(text, [30, 12], { id: text }), item('rating', [30, 12], { ratings })];
    const over = { createdBy: text, id: text, ...(place % 2 === 0 ? {} : { createdAt: null }) };
    return broadcast(text, [delivery([30, 12], { id: text, status: text, contents }), delivery([9, 0])], over);
  });
  const [first] = rows;
  const [text = ''] = hostileTexts;
  return digestOf(rows, {
    needs: first === undefined ? [] : [need(first)],
    otherStatuses: Object.fromEntries(hostileTexts.map((status, place) => [status, place + 1])),
    only: { broadcastName: text },
    note: { text },
  });
}

/** Texts and counts that take much room. */
function longNames(): Digest {
  const rows = times(20, (place) => {
    const contents = times(12, (nth) => item(`"${'&'.repeat(60)}`, [4_000_000, 900_000], { id: `${nth}` }));
    return broadcast(`${'Sommerfest'.repeat(place * 3 + 1)} für alle ${'&'.repeat(200)}`, [
      delivery([4_321_987, 1_234_567], { audience: 9_876_543, contents }),
    ]);
  });
  return digestOf(rows, { needs: rows.slice(0, 9).map((row) => need(row, { usual: 0.9 })) });
}

/** More than a mail can show: 400 broadcasts, each with eight content items. */
export function manyDeliveries(): Digest {
  const types = ['text', 'multiple_choice', 'image', 'video', 'form', 'link', 'poll', 'quiz'];
  const rows = times(400, (place) => {
    const seen = 450 - place;
    const contents = types.map((type) => item(type, [seen, Math.round(seen / 3)], { id: type }));
    const name = `Broadcast ${place + 1}: what everybody at every site should know before the holidays`;
    return broadcast(name, [delivery([seen, Math.round(seen / 2)], { audience: 500, contents })]);
  });
  return digestOf(rows, { needs: rows.slice(300).map((row) => need(row, { usual: 0.9 })) });
}

/** The names of the samples have words; those of their files have hyphens. */
const samples = Object.entries(await readSamples()).map(([file, digest]) => [file.replaceAll('-', ' '), digest]);

const digests: Readonly<Record<string, Digest>> = {
  ...Object.fromEntries(samples),
  'the first week': numbered(theFirstWeek),
  'engaged only': numbered(engagedOnly),
  'every sort': numbered(everySort),
  'a season': numbered(aSeason),
  'everything unavailable': numbered(everythingUnavailable),
};

/** The names of digests whose mails say different things. */
export const digestNames = Object.keys(digests);

/** A digest by its name: a sample of the templates, or what only tests need. */
export const digestNamed = (name: string): Digest => known(digests, name);

function known<T>(all: Readonly<Record<string, T>>, name: string): T {
  const one = all[name];
  if (one === undefined) throw new TypeError(`There is none called "${name}".`);
  return one;
}

type Over = Partial<Omit<RenderInput, 'digest' | 'report'>> & { report?: Partial<RenderInput['report']> };

/** A digest for the weekly report of Harbour Leisure. */
export function input(digest: Digest, { report, ...over }: Over = {}): RenderInput {
  return {
    digest,
    report: { title: 'Weekly broadcast digest', locale: 'en', authors: 'named', ...report },
    canUnsubscribe: false,
    page: null,
    mail: {
      brand: { name: 'Harbour Leisure', colours: { accent: '#0b57a4', accentDark: '#7db7f0' } },
      broadcastLink: 'https://reporting.example.com/broadcasts/{broadcastId}',
      footer: {
        why: 'You get this digest because you manage a team at Harbour Leisure.',
        contact: 'Questions? Ask the internal communications team, comms@example.com.',
      },
    },
    ...over,
  };
}

/** The accounts: usual ones with everything that a mail can show, and the edges. */
export const accounts: Readonly<Record<string, RenderInput>> = {
  ...Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, input(digest)])),
  hostile: input(numbered(hostile), { report: { title: hostileTexts[0] ?? '', locale: 'en' } }),
  'long names': input(numbered(longNames), { report: { title: 'Title '.repeat(50), locale: 'en' } }),
  '400 deliveries': input(manyDeliveries()),
};

/** Where the links of the corpus lead. */
export const unsubscribeLink = `https://abcdefghij.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(14)}`;

/** Where the pages of the corpus are. */
export const pageLink = `https://klmnopqrst.lambda-url.eu-west-1.on.aws/${'eyJhbGciOiJkaXIi.'.repeat(12)}`;

/** All mails of the corpus, as a subscriber gets them, each in the next language: no language has elements of its own. */
export async function renderCorpus(): Promise<CorpusMail[]> {
  const templates = await loadTemplates('templates', 'pictures/logo.png');
  const mails = Object.entries(accounts).map(([account, sample], index) =>
    renderMail(templates, account, sample, languages[index % languages.length] ?? 'en'),
  );
  return await Promise.all(mails);
}

/** One account's mail, with its links to the page and to leave by. */
export async function renderMail(templates: Templates, account: string, sample: RenderInput, locale: string) {
  // Without a logo the brand's name is shown.
  const shown = account === 'a full week' ? { ...templates, logo: null } : templates;
  // A mail links to a page where the settings want one.
  const page = account === 'engaged only' ? null : pageLink;
  const report = { ...sample.report, locale };
  const rendered = await createRenderer(shown)({ ...sample, report, canUnsubscribe: true, page });
  return {
    account,
    locale,
    ...rendered,
    html: rendered.html.replaceAll(unsubscribePlaceholder, unsubscribeLink),
    text: rendered.text.replaceAll(unsubscribePlaceholder, unsubscribeLink),
  };
}

export const earlierPages = [
  { start: '2026-11-02T00:00:00+00:00', end: '2026-11-09T00:00:00+00:00', url: '/earlier' },
  { start: '2026-10-26T00:00:00+00:00', end: '2026-11-02T00:00:00+00:00', url: '/earlier-still' },
];

/** What a browser shows of accounts: their mails, with the pictures that come with them, and their pages. */
export async function createDocuments() {
  const templates = await loadTemplates('templates', 'pictures/logo.png');
  const { renderPage } = createPageRenderer(templates);
  return {
    templates,
    mails: async (names: readonly string[], locale = 'en') =>
      await Promise.all(
        names.map(async (name) => {
          const { html, logo } = await renderMail(templates, name, known(accounts, name), locale);
          return [name, html.replaceAll('src="cid:logo"', `src="data:image/png;base64,${logo?.png}"`)] as const;
        }),
      ),
    /** Each in the next language, from English on. */
    pages: (names: readonly string[]) =>
      names.map((name, index) => {
        const { report, ...sample } = known(accounts, name);
        const locale = languages[index % languages.length] ?? 'en';
        return [
          name,
          renderPage({ ...sample, report: { ...report, locale }, files: '', earlier: earlierPages }),
        ] as const;
      }),
  };
}
