import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildProgram } from '../../../infra/ops/program.ts';
import { runProgram } from '../../../infra/ops/command-line/run-program.ts';

const commands = [
  'status',
  'doctor',
  'run',
  'release',
  'discard',
  'test',
  'runs',
  'show',
  'subscribers',
  'addresses',
  'pause',
  'resume',
  'pages',
];

let state: string;
let printed: { stdout: string; stderr: string };

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'ops-'));
  printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(state, { recursive: true });
});

async function ops(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const place = args.includes('--local') && !args.includes('--state') ? ['--state', state] : [];
  const code = await runProgram(buildProgram, [...args, ...place]);
  return { code, ...printed };
}

test('there are these commands and no others', () => {
  const names = buildProgram(() => undefined).commands.map((command) => command.name());
  expect(names).toEqual(commands);
});

test.each(commands)('%s has help with an example', async (command) => {
  const { code, stdout } = await ops(command, '--help');
  expect(code).toBe(0);
  expect(stdout).toContain(`example:\n  npm run ops -- ${command} `.trimEnd());
});

test.each([
  { args: ['run', 'weekly', '--hlod'], says: 'Did you mean --hold?' },
  { args: ['run'], says: "missing required argument 'REPORT'\n- The reports are: weekly, daily, monthly.\n" },
  { args: ['show'], says: 'For help: npm run ops -- show --help' },
  { args: ['runz'], says: 'For help: npm run ops -- --help' },
  { args: ['run', 'dialy', '--local'], says: 'Did you mean "daily"?' },
  { args: ['run', 'weekly', '--at', 'monday'], says: 'Expected an instant' },
  { args: ['test', 'weekly'], says: "required option '--to <ADDRESS...>' not specified" },
  { args: ['test', 'weekly', '--to', 'nobody'], says: '"nobody" is not a valid email address.' },
  { args: ['subscribers', 'weekly', 'imprt', 'x.csv'], says: 'Did you mean import?' },
  { args: ['subscribers', 'weekly', 'import'], says: 'import needs a CSV file' },
  {
    args: ['subscribers', 'weekly', 'import', '/no/such.csv', '--local'],
    says: 'The file "/no/such.csv" cannot be read.',
  },
  { args: ['subscribers', 'weekly', 'add', 'nobody', '--local'], says: '"nobody" is not a valid email address.' },
  { args: ['addresses', 'forget'], says: 'forget needs an address' },
  {
    args: ['addresses', 'forget', 'ada@example.org', '--local'],
    says: /^Confirmation needed:\n.* Re-run with --yes to confirm\.\n$/,
  },
  { args: ['pages', 'revok', 'weekly'], says: 'Expected "revoke" behind "pages".' },
  { args: ['pages', 'revoke', 'weakly'], says: 'Did you mean "weekly"?' },
  { args: ['pages', 'revoke', 'weekly', '--local'], says: 'Re-run with --yes to confirm.' },
  { args: ['doctor', '--service-url', 'http://example.com'], says: 'Expected an https address' },
  { args: ['runs', '--env', 'nowhere', '--local'], says: 'asked for "nowhere"' },
  {
    args: ['runs', '--local', '--state', `${process.execPath}/state`],
    says: `--state: "${process.execPath}" is a file`,
  },
  {
    args: ['run', 'weekly', '--local', '--out', process.execPath],
    says: `--out: "${process.execPath}" is a file, not a folder.`,
  },
])('wrong use ($args) is answered with 64 and what is right', async ({ args, says }) => {
  const { code, stdout, stderr } = await ops(...args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(says);
});

test.each([
  {
    args: ['test', 'weekly', '--to', 'bad', '--to', 'worse', '--local', '--frob', '--zap', '1'],
    says: [
      "unknown option '--frob'",
      "unknown option '--zap'",
      '"bad" (1 of 2) is not a valid email address.',
      '"worse" (2 of 2) is not a valid email address.',
    ],
  },
  {
    args: ['run', 'nope', '--at', 'garbage', '--local', '--frob'],
    says: ["unknown option '--frob'", "'garbage' is invalid. Expected an instant", 'There is no report "nope".'],
  },
  {
    args: ['test', 'weekly', '--at', 'nonsense', '--service-url', 'ftp://x', '--to', 'bad'],
    says: ['Expected an instant', 'Expected an https address', '"bad" is not a valid email address.'],
  },
  {
    args: ['run', '--local', '--frob'],
    says: ["missing required argument 'REPORT'", "unknown option '--frob'", 'The reports are: weekly, daily, monthly.'],
  },
  {
    args: ['pause', 'nope', '--env', 'x', '--stack', 'y', '--local'],
    says: ['--stack and --local cannot be combined.', 'asked for "x"', 'There is no report "nope".'],
  },
  {
    args: ['runs', 'weakly', 'more', '--hlep', '--state'],
    says: [
      "too many arguments for 'runs'. Expected 1 argument but got 2.",
      '(Did you mean --help?)',
      "'--state <DIR>' argument missing",
      'Did you mean "weekly"?',
    ],
  },
  {
    args: ['subscribers', 'nope', 'ad', 'x', '--frob'],
    says: ["unknown option '--frob'", 'Did you mean add?', 'There is no report "nope".'],
  },
  {
    args: ['test', '--at', 'x'],
    says: [
      "argument 'REPORT'",
      "required option '--to <ADDRESS...>' not specified",
      'Expected an instant',
      'The reports are: weekly, daily, monthly.',
    ],
  },
  {
    args: ['dokter', '--local', '--at', 'monday', 'weekly'],
    says: ["unknown command 'dokter' (Did you mean doctor?)"],
  },
])('all faults of a call ($args) are named at once', async ({ args, says }) => {
  const { code, stdout, stderr } = await ops(...args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  for (const text of says) expect(stderr).toContain(text);
  expect(stderr).toMatch(
    new RegExp(`^Invalid arguments:\n(- .+\n){${says.length}}For help: npm run ops -- .*--help\n$`),
  );
  expect(await readdir(state)).toEqual([]);
});

test.each([
  { args: ['ada@example.com', '--local'] },
  { args: ['run', 'weekly', '--ada@example.com', '--at', 'ada@example.com', '--frob=ada@example.com'] },
  { args: ['subscribers', 'ada@example.com', 'ada@example.com', '--env', 'ada@example.com'] },
])('an address is never repeated in an error ($args)', async ({ args }) => {
  const { code, stderr } = await ops(...args);
  expect(code).toBe(64);
  expect(stderr).toContain('Invalid arguments:');
  expect(stderr).not.toContain('ada@');
});

test('a word after an unknown option may be its value: it is neither missing nor too much', async () => {
  expect((await ops('run', '--frob', 'weekly')).stderr).toBe(
    "Invalid arguments:\n- unknown option '--frob'\nFor help: npm run ops -- run --help\n",
  );
});

test.each([
  [{ npm_config_hold: 'true' }, '--hold'],
  [{ npm_config_messages: 'true' }, '--messages'],
  [{ npm_config_env: 'staging' }, '--env staging'],
  [{ npm_config_viewer: 'false' }, '--no-view'],
  [
    { npm_config_hold: 'true', npm_config_service_url: 'https://service.example' },
    '--service-url https://service.example --hold',
  ],
  [{ npm_config_token_description: 'ada@example.com' }, '--to …'],
])('flags that npm kept for itself are refused, with the command that was meant (%o)', async (variables, meant) => {
  for (const [name, value] of Object.entries({ ...variables, npm_lifecycle_event: 'ops' })) vi.stubEnv(name, value);
  const { code, stderr } = await ops('run', 'weekly');
  vi.unstubAllEnvs();
  expect(code).toBe(64);
  expect(stderr).toContain(
    `for itself. Put "--" before it: npm run ops -- run weekly ${meant}. npm also drops --local: add it again`,
  );
});

test('what a .npmrc may set is no flag that npm kept', async () => {
  for (const name of ['json', 'yes']) vi.stubEnv(`npm_config_${name}`, 'true');
  vi.stubEnv('npm_config_viewer', 'browser');
  const { code } = await ops('run', '--help');
  vi.unstubAllEnvs();
  expect(code).toBe(0);
});

test('with --json a wrong call leaves an error on standard output, too', async () => {
  await mkdir(join(state, 'sample'));
  const { code, stdout, stderr } = await ops('show', 'weekly_2026-W46', '--local', '--json');
  expect(code).toBe(64);
  expect(stderr).toContain('There is no run "weekly_2026-W46".');
  expect(JSON.parse(stdout)).toEqual({ error: { message: stderr.trimEnd() } });
});

test('status has a line a report, and is what is shown without a command', async () => {
  await mkdir(join(state, 'sample'));
  const { code, stdout } = await ops('status', '--local');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^report +next +last run .*\nweekly +\d{4}-\d\d-\d\d 08:00 Europe\/London +none yet\n/);
  expect(stdout).toContain('Nothing needs attention.');
  printed = { stdout: '', stderr: '' };
  expect((await ops('--local')).stdout).toBe(stdout);
});

test('without a command and without a stack that can be reached there is help, and a sentence', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_DEFAULT_REGION', undefined);
  vi.stubEnv('AWS_PROFILE', 'no-such-profile');
  vi.stubEnv('HOME', state);
  const { code, stdout, stderr } = await ops();
  vi.unstubAllEnvs();
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/^Usage: npm run ops -- COMMAND \[flags\]\nCommands: status, [^]*pages\nFor help: .*\n$/);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
  expect(stderr).toMatch(/^\S.*\.\n$/);
});

