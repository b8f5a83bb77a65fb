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

/** Attacks on a link: the path, the answer, and how often the ledger is read. */
const attacks: Array<[name: string, path: string, answer: 'invalid' | 'expired', reads: number, now?: string]> = [
  ['made up', `/page/${'A'.repeat(22)}`, 'invalid', 1],
  ['changed by a character', `${link.slice(0, 8)}${link[8] === 'A' ? 'B' : 'A'}${link.slice(9)}`, 'invalid', 1],
  ['what the ledger has of it', `/page/${String((await pages.ledger.items('PAGE_LINKS'))[0]?.['sk'])}`, 'invalid', 0],
  ['truncated', link.slice(0, -1), 'invalid', 0],
  ['one to unsubscribe', `/page/${await leaving.issue(leave)}`, 'invalid', 0],
  ['with the digest of another report', await pages.linkTo('daily_2026-W46', id), 'expired', 4],
  ['of a report that is not configured', await pages.linkTo('other_2026-W46', id), 'expired', 1],
  ['of a digest that has expired', await pages.linkTo('weekly_2024-W01', id), 'expired', 4],
  ['expired', link, 'expired', 1, '2027-02-14T08:00:01Z'],
  ['revoked', revoked, 'invalid', 1],
  ['with a file of another name', `${link}/daily_2026-W46.xlsx`, 'invalid', 2],
  ['of a megabyte', `/page/${'a.'.repeat(500_000)}`, 'invalid', 0],
  ['a way up below a good link', `${link}/../${run}.xlsx`, 'invalid', 0],
  ['a line break', '/page/a\r\nset-cookie:%20a=b', 'invalid', 0],
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
  test.each(attacks)('%s is refused on a short page', async (_, path, refusal, reads, now?) => {
    const asked = await pages.ask(path, now === undefined ? {} : { now });
    expect(asked).toMatchObject({ status: refusal === 'invalid' ? 404 : 410, reads });
    expectShortPage(asked, refusal);
  });

  test.each(['POST', 'DELETE', 'OPTIONS', 'get'])('good is refused for %s, before anything is read', async (method) => {
    const asked = await pages.ask(link, { method });
    expect([asked.status, asked.reads]).toEqual([405, 0]);
    expectShortPage(asked, 'readOnly');
  });

  test('good is shown', async () => {
    const asked = await pages.ask(link);
    expect([asked.status, asked.reads]).toEqual([200, 4]);
    expect(visibleText(asked.text)).toContain('Weekly broadcast digest');
  });
});
