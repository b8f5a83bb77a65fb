import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockState } from '../../../infra/local/state-folder.ts';
import { done, failed } from '../../../infra/program/command-line/result.ts';
import { onReports } from '../../../infra/program/command-line/command.ts';
import { buildProgram, runProgram } from '../../../infra/program/program.ts';
import { cdkJsonPath, configurationWith } from '../../support/configuration.ts';
import { json, startHttpStub } from '../../support/http-stub.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { english } from '../../support/words.ts';

vi.mock(import('../../../infra/config.ts'), async (original) => {
  const config = await original();
  return { ...config, loadConfiguration: (environment) => config.loadConfiguration(environment, cdkJson) };
});

/** The `cdk.json` that commands read. */
let cdkJson = cdkJsonPath;
let state: string;
let printed: { stdout: string; stderr: string };

beforeEach(() => {
  state = temporaryFolder();
  cdkJson = cdkJsonPath;
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
});
afterEach(() => void vi.restoreAllMocks().unstubAllEnvs());

async function call(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  printed = { stdout: '', stderr: '' };
  const place = args.includes('--local') && !args.includes('--state') ? ['--state', state] : [];
  const code = await runProgram([...args, ...place]);
  return { code, ...printed };
}

/** Sets variables for the test. */
function stub(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** Has commands read a `cdk.json` in which texts of the tests' own are replaced. */
async function edit(replaced: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(cdkJsonPath, 'utf8');
  for (const [before, after] of Object.entries(replaced)) text = text.replace(before, after);
  cdkJson = join(state, 'cdk.json');
  await writeFile(cdkJson, text);
}

const program = await buildProgram(() => undefined);
const commands = program.commands.map((command) => command.name());

test.each(['', ...commands])(
  'the help of "%s" is at most 80 columns wide and ends with an example or the exit codes',
  async (command) => {
    const { code, stdout } = await call(...(command === '' ? [] : [command]), '--help');
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const examples = command === '' || command === 'start' ? '64 invalid' : `example:\n  npm run ops -- ${command}`;
    expect(stdout).toContain(examples);
  },
);

const file = process.execPath;
test.each([
  { call: 'run weekly --hlod', says: /Did you mean --hold\?\)\nFor help: npm run ops -- run --help/ },
  { call: 'run dialy --local', says: 'There is no report "dialy". Did you mean "daily"?' },
  { call: 'run weekly --at monday', says: 'Expected an instant' },
  { call: 'run weekly --to a@example.com --to b@example.com --local', says: '--to takes one address' },
  { call: 'run weekly --to a@example.com --hold', says: 'cannot be used with' },
  { call: 'test weekly', says: "required option '--to <ADDRESS...>' not specified" },
  { call: 'subscribers weekly import', says: 'import needs a CSV file' },
  { call: 'subscribers weekly import /no/such.csv --local', says: 'The file "/no/such.csv" cannot be read.' },
  { call: 'addresses forget', says: 'forget needs an address' },
  { call: 'addresses forget --run weekly_2026-W46 --local', says: 'forget needs an address' },
  { call: 'addresses lift', says: 'lift needs addresses, --run or --file' },
  { call: 'addresses lift ada@example.org --run weekly_2026-W46', says: 'lift needs addresses, --run' },
  { call: 'addresses lift --run weekly_2026-W46 --local', says: 'There is no run "weekly_2026-W46"' },
  { call: 'addresses rejoin ada@example.org --local', says: 'There is no report "…"' },
  { call: 'addresses forget ada@example.org --local', says: 'This cannot be undone. Re-run with --yes to confirm.' },
  { call: 'resume --local', says: 'Name one report, or pass --all for every one.' },
  { call: 'resume weekly --channel managers', says: 'Name a report, or with --channel a channel.' },
  { call: 'secret --local', says: 'There is no secret locally' },
  { call: 'pages revoke weekly --local', says: 'Re-run with --yes to confirm.' },
  { call: 'doctor --service-url https://example.com', says: 'SERVICE_CLIENT_ID is not set' },
  { call: 'runs --local --service-url http://localhost:1', says: 'SERVICE_CLIENT_ID is not set' },
  { call: `runs --local --state ${file}/state`, says: `--state: "${file}" is not a folder` },
  { call: `run weekly --local --out ${file}`, says: `--out: "${file}" is not a folder that you can write to.` },
  { call: 'run weekly --local --out /proc/x', says: '--out: "/proc" is not a folder that you can write to.' },
  { call: '--local --env prod rnus', says: 'Did you mean runs?' },
  { call: 'paus weekly --local runs', says: 'Did you mean pause?' },
  { call: 'start --draft --to ada@example.com', says: 'cannot be used with' },
  { call: 'start --send-rate 0', says: 'Expected a number above 0' },
  { call: 'runs --local --state ', says: '--state needs a value.' },
  { call: 'start --aws-endpoint localhost:4566', says: 'Expected the address of an AWS emulator' },
  { call: 'start --aws-endpoint HTTPS://DynamoDB.EU-West-1.AmazonAWS.com./', says: 'This is AWS itself' },
  // An address is never repeated.
  { call: 'ada@example.com --local', says: 'unknown command' },
  { call: 'show ada@example.com --local', says: 'There is no run' },
])('wrong use ($call) is answered with 64 and what is right, and does nothing', async ({ call: words, says }) => {
  stub({ SERVICE_CLIENT_ID: undefined, SERVICE_CLIENT_SECRET: undefined });
  await mkdir(join(state, 'sample'));
  const { code, stdout, stderr } = await call(...words.split(' '));
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/\w@/);
});

