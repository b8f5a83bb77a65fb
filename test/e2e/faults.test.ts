import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSampleAccount, type SampleAccount } from '../../infra/local/sample-account/server.ts';
import { runStart, type StartOptions } from '../support/commands.ts';
import { copyRepository, createFolders, namesIn, type Folders } from '../support/start-folders.ts';

// Each call of the command starts several processes; a busy machine takes its time over them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let folders: Folders;
let service: SampleAccount;
/** The variables that name its credentials. */
let environment: Record<string, string>;

beforeEach(async () => {
  folders = await createFolders();
  service = await startSampleAccount({ asOf: '2026-11-16T08:00:00Z' });
  environment = { SERVICE_CLIENT_ID: service.credentials.id, SERVICE_CLIENT_SECRET: service.credentials.secret };
  await mkdir(folders.out);
  await writeFile(join(folders.out, 'receipt.json'), 'of the last run');
});
afterEach(async () => {
  await service.close();
  await folders.remove();
});

/** Calls the command wrongly; gives what it says, once it is sure that nothing was asked and nothing written. */
async function complaintAbout(flags: readonly string[], options: StartOptions = {}): Promise<string> {
  const all = ['--service-url', service.url, ...folders.flags, ...flags];
  const { code, stdout, stderr } = await runStart(all, { environment, ...options });
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(service.requests).toEqual([]);
  expect(await namesIn(folders.out)).toEqual(['receipt.json']);
  expect(existsSync(folders.state)).toBe(false);
  return stderr;
}

test.each([
  ['--send-rat 3', "unknown option '--send-rat'"],
  ['--send-rate 0', 'Expected a number above 0, at most 10000.'],
  ['--at 2026-11-16T08:00:00', 'Expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.'],
  ['--to ada@example.com --to canary@', `argument '…' is invalid. "…" is not a valid email address.`],
  ['--report weekli', 'There is no report "weekli". Did you mean "weekly"?'],
  ['canary@example.com', "too many arguments for 'start'."],
])('%s: the fault is named, without an address, and nothing is done', async (flags, said) => {
  const complaint = await complaintAbout(flags.split(' '));
  expect(complaint).toContain(said);
  expect(complaint).not.toContain('canary@');
});

test('an instant whose period is not over is a fault of the call, for the sample account too', async () => {
  const soon = Temporal.Now.instant().add({ hours: 24 }).toString();
  const flags = ['--report', 'daily', '--at', soon];
  const said =
    /--at: the day that begins on \d{4}-\d\d-\d\d is not over\. The latest day that is over is the default\./;
  expect(await complaintAbout(flags)).toMatch(said);
  const { code, stdout, stderr } = await runStart([...flags, ...folders.flags]);
  expect({ code, stdout, stderr }).toEqual({ code: 64, stdout: '', stderr: expect.stringMatching(said) });
  expect(existsSync(folders.state)).toBe(false);
});

test('a folder that cannot be one is a fault of the call', async () => {
  const file = join(folders.out, 'receipt.json');
  expect(await runStart(['--service-url', service.url, '--state', join(file, 'state')], { environment })).toEqual({
    code: 64,
    stdout: '',
    stderr: expect.stringContaining(`--state: "${file}" is a file, not a folder.\n`),
  });
  expect(service.requests).toEqual([]);
});

test('a missing credential variable is named', async () => {
  expect(await complaintAbout([], { environment: { SERVICE_CLIENT_SECRET: '' } })).toBe(
    'error: SERVICE_CLIENT_ID is not set: --service-url needs the client id and secret of the service.\n',
  );
});

test('Promise 8: faults of a configuration are named in one message, and nothing is sent', async () => {
  const repository = await copyRepository((json) =>
    json
      .replace('"every": "week"', '"every": "fortnight"')
      .replace('"timeZone": "Europe/London"', '"timeZone": "Mars"'),
  );
  try {
    expect(await complaintAbout([], { repository })).toBe(
      'Invalid configuration:\n' +
        '- reports[0].schedule.every: Expected one of "day", "week", "month", "quarter", found "fortnight".\n' +
        '- reports[0].schedule.timeZone: Expected an IANA time zone such as "Europe/London", found "Mars".\n',
    );
  } finally {
    await rm(repository, { recursive: true });
  }
});
