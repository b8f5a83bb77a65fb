import { beforeAll, describe, expect, test } from 'vitest';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { revokePages } from '../../../infra/ops/commands/pages.ts';
import { showCommand } from '../../../infra/ops/commands/show.ts';
import type { LedgerTarget } from '../../../infra/ops/targets/target.ts';
import { openPages, secret, type Pages } from '../../functions/page/open-pages.ts';
import { reportNamed } from '../../support/report-named.ts';
import { configurationWith } from '../../support/template.ts';

const url = 'https://pages.example.com';
const noView = { messages: false, view: false };
let pages: Pages;
let target: LedgerTarget;

beforeAll(async () => {
  pages = await openPages();
  target = {
    configuration: configurationWith(),
    table: pages.ledger.table,
    scan: async function* () {},
    operator: 'grace',
    flags: [],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve({ url, secret }),
    servePages: null,
    close: () => Promise.resolve(),
  };
});

/** The path of the link that `show` prints. */
async function shownLink(run: string): Promise<string> {
  const { answer } = await showCommand(target, run, noView);
  const line = answer.lines.find((each) => each.includes(url)) ?? '';
  expect(answer.json).toMatchObject({ page: line.slice(line.indexOf(url)) });
  return line.slice(line.indexOf(url) + url.length);
}

const statusOf = async (path: string): Promise<number> =>
  (await pages.ask(path, { now: new Date(Date.now() + 1_000).toISOString() })).status;

test('show prints the link to the page of a run, also of one that is held, and no link where it has no digest', async () => {
  await pages.storeRun('weekly', '2026-11-09', { withheld: 'held' });
  expect(await statusOf(await shownLink('weekly_2026-W46'))).toBe(200);
  await pages.ledger.table.update({ pk: 'RUNS#weekly', sk: '2026-11-09#week' }, { remove: ['digest'] });
  expect((await showCommand(target, 'weekly_2026-W46', noView)).answer.json).toMatchObject({ page: null });
});

test('show says so where AWS does not allow the operator to make the link', async () => {
  await pages.storeRun('weekly', '2026-10-05');
  const denied = Object.assign(new Error('not for grace'), { name: 'AccessDeniedException' });
  const { answer } = await showCommand(
    { ...target, readPagePlace: () => Promise.reject(denied) },
    'weekly_2026-W41',
    noView,
  );
  expect([answer.code, answer.json, answer.lines]).toEqual([
    0,
    expect.objectContaining({ page: null }),
    expect.arrayContaining(['The link to its page was not made: AWS does not allow you to (AccessDeniedException).']),
  ]);
});

describe('pages revoke', () => {
  test('voids the links of one report that were made before, and records who did it', async () => {
    await pages.storeRun('weekly', '2026-10-12');
    await pages.storeRun('daily', '2026-10-12');
    const [weekly, daily] = [await shownLink('weekly_2026-W42'), await shownLink('daily_2026-W42')];
    expect([await statusOf(weekly), await statusOf(daily)]).toEqual([200, 200]);
    // A link that is made in the same millisecond is not one that was made before.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { json, code } = await revokePages(target, 'weekly', { yes: true });
    expect({ json, code }).toEqual({ json: { report: 'weekly', revokedBefore: expect.any(String) }, code: 0 });
    expect([await statusOf(weekly), await statusOf(daily)]).toEqual([410, 200]);
    expect(await statusOf(await shownLink('weekly_2026-W42'))).toBe(200);
    expect(await readActions(pages.ledger.table, reportNamed('weekly'))).toMatchObject([
      { what: 'revoke-pages', by: 'grace' },
    ]);
  });

  test('asks first, and where nobody can be asked does nothing', async () => {
    await pages.storeRun('daily', '2026-10-19');
    const link = await shownLink('daily_2026-W43');
    await expect(revokePages(target, 'daily', { yes: false })).rejects.toThrow('Re-run with --yes to confirm.');
    expect(await statusOf(link)).toBe(200);
  });

  test('keeps the revocation for longer than any link that it voids is good', async () => {
    await revokePages(target, 'monthly', { yes: true });
    const item = (await pages.ledger.items('PAGE_LINKS')).find(({ report }) => report === 'monthly');
    expect(Number(item?.['expiresAt']) * 1000).toBeGreaterThan(Date.now() + 365 * 86_400_000);
  });
});
