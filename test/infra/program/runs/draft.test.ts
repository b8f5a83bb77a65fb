import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { findOpener, makeDraft } from '../../../../infra/program/runs/draft.ts';
import { workbookType } from '../../../../functions/render/workbook.ts';
import { configurationWith } from '../../../support/configuration.ts';
import { digestNamed } from '../../../support/digests/corpus.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

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
