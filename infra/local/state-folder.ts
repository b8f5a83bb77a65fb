import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { isLoopback } from '../../functions/domain/configuration/fields.ts';
import { LocalError, storing } from './local-error.ts';

/**
 * The name of a reporting service's state folder below `--state`, so that no service's figures pass for another's: `sample`
 * for the sample account, which has no `url`, else host and path prefix, such as `reporting.example.com_tenant-a`; on
 * loopback `client-` and the client id, because ports are random there. What is not as plain, or long, ends with a hash of
 * itself, also where the file system compares names without case.
 */
export function stateFolderName(url: string | undefined, readClientId: () => string): string {
  if (url === undefined) return 'sample';
  const { host, hostname, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const service = isLoopback(hostname) ? `client-${readClientId()}` : `${host}${path}`;
  const isPlain = isLoopback(hostname) ? /^[a-z0-9-]{1,80}$/ : /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[a-z0-9-]+)*$/;
  if (service.length <= 80 && isPlain.test(service)) return service.replaceAll('/', '_');
  const readable = service.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '_');
  return `${readable.slice(0, 40)}_${hash('sha256', service).slice(0, 40)}`;
}

/** A state folder that is in use by another run. */
export class StateInUseError extends LocalError {}

/**
 * Takes a state folder for this process, until what it gives is disposed of or the process ends, however it ends: the lock is that
 * of an empty LevelDB, which is the kernel's record lock and cannot become stale.
 *
 * @throws {StateInUseError} where another run, in this process or another, holds it
 * @throws {LocalError} where the folder cannot be made or used
 */
export async function lockState(stateDir: string): Promise<AsyncDisposable> {
  const folder = join(stateDir, 'lock');
  return await storing(folder, async () => {
    await mkdir(stateDir, { recursive: true });
    const lock = new ClassicLevel(folder);
    try {
      await lock.open();
    } catch (error) {
      if (Object(error).cause?.code !== 'LEVEL_LOCKED') throw error;
      throw new StateInUseError(`The state folder "${stateDir}" is in use by another run.`, { cause: error });
    }
    return lock;
  });
}

/** Writes a file that is there whole or not at all, whatever ends the process. */
export async function writeWhole(file: string, content: string | Buffer, mode?: number): Promise<void> {
  await writeFile(`${file}.tmp`, content, { mode });
  await rename(`${file}.tmp`, file);
}

/**
 * Where the links in the mails of a state folder lead, the same at every run, without a slash at its end. Its port, from 20000 to
 * 29999, is none of those that systems give out.
 */
export function localPublicUrl(stateDir: string): string {
  const number = hash('sha256', resolve(stateDir), 'buffer').readUInt32BE();
  return `http://127.0.0.1:${20_000 + (number % 10_000)}`;
}

/**
 * The generated secret of a state folder's unsubscribe links: made once, so that the links of earlier mails stay good.
 *
 * @throws {LocalError} where its file is damaged, or cannot be read or written
 */
export async function localUnsubscribeSecret(stateDir: string): Promise<string> {
  const file = join(stateDir, 'unsubscribe-secret');
  return await storing(file, async () => {
    if (!existsSync(file)) await writeWhole(file, randomBytes(48).toString('base64url'), 0o600);
    const secret = await readFile(file, 'utf8');
    if (/^[\w-]{64}$/.test(secret)) return secret;
    throw new LocalError(`"${file}" is damaged. Delete it: the links in earlier mails end then.`);
  });
}
