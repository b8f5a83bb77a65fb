import { afterAll, expect, test } from 'vitest';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { createUnsubscribeTokens } from '../../../functions/links/unsubscribe-links.ts';
import { startLocalPages } from '../../../infra/local/local-pages.ts';
import { localTableName, openLedger } from '../../../infra/local/emulators/dynamodb.ts';
import { storeRun } from '../../functions/page/open-pages.ts';
import { configurationWith } from '../../support/template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = 'weekly_2026-W46';
const stateDir = temporaryFolder();
const ledger = await openLedger(stateDir);
const table = createTable(ledger.client, localTableName);
const digest = await storeRun(table, 'weekly', '2026-11-09');
const id = await insertPageLink(table, { report: 'weekly', run, digest }, { days: 90, now: new Date() });
await ledger.close();
const pages = await startLocalPages(stateDir, configurationWith());
const link = `${pages.url}/${id}`;
afterAll(() => pages.close());

test('a page is read from the state folder, however many at once, and leaves it to others', async () => {
  const responses = await Promise.all([link, link, `${link}/${run}-items.csv`].map((each) => fetch(each)));
  expect(responses.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
    [200, 'text/csv; charset=utf-8'],
  ]);
  expect(await responses[0]?.text()).toContain('Weekly broadcast digest');
  const other = await openLedger(stateDir);
  expect((await fetch(link)).status).toBe(503);
  await other.close();
  expect((await fetch(link)).status).toBe(200);
});

test('the links to pages in a mail of an earlier system lead here, and no other link does', async () => {
  const [, , , token = ''] = link.split('/');
  const expiresAt = new Date(Date.now() + 1_000_000);
  const leaving = createUnsubscribeTokens('a-generated-secret-of-some-forty-characters');
  const leave = await leaving.issue({ hash: '0', report: 'weekly', expiresAt });
  const html = `<a href="http://127.0.0.1:1234/${token}">a</a><a href="http://127.0.0.1:1234/${leave}">b</a><a href="https://example.com/${token}">c</a>`;
  expect(pages.leadHere(html)).toBe(
    `<a href="${link}">a</a><a href="http://127.0.0.1:1234/${leave}">b</a><a href="https://example.com/${token}">c</a>`,
  );
});
