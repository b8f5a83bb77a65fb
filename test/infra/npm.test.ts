import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Calls npm in the repository, with nothing of an npm that runs the tests. */
function npm(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  return spawnSync('npm', args, { env: { PATH, HOME, npm_config_logs_max: '0' }, encoding: 'utf8' });
}

test('npm says that a script is mistyped, and with -s nothing of its own beside what a script prints', () => {
  expect(npm('run', 'privew').stderr).toMatch(/Missing script: "privew"[^]*npm run preview/);
  expect(npm('start', '-s', '--', '--json', '--period', 'x').stdout).toBe('');
  expect(npm('run', '-s', 'ops', '--', 'resume', '--local', '--json').stdout).toMatch(/^\{\n {2}"error"/);
}, 60_000);