test.each([
  ['run weekly', { hold: 'true' }, 'npm run ops -- run weekly --hold'],
  [
    'show weekly_2026-W46',
    { viewer: 'false', service_url: 'https://x' },
    'npm run ops -- show weekly_2026-W46 --service-url https://x --no-view',
  ],
  ['test weekly', { token_description: 'ada@example.com' }, 'npm run ops -- test weekly --to <ADDRESS>'],
  // It is no flag of this command, but who types it wants nothing to be sent.
  ['release weekly_2026-W46', { dry_run: 'true' }, 'npm run ops -- release weekly_2026-W46 --dry-run'],
  ['run 2026-W44 weekly', { period: 'true' }, 'npm run ops -- ….'],
  ['start daily', { report: 'true', dry_run: 'true' }, 'npm start -- --report daily --dry-run'],
  ['start --no-view', { dry_run: 'true' }, 'npm start -- --no-view --dry-run'],
])(
  'flags that npm kept for itself are refused, with the command that was meant: %s, %o',
  async (words, kept, meant) => {
    const variables = Object.entries(kept).map(([name, value]) => [`npm_config_${name}`, value]);
    const event = words.startsWith('start') ? 'start' : 'ops';
    stub({ npm_lifecycle_event: event, ...Object.fromEntries(variables) });
    const { code, stderr } = await call(...words.split(' '));
    expect(code).toBe(64);
    expect(stderr).toContain(`for itself. Put "--" before everything else: ${meant}`);
    expect(stderr.includes('--local')).toBe(event === 'ops');
  },
);

test('with --json an answer is one JSON value and nothing else, and a wrong call leaves an error there, too', async () => {
  const resumed = await call('resume', 'weekly', '--local', '--json');
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout)).toEqual({ report: 'weekly', resumed: true, pausedSince: null });
  const { code, stdout, stderr } = await call('show', 'weekly_2026-W46', '--local', '--json');
  expect(code).toBe(64);
  expect(stderr).toContain('There is no run "weekly_2026-W46".');
  expect(JSON.parse(stdout)).toEqual({ error: { message: stderr.trimEnd() } });
});

