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

test('each fault of the call is named, with what was expected or meant', async () => {
  const flags = ['--send-rat', '3', '--at', '2026-11-16T08:00:00', '--to', 'ada@example.com', '--to', 'ada@example'];
  const complaint = await complaintAbout([...flags, '--report', 'weekli', '--send-rate', '0']);
  const [first, ...faults] = complaint.trimEnd().split('\n');
  expect(first).toBe('Invalid arguments:');
  expect(faults.toSorted()).toEqual(
    [
      '- unknown flag --send-rat. Did you mean --send-rate?',
      '- --at: expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.',
      '- --to: "…" is not a valid email address.',
      '- --report: there is no report "weekli". Did you mean "weekly"?',
      '- --send-rate: expected a number above 0, at most 10000.',
    ].toSorted(),
  );
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
  const flags = ['--service-url', service.url, '--state', join(file, 'state'), '--out', file];
  expect(await runStart(flags, { environment })).toEqual({
    code: 64,
    stdout: '',
    stderr:
      'Invalid arguments:\n' +
      `- --state: "${file}" is a file, not a folder.\n` +
      `- --out: "${file}" is a file, not a folder.\n`,
  });
  expect(service.requests).toEqual([]);
});

test('missing credential variables are named', async () => {
  expect(await complaintAbout([], { environment: { SERVICE_CLIENT_SECRET: '' } })).toBe(
    'Invalid arguments:\n' +
      '- SERVICE_CLIENT_ID is not set: --service-url needs the client id and secret of the service.\n' +
      '- SERVICE_CLIENT_SECRET is not set: --service-url needs the client id and secret of the service.\n',
  );
});

test('Promise 8: faults of flags, credentials and configuration are named in one message, and nothing is sent', async () => {
  const repository = await copyRepository((json) =>
    json
      .replace('"every": "week"', '"every": "fortnight"')
      .replace('"timeZone": "Europe/London"', '"timeZone": "Mars"'),
  );
  try {
    const flags = ['--nosuch', '--at', 'monday', '--to', 'nobody', '--send-rate', '-1', '--json=yes'];
    const complaint = await complaintAbout(flags, { repository, environment: {} });
    for (const named of [
      '--nosuch',
      '--at:',
      '--to:',
      '--send-rate',
      '--json',
      'SERVICE_CLIENT_ID',
      'SERVICE_CLIENT_SECRET',
      'reports[0].schedule.every',
      'reports[0].schedule.timeZone',
    ]) {
      expect(complaint).toContain(named);
    }
    expect(complaint).toMatch(
      /^Invalid arguments:\n(?:- (?!reports).+\n)+Invalid configuration:\n- reports\[0\]\.schedule\.every: .+\n- reports\[0\]\.schedule\.timeZone: .+\n$/,
    );
  } finally {
    await rm(repository, { recursive: true });
  }
});

test('an address is in no complaint', async () => {
  const complaint = await complaintAbout(['canary@example.com', '--to', 'canary@', '--report', 'canary@example.com']);
  expect(complaint).not.toContain('canary@');
});
