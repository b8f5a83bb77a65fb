import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'same-assets-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A checkout of the repository with its packages, and no builds that others made. */
async function checkOut(folder: string): Promise<string> {
  for (const name of ['functions', 'infra', 'templates', 'package.json', 'package-lock.json', 'cdk.json']) {
    await cp(resolve(name), join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (name !== '.cache') await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

const script = [
  "import { buildBundles } from './infra/build/bundles.ts';",
  "import { loadConfiguration } from './infra/config.ts';",
  "await buildBundles(loadConfiguration({}), 'bundles');",
].join('\n');

/** The bundles that a checkout would publish: each file with its contents. */
async function build(checkout: string): Promise<Record<string, string>> {
  const node = join(checkout, 'node_modules/.bin/node');
  await run(node, ['--input-type=module', '--eval', script], { cwd: checkout });
  const folder = join(checkout, 'bundles');
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.\w+$/.test(file));
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return Object.fromEntries(files.map((file, index) => [file, contents[index] ?? '']));
}

test('two checkouts of the same source publish the same bundles', async () => {
  const near = await build(await checkOut(join(root, 'a')));
  const far = await build(await checkOut(join(root, 'some/deeper/folder/of another-name')));
  expect(Object.keys(near).length).toBe(6 * 3);
  expect(Object.keys(near).filter((file) => near[file] !== far[file])).toEqual([]);
  expect(Object.keys(far)).toEqual(Object.keys(near));
});