test('what a service calls things is printed as one line that no terminal obeys, and clipped', async () => {
  const service = await startHttpStub();
  stub({ SERVICE_CLIENT_ID: 'id', SERVICE_CLIENT_SECRET: 'secret' });
  const status = `\u009b2J\u001b]0;fine\u0007\n3 sent, all is well.\n\u202e`;
  const id = `${status}${'x'.repeat(9_000)}`;
  service.answer('/v1/auth', json({ token: 'a.b.c', refresh_token: 'f00d' }));
  service.answer('/v1/broadcasts/deliveries', json([{ id, status, broadcast: { id: '7', name: 'News' } }]));
  for (const flags of [[], ['--json']]) {
    const { stdout } = await call('doctor', '--service-url', service.url, ...flags);
    expect(stdout).toContain('all is well');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|^\W*3 sent|x{4000}/mu);
  }
  await service.close();
});

test('without a command and without a stack that can be reached there is help, and a sentence', async () => {
  stub({ AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined, AWS_PROFILE: 'no-such-profile', HOME: state });
  const { code, stdout, stderr } = await call();
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/^Usage: npm run ops -- COMMAND \[flags\]\n[^]*\n {2}status /);
  expect(stderr).toMatch(/^\S.*\.\n$/);
});

test('reports are off until they are switched on, one or with --all each, as status says, also without a command', async () => {
  await mkdir(join(state, 'sample'));
  expect((await call('runs', '--local')).stdout).toBe('Nothing has run yet.\n');
  expect((await call('addresses', 'list', '--local')).stdout).toBe('No address is suppressed or unsubscribed.\n');
  const paused = await call('pause', '--all', '--local', '--json');
  expect(JSON.parse(paused.stdout).reports).toMatchObject([{ report: 'weekly', off: true, paused: null }, {}, {}]);
  const { stdout } = await call('status', '--local');
  expect(stdout).toMatch(/^report +next +last run .*\nweekly +off: never switched on +none yet\n/);
  expect(stdout).toContain(`npm run ops -- resume daily --local --state ${state}\n`);
  expect((await call('--local')).stdout).toBe(stdout);
  expect((await call('--local', '--state', state, 'status')).stdout).toBe(stdout);
  const resumed = await call('resume', '--all', '--local');
  expect(resumed.stdout).toMatch(
    /^(Report "(\w+)" is on\. Nothing runs by itself on this machine: npm run ops -- run \2 --local .*\n){3}$/,
  );
  expect((await call('status', '--local')).stdout).toMatch(/\nweekly +\d{4}-[^]*\nNothing needs attention\./);
});

test('with --all a command that could not do it for one report ends as it would for that one', async () => {
  const place = { configuration: configurationWith(), local: true, all: true, state, out: state };
  const work = onReports((_target, { name }) => Promise.resolve((name === 'daily' ? failed : done)({}, [name])));
  expect(await work(place)).toMatchObject({ code: 1, lines: ['weekly', 'daily', 'monthly'] });
});

test('a command that is suggested leads to the same place, and can be pasted', async () => {
  const folder = join(state, "it's here");
  const { stdout } = await call('pause', 'weekly', '--local', '--state', folder, '--out', 'out');
  const quoted = `'${state}/it'\\''s here'`;
  expect(stdout).toContain(`npm run ops -- resume weekly --local --state ${quoted} --out out\n`);
});

test.each(['status', 'runs', 'show weekly_2026-W46', 'addresses list', 'subscribers weekly export'])(
  'a command that only reads (%s) names a ledger that does not exist, and creates nothing',
  async (words) => {
    const { code, stderr } = await call(...words.split(' '), '--local');
    expect(code).toBe(64);
    expect(stderr).toContain(`there is no ledger in "${join(state, 'sample')}". A run with npm start creates one.`);
    expect(await readdir(state)).toEqual([]);
  },
);

test('an import takes what Excel writes, and names a domain that mail knows by another name', async () => {
  const file = join(state, 'people.csv');
  await writeFile(file, Buffer.from('\uFEFFsep=;\r\nName, first;Email\r\nAda;ada@Müller.example', 'utf16le'));
  const { code, stdout } = await call('subscribers', 'weekly', 'import', file, '--local');
  expect(code).toBe(0);
  expect(stdout).toMatch(/"Müller\.example".*xn--mller-kva\.example/);
});

