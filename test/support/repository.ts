import { copyFileSync, cpSync, existsSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cdkJsonPath } from './configuration.ts';

/**
 * The repository as tests call its commands: with the tests' `cdk.json` in place of its own. It stays where it is between
 * runs of the tests, so that Node need not compile the program anew.
 */
export const repositoryOfTests = resolve('.local/repository-of-tests');

/** Makes that repository, once before all tests of a run: copies what reads the `cdk.json` beside it, and links the rest. */
export default function setup(): void {
  cpSync('infra', join(repositoryOfTests, 'infra'), { recursive: true });
  for (const name of ['functions', 'templates', 'node_modules', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    const link = join(repositoryOfTests, name);
    if (!existsSync(link)) symlinkSync(resolve(name), link);
  }
  copyFileSync(cdkJsonPath, join(repositoryOfTests, 'cdk.json'));
}
