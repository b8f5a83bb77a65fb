import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, expect, test } from 'vitest';
import { findOpener, makeDraft } from '../../infra/program/runs/draft.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, runStart } from '../support/commands.ts';
import { configurationWith } from '../support/configuration.ts';
import { digestNamed } from '../support/digests/corpus.ts';
import { createFolders, namesIn, readDigestFile, readReceiptFile } from '../support/start-folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
afterAll(() => account.close());

test('a draft is opened where there is a desktop and a terminal, else named; the first run then mails and compares as if there had been none', async () => {
  const { flags, out, state } = createFolders();
  const file = join(out, 'draft', 'weekly_2026-W46.eml');
  // A program that takes the place of the desktop's notes what it is to open.
  const programs = temporaryFolder();
  const opened = join(programs, 'opened');
  await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\necho "$@" >>"${opened}"\n`, { mode: 0o700 });
  const environment = {
    ...environmentOf(account),
    // This is how the command knows a terminal.
    NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true',
    PATH: `${programs}:${process.env['PATH']}`,
  };
  const call = (more: string[], desktop = {}) => {
    const service = ['--service-url', account.url, '--at', '2026-11-16T08:00:00Z'];
    return runStart([...service, ...flags, ...more], { environment: { ...environment, ...desktop } });
  };
  const { code, stdout } = await call(['--draft']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`The draft is ${file}\nOpen it with`)]);
  expect(stdout).not.toMatch(/intended|127\.0\.0\.1/);
  expect([await namesIn(state), await namesIn(out)]).toEqual([[], ['digest.json', 'draft', 'receipt.json']]);
  const files = ['weekly_2026-W46-deliveries.csv', 'weekly_2026-W46-items.csv', 'weekly_2026-W46.eml'];
  expect(await namesIn(join(out, 'draft'))).toEqual(['latest.html', ...files]);

  const json = await call(['--draft', '--json'], { DISPLAY: ':9' });
  expect(json.stderr).toContain('Open it with');
  expect(JSON.parse(json.stdout)).toEqual(await readReceiptFile({ out }));
  const shown = await call(['--draft'], { DISPLAY: ':9' });
  expect(shown.stdout).toContain('Your mail program opens it now');
  await expect.poll(() => readFile(opened, 'utf8')).toBe(`${file}\n`);

  expect((await call(['--no-view'])).stdout).not.toContain('stored earlier');
  expect((await readReceiptFile({ out })).balance).toMatchObject({ intended: 3, sent: 3, sentNow: 3 });
  expect((await readDigestFile({ out })).totals.comparison.basis).toBe('none');
});

test('a draft has no sender and no recipient, neither brand nor footer, no link but to broadcasts, and its files whatever the settings say', async () => {
  const out = temporaryFolder();
  const links = 'https://service.example.net/broadcasts/';
  const settings = { broadcastLink: `${links}{broadcastId}`, csvAttachment: false, logo: 'pictures/logo.png' };
  const { mail, reports } = configurationWith({ mail: settings });
  const digest = digestNamed('a full week');
  await makeDraft(out, digest, { report: reports[0]!, mail, isShown: false });
  const draft = await PostalMime.parse(await readFile(join(out, 'draft', `${digest.run}.eml`)));
  const headers = draft.headers.map(({ key, value }) => (key === 'x-unsent' ? `${key}: ${value}` : key));
  expect(headers.toSorted().join(', ')).toBe('content-type, date, mime-version, subject, x-unsent: 1');
  expect(draft.attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'text/csv', 'text/csv']);
  const page = await readFile(join(out, 'draft', 'latest.html'), 'utf8');
  expect(page).toContain('src="data:image/png;base64,iVBOR');
  for (const part of [draft.html ?? '', draft.text ?? '', page]) {
    expect(part).not.toMatch(new RegExp(`${mail.brand.name}|${mail.footer.why}|example.com`));
    const addresses = part.match(/https?:(?!\/\/www\.w3\.org)[^\s"]+/g) ?? [];
    expect(addresses.every((address) => address.startsWith(links))).toBe(true);
    expect(addresses.length).toBeGreaterThan(0);
  }
});

test('a draft is opened by the desktop that there is', () => {
  const onLinux = [{ WAYLAND_DISPLAY: 'wayland-0' }, { WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0' }, { DISPLAY: '' }];
  expect(onLinux.map((env) => findOpener('linux', env)?.[0])).toEqual(['xdg-open', 'sh', undefined]);
  expect(findOpener('darwin', {})).toEqual(['open']);
});
