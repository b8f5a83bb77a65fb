import { expect, test } from 'vitest';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { viewTiles } from '../../../functions/render/sections/tiles.ts';
import { accounts, digestNamed, hostileTexts, languages, pageLink } from '../../support/digests/corpus.ts';
import { digest, input } from '../../support/digests/pieces.ts';
import { locales } from '../../support/words.ts';
import { keyMessages, readable } from './outputs/key-locale.ts';
import { sectionOf } from './sections.ts';

const render = createCardRenderer({ locales });
const kinds = ['teams', 'slack'] as const;

/** Every text of a card, in its order, with the type that says what is formatted in it. */
function textsOf(card: unknown): Array<{ text: string; type: string }> {
  if (typeof card !== 'object' || card === null) return [];
  const { text, type }: { text?: unknown; type?: unknown } = card;
  const first = typeof text === 'string' ? [{ text, type: String(type) }] : [];
  return [...first, ...Object.values(card).flatMap(textsOf)];
}

/** How the texts look that a webhook takes, by their types. Only a link is markup, and what a notification shows is escaped. */
const looks: Readonly<Record<string, RegExp>> = {
  TextRun: /^(?!.*\{\{).{1,3000}$/s,
  plain_text: /^.{1,3000}$/s,
  mrkdwn: /^<https?:[^<>|\s]+\|[^<>]+>$/,
  undefined: /^[^<>]{1,3000}$/,
};
const expectTaken = (card: unknown, account?: string): void => {
  for (const { text, type } of textsOf(card)) expect(text, account).toMatch(looks[type] ?? /^never$/);
};

test.each(kinds)(
  'every card for %s is what its webhook takes, below 20 KB, and names nobody who made a broadcast',
  (kind) => {
    // https://adaptivecards.io/explorer/ and https://docs.slack.dev/reference/block-kit/blocks
    const content = { type: 'AdaptiveCard', version: '1.4' };
    const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
    const header = { type: 'header', text: expect.objectContaining({ text: expect.stringMatching(/^.{1,150}$/) }) };
    const slack = { blocks: expect.arrayContaining([header]) };
    const wrapper = { teams: { type: 'message', attachments }, slack }[kind];
    for (const [index, [account, sample]] of Object.entries(accounts).entries()) {
      const locale = languages[index % languages.length] ?? 'en';
      const broadcasts = sample.digest.broadcasts.map((each) => ({ ...each, createdBy: 'Zebedee Quill' }));
      const noted = { note: { text: 'Please remind your teams.' }, only: { createdBy: 'Zebedee Quill' } };
      const shown = { ...sample.digest, ...noted, broadcasts };
      const card = render({ ...sample, digest: shown, report: { ...sample.report, locale }, page: pageLink, kind });
      expect(card, account).toMatchObject(wrapper);
      expectTaken(card, account);
      const json = JSON.stringify(card);
      expect(Buffer.byteLength(json), account).toBeLessThan(20_000);
      expect(json, account).not.toContain('Quill');
      if (broadcasts.length > 0) expect(json, account).toContain('Please remind your teams.');
    }
  },
);

test.each(kinds)(
  'a card for %s has the figures of the tiles, three needs and no link unless there is a page',
  (kind) => {
    const renderKeys = createCardRenderer({ locales: { en: keyMessages } });
    const cardOf = (name: string, page: string | null = null) =>
      renderKeys({ ...input(digestNamed(name)), page, kind });
    const figures = viewTiles(sectionOf(digestNamed('numbers of millions')))?.tiles.map(({ value }) => value) ?? [];
    expect(figures.length).toBeGreaterThan(2);
    const lines = textsOf(cardOf('numbers of millions')).flatMap(({ text }) => text.split('\n'));
    expect(lines).toEqual(expect.arrayContaining(figures));
    const week = 'needs and gaps of every sort';
    const texts = textsOf(readable(cardOf(week))).map(({ text }) => text);
    expect(texts.join('\n').match(/needs\.(ask|remind|find|send)\w*/g)?.length).toBe(3);
    expect(texts).toContain('needs.more.nowhere(5)');
    const links = [null, pageLink].map((page) => JSON.stringify(cardOf(week, page)).includes('https://'));
    expect(links).toEqual([false, true]);
  },
);

test.each(hostileTexts)('a text of the service is text in both cards: %j', (title) => {
  const sample = input(digest());
  const report = { ...sample.report, title: title.slice(0, 90) };
  for (const kind of kinds) expectTaken(render({ ...sample, report, page: null, kind }));
});
