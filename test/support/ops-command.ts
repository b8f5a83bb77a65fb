import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Ended, StartOptions } from './start-command.ts';

const repositoryOfTests = resolve(import.meta.dirname, '../..');

/** Calls the operators' command as `npm run ops --` would, and waits for its end. */
export function runOps(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const { environment = {}, repository = repositoryOfTests } = options;
  const binaries = resolve(repository, 'node_modules/.bin');
  const child = spawn(resolve(binaries, 'node'), ['infra/ops/main.ts', ...args], {
    cwd: repository,
    env: { PATH: `${binaries}:${process.env['PATH'] ?? ''}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((settle, reject) => {
    child.once('error', reject).once('close', (code) => settle({ code, stdout, stderr }));
  });
}
