import { beforeAll, describe, expect, test } from 'vitest';
import { revokePageLinks } from '../../../functions/ledger/page-links.ts';
import { createPageTokens, createUnsubscribeTokens, type PageClaims } from '../../../functions/signed-links/tokens.ts';
import { hostileTexts } from '../../support/digests/corpus.ts';
import { content, delivery, digest } from '../../support/digests/pieces.ts';
import { reportNamed } from '../../support/report-named.ts';
import { visibleText } from '../run/send/read-mail.ts';
import { expiresAt, madeAt, openPages, secret, tokens, type Pages } from './open-pages.ts';

const run = 'weekly_2026-W46';
let pages: Pages;
let id: string;

beforeAll(async () => {
  pages = await openPages();
  id = await pages.storeRun('weekly', '2026-11-09');
});

const issue = (over: Partial<PageClaims> = {}): Promise<string> =>
  tokens.issue({ run, digest: id, madeAt, expiresAt, ...over });

/** An attack on a link: its path, and the answer. `reads` are those of the ledger. */
interface Attack {
  name: string;
  path: () => Promise<string>;
  method?: string;
  now?: string;
  status: number;
  says: string;
  decrypts: boolean;
  reads: string[];
}

const invalid = { status: 404, says: 'This link does not work', reads: [] };
const unread = { ...invalid, decrypts: false };
const undecryptable = { ...invalid, decrypts: true };
const revocations = 'query PAGE_LINKS';

const attacks: Attack[] = [
  {
    name: 'forged under another secret',
    ...undecryptable,
    path: async () => {
      const foreign = createPageTokens('another-generated-secret-of-forty-characters');
      return `/${await foreign.issue({ run, digest: id, madeAt, expiresAt })}`;
    },
  },
  {
    name: 'another audience’s, of the same secret',
    ...undecryptable,
    path: async () => {
      const leaving = createUnsubscribeTokens(secret);
      return `/${await leaving.issue({ addressKey: '0123', report: 'weekly', expiresAt })}`;
    },
  },
  {
    name: 'changed by a character',
    ...undecryptable,
    path: async () => {
      const token = await issue();
      return `/${token.slice(0, 80)}${token[80] === 'A' ? 'B' : 'A'}${token.slice(81)}`;
    },
  },
  { name: 'truncated', ...undecryptable, path: async () => `/${(await issue()).slice(0, -12)}` },
  { name: 'that says it needs no key', ...undecryptable, path: async () => '/eyJhbGciOiJub25lIn0.e30.' },
  {
    name: 'with the digest of another report',
    path: async () => `/${await issue({ run: 'daily_2026-W46' })}`,
    status: 410,
    says: 'no longer available',
    decrypts: true,
    reads: [revocations, 'get RUNS#daily 2026-11-09#week', 'query DIGEST#daily_2026-W46'],
  },
  {
    name: 'of a report that is not configured',
    path: async () => `/${await issue({ run: 'other_2026-W46' })}`,
    status: 410,
    says: 'no longer available',
    decrypts: true,
    reads: ['get REPORTS other'],
  },
  {
    name: 'of a digest that has expired',
    path: async () => `/${await issue({ run: 'weekly_2024-W01' })}`,
    status: 410,
    says: 'no longer available',
    decrypts: true,
    reads: [revocations, 'get RUNS#weekly 2024-01-01#week', 'query DIGEST#weekly_2024-W01'],
  },
  {
    name: 'expired',
    path: async () => `/${await issue()}`,
    now: '2027-02-14T08:00:01Z',
    status: 410,
    says: 'no longer available',
    decrypts: true,
    reads: [],
  },
  {
    name: 'revoked',
    path: async () => `/${await issue({ madeAt: new Date('2026-10-01T07:59:59.999Z') })}`,
    status: 410,
    says: 'This link no longer works',
    decrypts: true,
    reads: [revocations],
  },
  {
    name: 'with a file of another name',
    ...invalid,
    decrypts: true,
    path: async () => `/${await issue()}/daily_2026-W46.csv`,
  },
  { name: 'with a file that is no CSV', ...unread, path: async () => `/${await issue()}/${run}.html` },
  { name: 'oversized', ...unread, path: async () => `/${'a'.repeat(513)}` },
  { name: 'of a megabyte', ...unread, path: async () => `/${'a.'.repeat(500_000)}` },
  { name: 'a way up', ...unread, path: async () => '/../../etc/passwd' },
  { name: 'a way up below a good link', ...unread, path: async () => `/${await issue()}/../${run}.csv` },
  { name: 'an encoded way up', ...unread, path: async () => '/%2e%2e%2fetc%2fpasswd' },
  { name: 'empty', ...unread, path: async () => '/' },
  { name: 'html', ...unread, path: async () => '/<script>alert(1)</script>' },
  { name: 'a line break', ...unread, path: async () => '/a\r\nset-cookie:%20a=b' },
  { name: 'what scanners look for', ...undecryptable, path: async () => '/wp-login.php' },
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'get', 'PURGE'].map((method) => ({
    name: `good, by ${method}`,
    method,
    path: async () => `/${await issue()}`,
    status: 405,
    says: 'This page can only be read',
    decrypts: false,
    reads: [],
  })),
];

describe('a link that is', () => {
  beforeAll(async () => {
    const before = '2026-10-01T08:00:00Z';
    await revokePageLinks(pages.ledger.table, reportNamed('weekly'), { before, expiresAt: 4_000_000_000 });
  });

  test.each(attacks)('$name: $status, and a short page that says what to do', async (attack) => {
    const { path, method = 'GET', now, status, says, decrypts, reads } = attack;
    const asked = await pages.ask(await path(), { method, ...(now === undefined ? {} : { now }) });
    expect({ status: asked.status, decrypts: asked.decrypted, reads: asked.reads }).toEqual({
      status,
      decrypts,
      reads,
    });
    const text = visibleText(asked.text).trim().split('\n');
    expect(text).toEqual(['Harbour Leisure', expect.stringContaining(says), expect.stringMatching(/^.{30,}\.$/)]);
    expect(asked.text.length).toBeLessThan(4_000);
    expect(asked.text).not.toMatch(/weekly|daily|Weekly broadcast digest/);
    expect(asked.headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
  });

  test('good is shown, after one read of the revocations, and whatever a mail program adds behind it', async () => {
    const asked = await pages.ask(`/${await issue()}`);
    expect([asked.status, asked.reads]).toEqual([
      200,
      [revocations, 'get RUNS#weekly 2026-11-09#week', `query DIGEST#${run}`, 'query RUNS#weekly'],
    ]);
    expect(visibleText(asked.text)).toContain('Weekly broadcast digest');
  });
});

test('html in every name is shown as text, on the page and in its short pages', async () => {
  const named = hostileTexts.map((name, index) =>
    delivery({
      id: String(index),
      broadcast: { id: `b${index}`, name, createdAt: null, createdBy: name },
      contents: [content({ id: name, type: name })],
    }),
  );
  const hostile = digest({ deliveries: named });
  const stored = await pages.storeRun('weekly', '2026-10-12', { digest: hostile });
  const { status, text, headers } = await pages.ask(await pages.linkTo('weekly_2026-W42', stored, { madeAt }));
  expect(status).toBe(200);
  expect(text).not.toMatch(/<script|<img[^>]+onerror|javascript:|<svg|<iframe/i);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
  expect(headers['content-security-policy']).not.toContain('script-src');
});
