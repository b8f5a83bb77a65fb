import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedBuild } from '../../../build/build-cache.ts';

const source = fileURLToPath(new URL('runtime.ts', import.meta.url));

/** The path of `runtime.ts` as JavaScript, because Node takes longer to strip its types than to start, in each process anew. */
export async function buildRuntime(): Promise<string> {
  const folder = await cachedBuild({
    sources: [source],
    settings: {},
    write: async (fresh) => {
      const { transform } = await import('esbuild');
      const { code } = await transform(await readFile(source, 'utf8'), { loader: 'ts', target: 'node24' });
      await writeFile(join(fresh, 'runtime.mjs'), code);
    },
  });
  return join(folder, 'runtime.mjs');
}
