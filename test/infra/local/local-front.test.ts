import { afterAll, expect, test, vi } from 'vitest';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { createUnsubscribeLinks } from '../../../functions/links/unsubscribe-links.ts';
import { startLocalFront } from '../../../infra/local/local-front.ts';
import { localTableName, startDynamoDb } from '../../../infra/local/emulators/dynamodb.ts';
import { localPublicUrl, localUnsubscribeSecret } from '../../../infra/local/state-folder.ts';
import { workbookType } from '../../../functions/render/workbook.ts';
import { storeRun } from '../../functions/page/open-pages.ts';
import { configurationWith } from '../../support/configuration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = 'weekly_2026-W46';
const stateDir = temporaryFolder();
const publicUrl = localPublicUrl(stateDir);
const ledger = await startDynamoDb(stateDir);
const table = createTable(ledger.client, localTableName);
const digest = await storeRun(table, 'weekly', '2026-11-09');
const id = await insertPageLink(table, { report: 'weekly', run, digest }, { days: 90, now: new Date() });
await ledger.close();
const secret = await localUnsubscribeSecret(stateDir);
const leave = await createUnsubscribeLinks({ secret, publicUrl, now: new Date() })('weekly', 'hash-of-ada');
const page = `${publicUrl}/page/${id}`;
const front = await startLocalFront(stateDir, configurationWith());
afterAll(() => front.close());

const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };

test('a page is read from the state folder, however many at once, and leaves it to others', async () => {
  const responses = await Promise.all([page, page, `${page}/${run}.xlsx`].map((url) => fetch(url)));
  expect(responses.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
    [200, workbookType],
  ]);
  expect(await responses[0]?.text()).toContain(configurationWith().reports[0]?.title);
  const other = await startDynamoDb(stateDir);
  expect([(await fetch(page)).status, (await fetch(leave, oneClick)).status]).toEqual([503, 503]);
  await other.close();
  expect((await fetch(page)).status).toBe(200);
});

test('the address is the same each time, and another view leaves it to the first, which it says', async () => {
  expect(front.url).toBe(publicUrl);
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const other = await startLocalFront(stateDir, configurationWith());
  await other.close();
  expect([other.url, (await fetch(page)).status]).toEqual([publicUrl, 200]);
  expect(printed.mock.calls).toEqual([[expect.stringContaining(publicUrl)]]);
  printed.mockRestore();
});
