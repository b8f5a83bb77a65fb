import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cdkJsonPath } from './configuration.ts';

/**
 * The repository as tests call its commands: with the tests' `cdk.json` in place of its own. It stays where it is between
 * runs of the tests, so that Node need not compile the program anew.
 */
export const repositoryOfTests = resolve('.local/repository-of-tests');

/** Makes that repository, once before all tests of a run. */
export default function setup(): void {
  copyRepository(repositoryOfTests);
}

/** Copies to a folder what reads the `cdk.json` beside it, links the rest, and edits the tests' `cdk.json`. */
export function copyRepository(folder: string, edit = (cdkJson: string): string => cdkJson): void {
  cpSync('infra', join(folder, 'infra'), { recursive: true });
  for (const name of ['functions', 'templates', 'node_modules', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    const link = join(folder, name);
    if (!existsSync(link)) symlinkSync(resolve(name), link);
  }
  writeFileSync(join(folder, 'cdk.json'), edit(readFileSync(cdkJsonPath, 'utf8')));
}
