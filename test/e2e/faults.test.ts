import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { environmentOf, runStart, type StartOptions } from '../support/commands.ts';
import { copyRepository, createFolders, namesIn, type Folders } from '../support/start-folders.ts';

let folders: Folders;
let service: SampleAccount;

beforeEach(async () => {
  folders = createFolders();
  service = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
  await mkdir(folders.out);
  await writeFile(join(folders.out, 'receipt.json'), 'of the last run');
});
afterEach(() => service.close());

/** Calls the command wrongly; gives what it says, once it is sure that nothing was asked and nothing written. */
async function complaintAbout(flags: readonly string[], options: StartOptions = {}): Promise<string> {
  const all = ['--service-url', service.url, ...folders.flags, ...flags];
  const { code, stdout, stderr } = await runStart(all, { environment: environmentOf(service), ...options });
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(service.requests).toEqual([]);
  expect(await namesIn(folders.out)).toEqual(['receipt.json']);
  expect(existsSync(folders.state)).toBe(false);
  return stderr;
}

test('a fault of the call is named, without an address, and nothing is done', async () => {
  const complaint = await complaintAbout(['--to', 'ada@example.com', '--to', 'canary@']);
  expect(complaint).toContain(`argument '…' is invalid. "…" is not a valid email address.`);
  expect(complaint).not.toContain('canary@');
});

test('Promise 8: faults of a configuration are named in one message, and nothing is sent', async () => {
  const repository = await copyRepository((json) =>
    json
      .replace('"every": "week"', '"every": "fortnight"')
      .replace('"timeZone": "Europe/London"', '"timeZone": "Mars"'),
  );
  expect(await complaintAbout([], { repository })).toBe(
    'Invalid configuration:\n' +
      '- reports[0].schedule.every: Expected one of "day", "week", "month", "quarter", found "fortnight".\n' +
      '- reports[0].schedule.timeZone: Expected an IANA time zone such as "Europe/London", found "Mars".\n',
  );
});
