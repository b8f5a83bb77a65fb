import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cachedBuild } from '../../../infra/build/build-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the same sources are built once; other contents, a further file and other settings are built again', async () => {
  const folder = temporaryFolder();
  const [source, code] = [join(folder, 'source'), join(folder, 'source/deep/code')];
  await mkdir(dirname(code), { recursive: true });
  await writeFile(code, 'one');
  let builds = 0;
  const write = async (fresh: string): Promise<void> => {
    builds += 1;
    await copyFile(code, join(fresh, 'built'));
  };
  const build = (settings: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    cachedBuild({ sources: [source], settings, write }, join(folder, 'cache'));

  const first = await build();
  expect([await build(), await readFile(join(first, 'built'), 'utf8')]).toEqual([first, 'one']);
  const folders = [first, await build({ logo: 'a.png' }), await build({ logo: 'b.png' })];
  await writeFile(code, 'two');
  folders.push(await build());
  await writeFile(join(source, 'further'), '');
  folders.push(await build());
  expect([new Set(folders).size, builds]).toEqual([5, 5]);
});