test('an empty list is said in words', async () => {
  await mkdir(join(state, 'sample'));
  expect((await ops('runs', '--local')).stdout).toBe('Nothing has run yet.\n');
  printed = { stdout: '', stderr: '' };
  expect((await ops('addresses', 'list', '--local')).stdout).toBe('No address is suppressed or unsubscribed.\n');
});

test('a pause is shown by runs, and its command to resume can be pasted', async () => {
  const { stdout } = await ops('pause', 'weekly', '--local');
  expect(stdout).toContain(`To resume it: npm run ops -- resume weekly --local --state ${state}\n`);
  printed = { stdout: '', stderr: '' };
  expect((await ops('runs', '--local')).stdout).toMatch(
    /"weekly" was paused by local user .*, \d{4}-\d\d-\d\d \d\d:\d\d Europe\/London: its schedule triggers nothing\./,
  );
});

test('a ledger belongs to one service: another one, and the sample account, have their own', async () => {
  const service = ['--local', '--service-url', 'https://reporting.example.com/Tenant'];
  expect((await ops('subscribers', 'weekly', 'add', 'new@example.org', ...service)).code).toBe(0);
  const listed = async (...place: string[]): Promise<string> => {
    printed = { stdout: '', stderr: '' };
    return (await ops('subscribers', 'weekly', 'list', ...place)).stdout;
  };
  expect(await listed(...service)).toContain('new@example.org');
  await ops('resume', 'weekly', '--local');
  expect(await listed('--local')).toMatch(/^address (?!.*new@example\.org)/s);
  await ops('resume', 'weekly', '--local', '--service-url', 'https://reporting.example.com');
  expect(await listed('--local', '--service-url', 'https://reporting.example.com')).toMatch(
    /^address (?!.*new@example\.org)/s,
  );
  expect((await readdir(state)).toSorted()).toEqual([
    'reporting.example.com',
    'reporting.example.com_%54enant',
    'sample',
  ]);
});

