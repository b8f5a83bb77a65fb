import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { FunctionDefinition } from '../../../../infra/local/emulators/lambda/function-thread.ts';

const banner = `import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);`;

/** Bundles handlers' sources, each by its function's name, as they would be deployed. */
export async function bundleFunctions(
  folder: string,
  sources: Record<string, string>,
  settings: Partial<FunctionDefinition> = {},
): Promise<Record<string, FunctionDefinition>> {
  const functions: Record<string, FunctionDefinition> = {};
  for (const [name, contents] of Object.entries(sources)) {
    const bundleDir = join(folder, name);
    await mkdir(bundleDir, { recursive: true });
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: join(bundleDir, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      banner: { js: banner },
      logLevel: 'error',
    });
    functions[name] = {
      bundleDir,
      environment: {},
      timeoutSeconds: 20,
      memoryMb: 256,
      ...settings,
    };
  }
  return functions;
}
