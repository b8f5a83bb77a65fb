import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { startOutboxView } from '../../infra/local/viewer/outbox-view.ts';
import { startSystemOf } from '../support/system.ts';

const at = '2026-11-16T08:00:00Z';
const account = await startSampleAccount({ asOf: at });
const [weekly] = loadConfiguration().reports;
const channels = [
  { name: 'managers', kind: 'teams', link: true },
  { name: 'desk', kind: 'slack' },
];
const system = await startSystemOf(account, { settings: { reports: [{ ...weekly, channels }] } });
afterAll(async () => {
  await system.close();
  await account.close();
});

test('each channel gets one card of a run, with the digest’s figures, in the outbox and in the receipt', async () => {
  const event = { report: 'weekly', scheduledTime: at };
  await system.carryOut(event);
  await system.carryOut(event);
  const cards = (await readdir(system.out)).filter((name) => name.endsWith('.card.json'));
  expect(new Set(cards.map((name) => name.split('.')[1]))).toEqual(new Set(['desk', 'managers']));
  expect(cards.length).toBe(2);
  const { messages, balance } = await system.receiptOf('weekly', '2026-W46');
  const posted = { outcome: 'sent', messageId: null };
  expect(messages.filter(({ to }) => !to.includes('@'))).toEqual([
    { to: 'slack:desk', ...posted },
    { to: 'teams:managers', ...posted },
  ]);
  expect(balance).toMatchObject({ intended: 5, sent: 5, balanced: true });

  const view = await startOutboxView({ outDir: system.out });
  const pages = cards.map(async (name) => await (await fetch(`${view.url}/card/${name}`)).text());
  const shown = await Promise.all(pages);
  const mail = (await readdir(system.out)).find((name) => name.endsWith('.txt')) ?? '';
  const [, views = ''] = /Views +([\d,]+)/.exec(await readFile(join(system.out, mail), 'utf8')) ?? [];
  for (const page of shown) expect(page).toMatch(new RegExp(`Views.{0,80}${views}`, 's'));
  expect(await (await fetch(view.url)).text()).toContain('/card/');
  await view.close();
});
