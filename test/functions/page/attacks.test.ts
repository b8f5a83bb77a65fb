import { describe, expect, test } from 'vitest';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import type { Refusal } from '../../../functions/page/answer.ts';
import { createUnsubscribeTokens } from '../../../functions/links/unsubscribe-links.ts';
import { visibleText } from '../../support/visible-text.ts';
import { english } from '../../support/words.ts';
import { openPages, type Pages } from './open-pages.ts';

const run = 'weekly_2026-W46';
const pages = await openPages();
const id = await pages.storeRun('weekly', '2026-11-09');
const revoked = await pages.linkTo(run, id);
await revokePageLinks(pages.ledger.table, { name: 'weekly' });
const link = await pages.linkTo(run, id);
const leaving = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
const leave = { hash: '0123', report: 'weekly', expiresAt: new Date('2027-02-14T08:00:00Z') };

/** What an attack gets: without a read of the ledger, or after one that finds no link or one that leads nowhere. */
const answers = {
  unread: { status: 404, refusal: 'invalid', reads: 0 },
  invalid: { status: 404, refusal: 'invalid', reads: 1 },
  gone: { status: 410, refusal: 'expired', reads: 1 },
} as const;
const ofLink = 'get PAGE_LINKS';

/** Attacks on a link: the path, the answer, and what else is read of the ledger. */
const attacks: Array<[name: string, path: string, answer: keyof typeof answers, reads?: string[], now?: string]> = [
  ['made up', `/page/${'A'.repeat(22)}`, 'invalid'],
  ['changed by a character', `${link.slice(0, 8)}${link[8] === 'A' ? 'B' : 'A'}${link.slice(9)}`, 'invalid'],
  ['what the ledger has of it', `/page/${String((await pages.ledger.items('PAGE_LINKS'))[0]?.['sk'])}`, 'unread'],
  ['truncated', link.slice(0, -1), 'unread'],
  ['one to unsubscribe', `/page/${await leaving.issue(leave)}`, 'unread'],
  [
    'with the digest of another report',
    await pages.linkTo('daily_2026-W46', id),
    'gone',
    ['get RUNS#daily 2026-11-09#week', 'query DIGEST#daily_2026-W46'],
  ],
  ['of a report that is not configured', await pages.linkTo('other_2026-W46', id), 'gone'],
  [
    'of a digest that has expired',
    await pages.linkTo('weekly_2024-W01', id),
    'gone',
    ['get RUNS#weekly 2024-01-01#week', 'query DIGEST#weekly_2024-W01'],
  ],
  ['expired', link, 'gone', [], '2027-02-14T08:00:01Z'],
  ['revoked', revoked, 'invalid'],
  ['with a file of another name', `${link}/daily_2026-W46-items.csv`, 'invalid', ['get RUNS#weekly 2026-11-09#week']],
  ['with a file that there is not', `${link}/${run}-rows.csv`, 'unread'],
  ['of a megabyte', `/page/${'a.'.repeat(500_000)}`, 'unread'],
  ['a way up below a good link', `${link}/../${run}-items.csv`, 'unread'],
  ['not below the path of pages', link.replace('/page', ''), 'unread'],
  ['a line break', '/page/a\r\nset-cookie:%20a=b', 'unread'],
];

/** A short page that says what to do, and names no report. */
function expectShortPage({ text, headers }: Awaited<ReturnType<Pages['ask']>>, refusal: Refusal): void {
  const lines = visibleText(text).trim().split('\n');
  expect(lines).toEqual(['Harbour Leisure', english.say(`link.${refusal}`), english.say(`link.${refusal}Note`)]);
  expect(text.length).toBeLessThan(4_000);
  expect(text).not.toMatch(/weekly|daily|Weekly broadcast digest/);
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
}

describe('a link that is', () => {
  test.each(attacks)('%s is refused on a short page', async (_, path, answer, reads = [], now?) => {
    const { status, refusal, reads: ofLinks } = answers[answer];
    const asked = await pages.ask(path, now === undefined ? {} : { now });
    expect(asked).toMatchObject({ status, reads: [...Array.from({ length: ofLinks }, () => ofLink), ...reads] });
    expectShortPage(asked, refusal);
  });

  test.each(['POST', 'DELETE', 'OPTIONS', 'get'])('good is refused for %s, before anything is read', async (method) => {
    const asked = await pages.ask(link, { method });
    expect([asked.status, asked.reads]).toEqual([405, []]);
    expectShortPage(asked, 'readOnly');
  });

  test('good is shown, after one read of it', async () => {
    const asked = await pages.ask(link);
    expect([asked.status, asked.reads]).toEqual([
      200,
      [ofLink, 'get RUNS#weekly 2026-11-09#week', `query DIGEST#${run}`, 'query RUNS#weekly'],
    ]);
    expect(visibleText(asked.text)).toContain('Weekly broadcast digest');
  });
});
