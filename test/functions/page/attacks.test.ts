import { describe, expect, test } from 'vitest';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import {
  createPageTokens,
  createUnsubscribeTokens,
  type PageClaims,
} from '../../../functions/signed-links/link-tokens.ts';
import { visibleText } from '../../support/visible-text.ts';
import { expiresAt, madeAt, openPages, secret, tokens, type Pages } from './open-pages.ts';

const run = 'weekly_2026-W46';
const pages = await openPages();
const id = await pages.storeRun('weekly', '2026-11-09');

const claims: PageClaims = { run, digest: id, madeAt, expiresAt };
const linkTo = async (over: Partial<PageClaims>) => `/${await tokens.issue({ ...claims, ...over })}`;
const link = await linkTo({});
const foreign = createPageTokens('another-generated-secret-of-forty-characters');
const leaving = createUnsubscribeTokens(secret);

/** What an attack gets: without a look into the path, or with one token decrypted. */
const answers = {
  unread: { status: 404, says: 'This link does not work', decrypts: false },
  invalid: { status: 404, says: 'This link does not work', decrypts: true },
  gone: { status: 410, says: 'no longer available', decrypts: true },
  revoked: { status: 410, says: 'This link no longer works', decrypts: true },
};
const revocation = (report: string): string => `get PAGE_LINKS REVOKED#${report}`;

/** Attacks on a link: the path, the answer, and what is read of the ledger. */
const attacks: Array<[name: string, path: string, answer: keyof typeof answers, reads?: string[], now?: string]> = [
  ['forged under another secret', `/${await foreign.issue(claims)}`, 'invalid'],
  [
    'another audience’s, of the same secret',
    `/${await leaving.issue({ hash: '0123', report: 'weekly', expiresAt })}`,
    'invalid',
  ],
  ['changed by a character', `${link.slice(0, 81)}${link[81] === 'A' ? 'B' : 'A'}${link.slice(82)}`, 'invalid'],
  ['truncated', link.slice(0, -12), 'invalid'],
  ['that says it needs no key', '/eyJhbGciOiJub25lIn0.e30.', 'invalid'],
  [
    'with the digest of another report',
    await linkTo({ run: 'daily_2026-W46' }),
    'gone',
    [revocation('daily'), 'get RUNS#daily 2026-11-09#week', 'query DIGEST#daily_2026-W46'],
  ],
  ['of a report that is not configured', await linkTo({ run: 'other_2026-W46' }), 'gone', ['get REPORTS other']],
  [
    'of a digest that has expired',
    await linkTo({ run: 'weekly_2024-W01' }),
    'gone',
    [revocation('weekly'), 'get RUNS#weekly 2024-01-01#week', 'query DIGEST#weekly_2024-W01'],
  ],
  ['expired', link, 'gone', [], '2027-02-14T08:00:01Z'],
  ['revoked', await linkTo({ madeAt: new Date('2026-10-01T07:59:59.999Z') }), 'revoked', [revocation('weekly')]],
  ['with a file of another name', `${link}/daily_2026-W46.csv`, 'invalid'],
  ['with a file that is no CSV', `${link}/${run}.html`, 'unread'],
  ['oversized', `/${'a'.repeat(513)}`, 'unread'],
  ['of a megabyte', `/${'a.'.repeat(500_000)}`, 'unread'],
  ['a way up', '/../../etc/passwd', 'unread'],
  ['a way up below a good link', `${link}/../${run}.csv`, 'unread'],
  ['an encoded way up', '/%2e%2e%2fetc%2fpasswd', 'unread'],
  ['empty', '/', 'unread'],
  ['html', '/<script>alert(1)</script>', 'unread'],
  ['a line break', '/a\r\nset-cookie:%20a=b', 'unread'],
  ['what scanners look for', '/wp-login.php', 'invalid'],
];

/** A short page that says what to do, and names no report. */
function expectShortPage({ text, headers }: Awaited<ReturnType<Pages['ask']>>, says: string): void {
  const lines = visibleText(text).trim().split('\n');
  expect(lines).toEqual(['Harbour Leisure', expect.stringContaining(says), expect.stringMatching(/^.{30,}\.$/)]);
  expect(text.length).toBeLessThan(4_000);
  expect(text).not.toMatch(/weekly|daily|Weekly broadcast digest/);
  expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
}

const before = '2026-10-01T08:00:00Z';
await revokePageLinks(pages.ledger.table, { name: 'weekly' }, { before, expiresAt: 4_000_000_000 });

describe('a link that is', () => {
  test.each(attacks)('%s is refused on a short page', async (_, path, answer, reads = [], now?) => {
    const { says, ...work } = answers[answer];
    const asked = await pages.ask(path, now === undefined ? {} : { now });
    expect({ status: asked.status, decrypts: asked.decrypted, reads: asked.reads }).toEqual({ ...work, reads });
    expectShortPage(asked, says);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'get', 'PURGE'])(
    'good is refused for %s, before anything is decrypted',
    async (method) => {
      const asked = await pages.ask(link, { method });
      expect([asked.status, asked.decrypted, asked.reads]).toEqual([405, false, []]);
      expectShortPage(asked, 'This page can only be read');
    },
  );

  test('good is shown, after one read of the revocations, and whatever a mail program adds behind it', async () => {
    const asked = await pages.ask(link);
    expect([asked.status, asked.reads]).toEqual([
      200,
      [revocation('weekly'), 'get RUNS#weekly 2026-11-09#week', `query DIGEST#${run}`, 'query RUNS#weekly'],
    ]);
    expect(visibleText(asked.text)).toContain('Weekly broadcast digest');
  });
});