test.each([
  ['status'],
  ['runs'],
  ['show', 'weekly_2026-W46'],
  ['addresses', 'list'],
  ['subscribers', 'weekly', 'list'],
])('a command that only reads (%s) names a ledger that does not exist, and creates nothing', async (...command) => {
  const typo = join(state, 'typo');
  expect(await ops(...command, '--local', '--state', typo)).toEqual({
    code: 64,
    stdout: '',
    stderr: `Nothing has run here yet:\n- There is no ledger in "${join(typo, 'sample')}". To create one with a run: npm start -- --state ${typo}\n- Or with a run that is held: npm run ops -- run REPORT --hold --local --state ${typo}\n`,
  });
  expect(await readdir(state)).toEqual([]);
});

test('the folder of a service on this machine is named after its client id, and a command that needs it says so', async () => {
  vi.stubEnv('SERVICE_CLIENT_ID', undefined);
  const { code, stderr } = await ops('runs', '--local', '--service-url', 'http://localhost:1');
  vi.unstubAllEnvs();
  expect({ code, stderr }).toEqual({
    code: 64,
    stderr:
      'Invalid arguments:\n- SERVICE_CLIENT_ID is not set: the ledger of a service on this machine is in a folder that is ' +
      'named after the client id.\n',
  });
});

test('what is forgotten in the ledger stays in the outbox, and that is said with its path', async () => {
  const out = join(state, 'out');
  const forget = async (): Promise<string> => {
    printed = { stdout: '', stderr: '' };
    return (await ops('addresses', 'forget', 'ada@example.org', '--yes', '--local', '--out', out)).stdout;
  };
  expect(await forget()).toBe('Nothing was stored about it.\n');
  await mkdir(out);
  expect(await forget()).toBe('Nothing was stored about it.\n');
  await writeFile(join(out, '0001.eml'), 'To: ada@example.org');
  expect(await forget()).toBe(
    `Nothing was stored about it.\nThese files still contain it. Delete them: ${join(out, '0001.eml')}\n`,
  );
});

test('a ledger that cannot be opened is one sentence, with the folder and the reason', async () => {
  await ops('pause', 'weekly', '--local');
  await writeFile(join(state, 'sample', 'dynamodb', 'CURRENT'), '');
  printed = { stdout: '', stderr: '' };
  expect(await ops('runs', '--local')).toEqual({
    code: 1,
    stdout: '',
    stderr: `"${join(state, 'sample')}" cannot be used: Corruption: CURRENT file does not end with newline\n`,
  });
});

test('--json prints one JSON value and nothing else', async () => {
  const { code, stdout } = await ops('pause', 'weekly', '--local', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    report: 'weekly',
    paused: { since: expect.any(String), by: expect.stringContaining('local user') },
  });
});
