import { afterAll, expect, test, vi } from 'vitest';
import { insertPageLink } from '../../../functions/ledger/page-links.ts';
import { readOptOuts } from '../../../functions/ledger/persons/opt-outs.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { createUnsubscribeLinks } from '../../../functions/links/unsubscribe-links.ts';
import { startLocalFront } from '../../../infra/local/local-front.ts';
import { localTableName, openLedger } from '../../../infra/local/emulators/dynamodb.ts';
import { localPublicUrl, localUnsubscribeSecret } from '../../../infra/local/state-folder.ts';
import { storeRun } from '../../functions/page/open-pages.ts';
import { configurationWith } from '../../support/template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = 'weekly_2026-W46';
const stateDir = temporaryFolder();
const publicUrl = localPublicUrl(stateDir);
const ledger = await openLedger(stateDir);
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
  const responses = await Promise.all([page, page, `${page}/${run}-items.csv`].map((each) => fetch(each)));
  expect(responses.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'text/html; charset=utf-8'],
    [200, 'text/html; charset=utf-8'],
    [200, 'text/csv; charset=utf-8'],
  ]);
  expect(await responses[0]?.text()).toContain('Weekly broadcast digest');
  const other = await openLedger(stateDir);
  expect([(await fetch(page)).status, (await fetch(leave, oneClick)).status]).toEqual([503, 503]);
  await other.close();
  expect((await fetch(page)).status).toBe(200);
});

test('who unsubscribes has left the report in the ledger of the state folder', async () => {
  expect(await (await fetch(leave)).text()).toContain('Do you want to leave “Weekly broadcast digest”?');
  expect(await (await fetch(leave, oneClick)).text()).toContain('You have left');
  await using open = new AsyncDisposableStack();
  const { client } = open.adopt(await openLedger(stateDir), (each) => each.close());
  const { left } = await readOptOuts(createTable(client, localTableName), 'hash-of-ada');
  expect(left).toMatchObject([{ report: 'weekly' }]);
});

test('the port is the same each time; where it is taken another one is, which is said', async () => {
  expect(front.url).toBe(publicUrl);
  expect(localPublicUrl(temporaryFolder())).not.toBe(publicUrl);
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const other = await startLocalFront(stateDir, configurationWith({ mail: { page: false } }));
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(`^Port ${new URL(publicUrl).port} is taken.* ${other.url}`)],
  ]);
  said.mockRestore();
  const statuses = [leave, page].map(async (link) => (await fetch(link.replace(publicUrl, other.url))).status);
  // Mails lead to no page there.
  expect(await Promise.all(statuses)).toEqual([200, 404]);
  await other.close();
});
