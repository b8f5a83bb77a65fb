import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildBundles } from '../../../infra/build/bundles.ts';
import { copyRepository } from '../../support/repository.ts';
import { configurationWith } from '../../support/configuration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const script = `
  import { buildBundles } from './infra/build/bundles.ts';
  import { loadConfiguration } from './infra/config.ts';
  await buildBundles(loadConfiguration(), 'bundles');`;

/** The files of bundles, with their contents. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.\w+$/.test(file));
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return Object.fromEntries(files.map((file, index) => [file, contents[index] ?? '']));
}

test('another checkout of the same source publishes the same bundles', async () => {
  const checkout = join(temporaryFolder(), 'some/deeper/folder/of another-name');
  copyRepository(checkout);
  for (const name of ['functions', 'templates']) {
    await rm(join(checkout, name));
    await cp(name, join(checkout, name), { recursive: true });
  }
  // The same packages, without the builds that others made.
  await rm(join(checkout, 'node_modules'));
  await mkdir(join(checkout, 'node_modules'));
  for (const name of (await readdir('node_modules')).filter((entry) => entry !== '.cache')) {
    await symlink(resolve('node_modules', name), join(checkout, 'node_modules', name));
  }
  const node = join(checkout, 'node_modules/.bin/node');
  await promisify(execFile)(node, ['--input-type=module', '--eval', script], { cwd: checkout });
  const near = temporaryFolder();
  await buildBundles(configurationWith(), near);
  const bundles = await contentsOf(near);
  // Each with its source map and its configuration, but for the worker's, whose settings come with its orders.
  expect(Object.keys(bundles).length).toBe(6 * 3 - 1);
  expect(await contentsOf(join(checkout, 'bundles'))).toEqual(bundles);
});
