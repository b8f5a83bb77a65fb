import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockState } from '../../infra/local/state-folder.ts';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { runOps } from '../support/commands.ts';
import { copyRepository, createFolders, readMails, type Folders } from '../support/start-folders.ts';

const at = '2026-11-16T08:00:00Z';

let folders: Folders;
let account: SampleAccount | undefined;

beforeEach(async () => {
  folders = await createFolders();
});
afterEach(async () => {
  await account?.close();
  account = undefined;
  await folders.remove();
});

/** A running service, with the flags that name it and the variables that hold its credentials. */
async function startAccount(asOf: string): Promise<{ flags: string[]; environment: Record<string, string> }> {
  await account?.close();
  account = await startSampleAccount({ asOf });
  const { id: SERVICE_CLIENT_ID, secret: SERVICE_CLIENT_SECRET } = account.credentials;
  return {
    flags: ['--local', '--service-url', account.url, ...folders.flags],
    environment: { SERVICE_CLIENT_ID, SERVICE_CLIENT_SECRET },
  };
}

test('a run held over a change of subscribers, template and figures sends what was kept, and says what changed', async () => {
  const before = await startAccount(at);
  const held = await runOps(['run', 'weekly', '--at', at, '--hold', '--json', ...before.flags], before);
  expect(held.code).toBe(0);
  const kept: Record<string, unknown> = JSON.parse(held.stdout);
  expect(kept).toMatchObject({ state: 'held', balance: { held: 3 } });

  const repository = await copyRepository((cdkJson) =>
    cdkJson
      .replace(
        '"ada@example.com", "grace@example.com", "alan@example.com"',
        '"grace@example.com", "alan@example.com", "new@example.com"',
      )
      .replaceAll('Harbour Leisure', 'Harbour Pools'),
  );
  const locale = join(repository, 'templates/locales/en.json');
  await writeFile(
    locale,
    (await readFile(locale, 'utf8')).replace('"{figures} – {title}, {period}"', '"{figures} · {title}, {period}"'),
  );
  // Two days on, people have seen and answered more.
  const after = await startAccount('2026-11-18T08:00:00Z');
  const released = await runOps(['release', 'weekly_2026-W46', '--json', ...after.flags], { ...after, repository });
  expect({ code: released.code, asked: account?.requests.length }).toEqual({ code: 0, asked: 0 });
  expect(JSON.parse(released.stdout)).toMatchObject({
    state: 'done',
    figures: kept['figures'],
    balance: { intended: 3, sent: 3, balanced: true },
    released: { changed: { subscribersAdded: 1, subscribersRemoved: 1, mail: true } },
  });
  const mails = await readMails(folders.out);
  expect(mails.map(({ to }) => to)).toEqual(['ada@example.com', 'alan@example.com', 'grace@example.com']);
  expect(mails[0]?.email.subject).toContain(' · ');
  const shown = await runOps(['show', 'weekly_2026-W46', ...after.flags], { ...after, repository });
  expect(shown.stdout).toContain(
    'Since the digest was stored: 1 subscriber joined, for the next run; 1 subscriber left, who still got this one; ' +
      'the templates, wording or settings of the mail changed. The service was not asked again.',
  );
  await rm(repository, { recursive: true });
}, 120_000);

test('everything that is printed is free of secrets, tokens and addresses, except where addresses are asked for', async () => {
  const { flags, environment } = await startAccount(at);
  // To read a ledger takes no secret.
  const clientId = { SERVICE_CLIENT_ID: environment['SERVICE_CLIENT_ID'] ?? '' };
  const printed = [
    await runOps(['doctor', ...flags], { environment }),
    await runOps(['run', 'weekly', '--at', at, ...flags], { environment }),
    await runOps(['runs', '--json', ...flags], { environment }),
    await runOps(['show', 'weekly_2026-W46', '--json', ...flags], { environment: clientId }),
  ];
  expect(printed.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(printed[0]?.stdout).toMatch(/\n0 faults, 0 things to look at\.\n$/);
  const all = JSON.stringify(printed);
  expect(all).not.toContain(environment['SERVICE_CLIENT_SECRET']);
  expect(all).not.toMatch(/eyJ[\w-]{10}|@example\.com/);
  const messages = await runOps(['show', 'weekly_2026-W46', '--messages', ...flags], { environment });
  expect(messages.stdout).toContain('ada@example.com  sent');
}, 120_000);

test('wrong use exits 64 and says what is right', async () => {
  const { code, stderr, stdout } = await runOps(['dokter']);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toContain('Did you mean doctor?');
});

test.each([['runs'], ['run', 'weekly']])(
  '%s: a state folder that a run uses is refused',
  async (...args) => {
    const lock = await lockState(folders.sampleState);
    const refused = await runOps([...args, '--local', ...folders.flags]);
    await lock.release();
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `The state folder "${folders.sampleState}" is in use by another run.\n`,
    });
  },
  60_000,
);
