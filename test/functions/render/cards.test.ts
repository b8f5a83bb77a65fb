import { expect, it } from 'vitest';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { loadTemplates } from '../../../infra/build/load-templates.ts';
import { accounts, digestNamed, hostileTexts, languages, pageLink } from '../../support/digests/corpus.ts';
import { digest, input } from '../../support/digests/pieces.ts';
import { sectionOf } from './sections.ts';

const { locales } = await loadTemplates('templates');
const render = createCardRenderer({ locales });
const kinds = ['teams', 'slack'] as const;

/** Every text of a card, in its order, with the type that says what is formatted in it. */
function textsOf(card: unknown): Array<{ text: string; type: string }> {
  if (typeof card !== 'object' || card === null) return [];
  const { text, type }: { text?: unknown; type?: unknown } = card;
  const own = typeof text === 'string' ? [{ text, type: String(type) }] : [];
  return [...own, ...Object.values(card).flatMap(textsOf)];
}
const saidBy = (card: unknown): string =>
  textsOf(card)
    .map(({ text }) => text)
    .join('\n');

/** How the texts look that a webhook takes, by their types. Only a link is markup, and what a notification shows is escaped. */
const looks: Readonly<Record<string, RegExp>> = {
  TextRun: /^(?!.*\{\{).{1,3000}$/s,
  plain_text: /^.{1,3000}$/s,
  mrkdwn: /^<https?:[^<>|\s]+\|[^<>]+>$/,
  undefined: /^[^<>]{1,3000}$/,
};
function expectTaken(card: unknown, account?: string): void {
  for (const { text, type } of textsOf(card)) expect(text, account).toMatch(looks[type] ?? /^never$/);
}

it.each(kinds.flatMap((kind) => languages.map((locale) => [kind, locale] as const)))(
  'every card for %s in %s is what its webhook takes, below 20 KB, and names nobody who made a broadcast',
  (kind, locale) => {
    // https://adaptivecards.io/explorer/ and https://docs.slack.dev/reference/block-kit/blocks
    const content = { type: 'AdaptiveCard', version: '1.4' };
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
    const header = { type: 'header', text: expect.objectContaining({ text: expect.stringMatching(/^.{1,150}$/) }) };
    const slack = { blocks: expect.arrayContaining([header]) };
    const wrapper = { teams: { type: 'message', attachments }, slack }[kind];
    for (const [account, sample] of Object.entries(accounts)) {
      const named = sample.digest.broadcasts.map((each) => ({ ...each, createdBy: 'Zebedee Quill' }));
      const report = { ...sample.report, locale };
      const noted = { note: { text: 'Please remind your teams.' }, only: { createdBy: 'Zebedee Quill' } };
      const shown = { ...sample.digest, ...noted, broadcasts: named };
      const card = render({ ...sample, digest: shown, report, page: pageLink, kind });
      expect(card, account).toMatchObject(wrapper);
      expectTaken(card, account);
      const json = JSON.stringify(card);
      expect(Buffer.byteLength(json), account).toBeLessThan(20_000);
      expect(json, account).not.toContain('Quill');
      if (named.length > 0) expect(json, account).toContain('Please remind your teams.');
    }
  },
);

it.each(kinds)(
  'a card for %s has the figures of the digest, three needs and no link unless there is a page',
  (kind) => {
    const whole = digestNamed('numbers of millions');
    const figures = viewTiles(sectionOf(whole))?.tiles.map(({ value }) => value) ?? [];
    expect(figures.length).toBeGreaterThan(2);
    const shown = textsOf(render({ ...input(whole), page: null, kind })).flatMap(({ text }) => text.split('\n'));
    expect(shown).toEqual(expect.arrayContaining(figures));
    const week = digestNamed('needs and gaps of every sort');
    const { report, mail } = input(week);
    const card = render({ digest: week, report, mail, page: null, kind });
    const said = saidBy(card);
    expect(said).toContain('Ask its author whether it went out.');
    expect(said).toContain('\n5 more');
    expect(JSON.stringify(card)).not.toContain('https://');
    expect(JSON.stringify(render({ digest: week, report, mail, page: pageLink, kind }))).toContain(pageLink);
  },
);

it.each(hostileTexts)('a text of the service is text in both cards: %j', (title) => {
  const sample = input(digest());
  const report = { ...sample.report, title: title.slice(0, 90) };
  for (const kind of kinds) expectTaken(render({ ...sample, report, page: null, kind }));
});
