import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

test('the same sources are built once; other contents, a further file and other settings are built again', async () => {
  const first = await build();
  expect([await build(), await readFile(join(first, 'built'), 'utf8')]).toEqual([first, 'one']);
  const folders = [first, await build({ logo: 'a.png' }), await build({ logo: 'b.png' })];
  await writeFile(join(source, 'deep/code'), 'two');
  folders.push(await build());
  await writeFile(join(source, 'further'), '');
  folders.push(await build());
  expect([new Set(folders).size, builds]).toEqual([5, 5]);
});
