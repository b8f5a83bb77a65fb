import { readdir } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { startOutboxView } from '../../infra/local/viewer/outbox-view.ts';
import { configurationWith } from '../support/configuration.ts';
import { startSystemOf } from '../support/system.ts';
import { english } from '../support/words.ts';

const at = '2026-11-16T08:00:00Z';
const account = await startSampleAccount({ asOf: at });
const [weekly] = configurationWith().reports;
const channels = [
  { name: 'managers', kind: 'teams', link: true },
  { name: 'desk', kind: 'slack' },
];
const system = await startSystemOf(account, { settings: { reports: [{ ...weekly, channels }] } });
afterAll(async () => {
  await system.close();
  await account.close();
});

test('each channel gets one card of a run, which the view of mails shows, in the outbox and in the receipt', async () => {
  for (let times = 0; times < 2; times += 1) await system.carryOut({ report: 'weekly', scheduledTime: at });
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
  const views = new RegExp(`<p><b>[\\d,]+${english.count('count.views', 2).slice(1)}`);
  for (const name of cards) expect(await (await fetch(`${view.url}/card/${name}`)).text()).toMatch(views);
  await view.close();
});
