import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, expect, test } from 'vitest';
import { findOpener, makeDraft } from '../../infra/program/runs/draft.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { workbookType } from '../../functions/render/workbook.ts';
import { environmentOf, runStart } from '../support/commands.ts';
import { configurationWith } from '../support/configuration.ts';
import { digestNamed } from '../support/digests/corpus.ts';
import { createFolders, namesIn } from '../support/start-folders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const account = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
afterAll(() => account.close());

test('a draft is opened where there is a desktop and a terminal, else named, and leaves no trace in the ledger', async () => {
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
    DISPLAY: ':9',
  };
  const service = ['--service-url', account.url, '--at', '2026-11-16T08:00:00Z', ...flags, '--draft'];
  const json = await runStart([...service, '--json'], { environment });
  expect(json.stderr).toContain(`The draft is ${file}\nOpen it with`);
  const { code, stdout } = await runStart(service, { environment });
  expect([code, stdout]).toEqual([0, expect.stringContaining('Your mail program opens it now')]);
  expect(stdout).not.toMatch(/intended|127\.0\.0\.1/);
  await expect.poll(() => readFile(opened, 'utf8')).toBe(`${file}\n`);
  expect([await namesIn(state), await namesIn(out)]).toEqual([[], ['digest.json', 'draft', 'receipt.json']]);
  const files = ['weekly_2026-W46.eml', 'weekly_2026-W46.xlsx'];
  expect(await namesIn(join(out, 'draft'))).toEqual(['latest.html', ...files]);
});

test('a draft has no sender and no recipient, neither brand nor footer, no link but to broadcasts, and its workbook whatever the settings say', async () => {
  const out = temporaryFolder();
  const links = 'https://service.example.net/broadcasts/';
  const settings = { broadcastLink: `${links}{broadcastId}`, workbook: 'none', logo: 'pictures/logo.png' };
  const { mail, reports } = configurationWith({ mail: settings });
  const digest = digestNamed('a full week');
  await makeDraft(out, digest, { report: reports[0]!, mail, isShown: false });
  const draft = await PostalMime.parse(await readFile(join(out, 'draft', `${digest.run}.eml`)));
  const headers = draft.headers.map(({ key, value }) => (key === 'x-unsent' ? `${key}: ${value}` : key));
  expect(headers.toSorted().join(', ')).toBe('content-type, date, mime-version, subject, x-unsent: 1');
  expect(draft.attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png', workbookType]);
  const page = await readFile(join(out, 'draft', 'latest.html'), 'utf8');
  expect(page).toContain('src="data:image/png;base64,iVBOR');
  for (const part of [draft.html ?? '', draft.text ?? '', page]) {
    expect(part).not.toMatch(new RegExp(`${mail.brand.name}|You manage|example.com|class="foot`));
    expect(new Set(part.match(/https?:(?!\/\/www\.w3\.org)[^\s"]+\//g))).toEqual(new Set([links]));
  }
});

test('a draft is opened by the desktop that there is', () => {
  const onLinux = [{ WAYLAND_DISPLAY: 'wayland-0' }, { WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0' }, { DISPLAY: '' }];
  expect(onLinux.map((env) => findOpener('linux', env)?.[0])).toEqual(['xdg-open', 'sh', undefined]);
  expect(findOpener('darwin', {})).toEqual(['open']);
});
