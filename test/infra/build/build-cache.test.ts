import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { cachedBuild } from '../../../infra/build/build-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let root: string;
let source: string;
let builds: number;

beforeEach(async () => {
  const folder = temporaryFolder();
  root = join(folder, 'cache');
  source = join(folder, 'source');
  builds = 0;
  await mkdir(join(source, 'deep'), { recursive: true });
  await writeFile(join(source, 'deep/code'), 'one');
});

/** Builds the source: a copy of the one file that it has. */
function build(settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const write = async (fresh: string): Promise<void> => {
    builds += 1;
    await writeFile(join(fresh, 'built'), await readFile(join(source, 'deep/code')));
  };
  return cachedBuild({ sources: [source], settings, write }, root);
}

const builtIn = (path: string): Promise<string> => readFile(join(path, 'built'), 'utf8');

test('the same sources are built once', async () => {
  const first = await build();
  expect(await build()).toBe(first);
  expect([await builtIn(first), builds]).toEqual(['one', 1]);
});

test('other contents, a further file and other settings are built again', async () => {
  const folders = [await build(), await build({ logo: 'a.png' }), await build({ logo: 'b.png' })];
  await writeFile(join(source, 'deep/code'), 'two');
  folders.push(await build());
  await writeFile(join(source, 'further'), '');
  folders.push(await build());
  expect([new Set(folders).size, builds]).toEqual([5, 5]);
});

test('two builds at once of the same sources give a whole folder each, or the same', async () => {
  const folders = await Promise.all([build(), build()]);
  expect(await Promise.all(folders.map(builtIn))).toEqual(['one', 'one']);
});

test('a build that fails says why, and is tried again', async () => {
  await rm(join(source, 'deep/code'));
  await expect(build()).rejects.toThrow('ENOENT');
  await expect(build()).rejects.toThrow('ENOENT');
});

test('what was not used for a day goes when something else is built', async () => {
  const old = await build({ version: 1 });
  const used = await build({ version: 2 });
  const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const path of [old, used]) await utimes(path, dayBefore, dayBefore);
  await build({ version: 2 });
  const latest = await build({ version: 3 });
  expect((await readdir(root)).toSorted()).toEqual(
    [used, latest].map((path) => path.slice(root.length + 1)).toSorted(),
  );
});

test('where the cache cannot be written, the build is made all the same', async () => {
  await writeFile(root, 'a file where the folder would be');
  const built = await build();
  expect(await builtIn(built)).toBe('one');
  await rm(built, { recursive: true });
});
