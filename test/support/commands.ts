import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repositoryOfTests } from './repository.ts';
import type { Credentials } from '../../functions/reporting-service/tokens/credentials.ts';

/** Exit code and output of a call of the start command. `code` is `null` where it was killed. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Variables beside the path and the folder of compiled modules, which are all that a command is given otherwise. */
type Environment = Readonly<Record<string, string>>;

/** The variables that name the credentials of a service to a command. */
export function environmentOf({ credentials }: { credentials: Credentials }) {
  return { SERVICE_CLIENT_ID: credentials.id, SERVICE_CLIENT_SECRET: credentials.secret };
}

/** Calls the start command as `npm start --` would. */
export function launchStart(flags: readonly string[], environment: Environment = {}) {
  return launch(['start', ...flags], environment);
}

/** Calls the program of the repository in a process group of its own. */
function launch(args: readonly string[], environment: Environment) {
  const binaries = resolve(repositoryOfTests, 'node_modules/.bin');
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(resolve(binaries, 'node'), ['infra/program/program.ts', ...args], {
    cwd: repositoryOfTests,
    env: { PATH: `${binaries}:${PATH}`, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The program could not be called.');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((settle, reject) => {
    child.once('error', reject).once('close', (code) => settle({ code, stdout, stderr }));
  });
  /** Resolves once it is time; rejects where the command ends before. */
  const until = async (isTime: () => boolean | Promise<boolean>): Promise<void> => {
    const over = new AbortController();
    void ended.finally(() => over.abort());
    while (!(await isTime())) await delay(2, null, { signal: over.signal });
  };
  return {
    ended,
    until,
    /** Resolves with the standard output once this is printed; rejects where the command ends before. */
    async printed(text: string) {
      await until(() => `${stdout}${stderr}`.includes(text));
      return stdout;
    },
    /** Does what Ctrl-C does. */
    interrupt: () => void child.kill('SIGINT'),
    /** Kills the whole process group at once, the functions' processes included, as a power cut would. */
    killGroup: () => void process.kill(-pid, 'SIGKILL'),
  };
}

/** Calls the start command and waits for its end. */
export function runStart(flags: readonly string[], environment: Environment = {}): Promise<Ended> {
  return launchStart(flags, environment).ended;
}

/** Calls the operators' command as `npm run ops --` would, and waits for its end. */
export function runOps(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  return launch(args, environment).ended;
}
