import { expect, test } from 'vitest';
import { createCardRenderer } from '../../../functions/render/cards/card.ts';
import { accounts, digestNamed, hostileTexts, input, languages, pageLink } from '../../support/digests/corpus.ts';
import { english, locales } from '../../support/words.ts';

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
  text: /^.{1,3000}$/s,
  plain_text: /^.{1,3000}$/s,
  mrkdwn: /^<https?:[^<>|\s]+\|[^<>]+>$/,
  undefined: /^[^<>]{1,3000}$/,
};
const expectTaken = (card: unknown, account?: string): void => {
  for (const { text, type } of textsOf(card)) expect(text, account).toMatch(looks[type] ?? /^never$/);
};

test.each(kinds)('every card for %s is what its webhook takes, below 20 KB, and names no author', (kind) => {
  // https://adaptivecards.io/explorer/ and https://docs.slack.dev/reference/block-kit/blocks
  const content = { type: 'AdaptiveCard', version: '1.4' };
  const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
  const slack = { blocks: expect.arrayContaining([expect.objectContaining({ type: 'rich_text' })]) };
  const wrapper = { teams: { type: 'message', attachments }, slack }[kind];
  for (const [index, [account, sample]] of Object.entries(accounts).entries()) {
    const locale = languages[index % languages.length] ?? 'en';
    const broadcasts = sample.digest.broadcasts.map((each) => ({ ...each, createdBy: 'Zebedee Quill' }));
    const noted = { note: { text: 'Please remind your teams.' }, only: { createdBy: 'Zebedee Quill' } };
    const digest = { ...sample.digest, ...noted, broadcasts };
    const card = render({ ...sample, digest, report: { ...sample.report, locale }, page: pageLink, kind });
    expect(card, account).toMatchObject(wrapper);
    expectTaken(card, account);
    const json = JSON.stringify(card);
    expect(Buffer.byteLength(json), account).toBeLessThan(20_000);
    expect(json, account).not.toContain('Quill');
    expect(json, account).toContain('Please remind your teams.');
  }
});

test('the notification of a card says first how many need somebody, and a card without a page has no link', () => {
  const sample = input(digestNamed('a full week'));
  const values = { views: english.count('count.views', 400), before: english.say('before.week') };
  const said = `${english.count('subject.needs', 2)} – ${english.count('verdict.more', 108, values)}`;
  expect(render({ ...sample, kind: 'slack' })).toMatchObject({ text: said });
  expect(render({ ...sample, kind: 'teams' })).toMatchObject({ summary: said });
  const links = [null, pageLink].map((page) => JSON.stringify(render({ ...sample, page, kind: 'slack' })));
  expect(links.map((json) => json.includes('https://'))).toEqual([false, true]);
});

test.each(hostileTexts)('a text of the service is text in both cards: %j', (title) => {
  const sample = input(digestNamed('a quiet week'));
  const report = { ...sample.report, title: title.slice(0, 90) };
  for (const kind of kinds) expectTaken(render({ ...sample, report, page: null, kind }));
});