const mailId = (n: number): string => `010200000000000${n}-7f9c1f0e-9d2b-4d0c-8f0a-3a1b2c3d4e5f-000000`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

test('a forgotten address is in no file that a local system wrote, of dry runs that were killed neither; others are named', async () => {
  // Nothing in it is in LevelDB's files by itself, which are compressed.
  const address = 'Vq7xk-wz9j@example.org';
  const [out, copies] = [join(state, 'out'), join(state, 'tmp')];
  const copy = (name: string): string => join(copies, `broadcast-digest-copy-${name}`);
  stub({ TMPDIR: copies });
  await call('subscribers', 'weekly', 'add', address, 'bo@example.org', '--local');
  await call('subscribers', 'daily', 'add', address, '--local');
  await call('subscribers', 'daily', 'remove', address, '--local');
  const erased = [
    ...['.eml', '.html', '.txt'].map((ending) => join(out, `${mailId(1)}${ending}`)),
    ...[`planned/${mailId(2)}.eml`, 'draft/weekly_2026-W46.eml', 'receipt.json'].map((name) => join(out, name)),
    join(state, 'sample/configurations/run/configuration.json'),
    join(copy('dead'), 'state/dynamodb/000003.log'),
  ];
  const others = ['kept/0001.eml', 'notes.txt'].map((name) => join(out, name));
  const ofOthers = [join(out, `${mailId(3)}.eml`), join(copy('open'), 'state/outbox/mail.eml')];
  for (const path of [...erased, ...others])
    await write(path, /html|txt$/.test(path) ? '-' : `To: ${address.toLowerCase()}`);
  await write(others[1] ?? '', address);
  for (const path of ofOthers) await write(path, `To: another.${address}`);
  const dead = await lockState(copy('dead'));
  await dead[Symbol.asyncDispose]();
  const open = await lockState(copy('open'));
  const holding = () =>
    spawnSync('grep', ['-rliF', address, state], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  expect(holding().join()).toMatch(/sample\/dynamodb\/\d+\.ldb/);

  const forget = ['addresses', 'forget', address.toUpperCase(), '--local', '--out', out];
  expect((await call(...forget)).stderr).toContain('with 7 files of the local system? This cannot be undone.');
  const { stdout } = await call(...forget, '--yes');
  await open[Symbol.asyncDispose]();
  expect(stdout).toContain(`that are open may have it until they end: ${copy('open')}\n`);
  expect(stdout).toContain(`These files still contain it. Delete them: ${others.join(', ')}\n`);
  expect(holding().toSorted()).toEqual([...others, ...ofOthers].toSorted());
  expect(erased.filter((path) => existsSync(path))).toEqual([]);
  expect((await call('subscribers', 'weekly', 'list', '--local')).stdout).toMatch(/\nbo@example\.org +yes /);
});

test.each([
  ['dynamodb/CURRENT', 'pause weekly', /\/dynamodb" cannot be used: Corruption: .*another --state.*\n$/],
  ['lock/CURRENT', 'pause weekly', /\/lock" cannot be used: Corruption: .*another --state.*\n$/],
  ['unsubscribe-secret', 'run weekly', /\/unsubscribe-secret" is damaged\. Delete it: .*\n$/],
])('of a state folder, a damaged %s is one sentence, with what helps', async (name, words, says) => {
  await call('pause', 'weekly', '--local');
  await writeFile(join(state, 'sample', name), '');
  const { code, stdout, stderr } = await call(...words.split(' '), '--local', '--out', join(state, 'out'));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(says);
});

async function start(...flags: string[]) {
  stub({ SERVICE_CLIENT_ID: 'id', SERVICE_CLIENT_SECRET: 'secret' });
  return await call('start', '--state', state, '--out', join(state, 'out'), ...flags);
}

const draft = (): string => join(state, 'out/draft/weekly_2026-W46.eml');

describe('a start', async () => {
  const service = await startHttpStub();
  afterAll(() => service.close());

  test('names all faults of the configuration in one message; nothing is asked, written or sent', async () => {
    await edit({ '"every": "week"': '"every": "biweekly"', '"timeZone": "Europe/London"': '"timeZone": "Mars"' });
    await write(join(state, 'out/receipt.json'), 'of the last run');
    expect(await start('--service-url', service.url)).toEqual({
      code: 64,
      stdout: '',
      stderr:
        'Invalid configuration:\n' +
        '- reports[0].schedule.every: Expected one of "day", "week", "fortnight", "month", "quarter", found "biweekly".\n' +
        '- reports[0].schedule.timeZone: Expected an IANA time zone such as "Europe/London", found "Mars".\n',
    });
    expect(await readdir(join(state, 'out'))).toEqual(['receipt.json']);
    expect([await readdir(state), service.asked()]).toEqual([['cdk.json', 'out'], []]);
  });

  test('on a state folder that is in use ends with one sentence, as a command does, and asks and writes nothing', async () => {
    for (const [folder, command] of [
      [join(state, 'client-id'), () => start('--service-url', service.url)],
      [join(state, 'sample'), () => call('runs', '--local')],
    ] as const) {
      await using _lock = await lockState(folder);
      const stderr = `The state folder "${folder}" is in use by another run.\n`;
      expect(await command()).toEqual({ code: 1, stdout: '', stderr });
    }
    expect([existsSync(join(state, 'out')), service.asked()]).toEqual([false, []]);
  });

  test('of a report that names no authors names none in digest.json, a draft and its workbook, also not its own filter’s', async () => {
    const settings = '"authors": "unnamed", "only": { "createdBy": "Marcus Bright" }';
    await edit({ '"name": "weekly"': `"name": "weekly", ${settings}` });
    const { code, stderr } = await start('--at', '2026-11-16T08:00:00Z', '--draft', '--json');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`The draft is ${draft()}\nOpen it with`)]);
    const files = ['digest.json', 'draft/latest.html', 'draft/weekly_2026-W46.xlsx'];
    const [json, html, workbook] = await Promise.all(files.map((name) => readFile(join(state, 'out', name))));
    expect(JSON.parse(String(json)).broadcasts.length).toBeGreaterThan(0);
    const sheets = Object.values(unzipSync(workbook ?? Buffer.of())).map((sheet) => Buffer.from(sheet));
    expect([json, html, ...sheets].join('\n')).not.toMatch(/Marcus|Bright/);
    expect(String(html)).toContain(english.say('filter.oneAuthor'));
  }, 60_000);

  test('opens a draft where there is a desktop and a terminal, and leaves no trace in the ledger', async () => {
    // A program that takes the place of the desktop's notes what it is to open.
    const opened = join(temporaryFolder(), 'opened');
    await writeFile(join(dirname(opened), 'xdg-open'), `#!/bin/sh\necho "$@" >>"${opened}"\n`, { mode: 0o700 });
    stub({ PATH: `${dirname(opened)}:${process.env['PATH']}`, DISPLAY: ':9' });
    process.stdout.isTTY = true;
    onTestFinished(() => void Object.assign(process.stdout, { isTTY: false }));
    const { code, stdout } = await start('--at', '2026-11-16T08:00:00Z', '--draft');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Your mail program opens it now')]);
    expect(stdout).not.toMatch(/intended|127\.0\.0\.1/);
    await expect.poll(() => readFile(opened, 'utf8')).toBe(`${draft()}\n`);
    expect([await readdir(state), await readdir(join(state, 'out'))]).toEqual([
      ['out'],
      ['digest.json', 'draft', 'receipt.json'],
    ]);
    const files = ['latest.html', 'weekly_2026-W46.eml', 'weekly_2026-W46.xlsx'];
    expect(await readdir(dirname(draft()))).toEqual(files);
  }, 60_000);
});
