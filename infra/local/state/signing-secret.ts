import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError, storing } from '../local-error.ts';

/**
 * The generated signing secret of a state folder: made once, so that the links of earlier mails stay good.
 *
 * @throws {LocalError} where its file is damaged or cannot be written
 */
export async function localSigningSecret(stateDir: string): Promise<string> {
  const file = join(stateDir, 'signing-secret');
  return (await storing(file, () => readSecret(file))) ?? (await storing(file, () => makeSecret(file)));
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const secret = await readFile(file, 'utf8');
    if (/^[\w-]{64}$/.test(secret)) return secret;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  throw new LocalError(
    `The file "${file}" is damaged: it held the secret of the links in mails. Move it away or delete it; ` +
      'the links in mails that were sent so far then no longer work.',
  );
}

async function makeSecret(file: string): Promise<string> {
  const secret = randomBytes(48).toString('base64url');
  await writeFile(`${file}.tmp`, secret, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
  return secret;
}
