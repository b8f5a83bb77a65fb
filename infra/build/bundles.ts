import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { forPages, withoutAddresses, type Configuration } from '../../functions/domain/configuration/configuration.ts';
import { cachedBuild } from './build-cache.ts';
import { functionNames, type FunctionName } from '../function-settings.ts';
import { buildTemplates } from './load-templates.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Writes what is deployed of each function: its bundle, minified, with a source map, and its configuration beside it, as
 * `<outDir>/<function>/index.cjs` and `configuration.json`. The same sources give the same bytes wherever the repository is.
 */
export async function buildBundles(configuration: Configuration, outDir: string): Promise<void> {
  const code = await bundleFunctions(configuration.mail.logo);
  for (const name of functionNames) await cp(`${code}/${name}`, `${outDir}/${name}`, { recursive: true });
  await writeConfigurations(configuration, outDir);
}

/**
 * Bundles each function with the compiled templates, as `<function>/index.cjs` in the folder that it gives, where what was
 * bundled before is already. These files are copied for a deployment and run where they are locally: nobody may change them.
 */
export async function bundleFunctions(logo: Configuration['mail']['logo']): Promise<string> {
  return await cachedBuild({
    sources: [`${repository}functions`, `${repository}templates`],
    settings: { logo },
    write: async (folder) => {
      const templates = await buildTemplates(`${repository}templates`, logo);
      await Promise.all(functionNames.map((name) => writeBundle(`${folder}/${name}`, name, templates)));
    },
  });
}

/** Writes what each function has of the configuration, as `<outDir>/<function>/configuration.json`. */
export async function writeConfigurations(configuration: Configuration, outDir: string): Promise<void> {
  for (const name of functionNames) {
    // What it needs comes with each order.
    if (name === 'collect') continue;
    await mkdir(`${outDir}/${name}`, { recursive: true });
    const json = JSON.stringify(configurationFor(name, configuration), null, 2);
    await writeFile(`${outDir}/${name}/configuration.json`, json);
  }
}

/** What a function gets of the configuration: `run` alone has the addresses. */
function configurationFor(name: FunctionName, configuration: Configuration): object {
  if (name === 'run') return configuration;
  return name === 'page' ? forPages(configuration) : withoutAddresses(configuration);
}

/**
 * Writes the bundle of a function. Written here, because esbuild would say of a full disk that the code has errors. For esbuild
 * the bundle is at the top of the repository, wherever it is written: the source map names the sources by their paths from there.
 */
async function writeBundle(folder: string, name: FunctionName, templates: string): Promise<void> {
  // Loaded here, because code is rarely bundled.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    outfile: `${repository}index.cjs`,
    write: false,
    absWorkingDir: repository,
    // Where packages are links, their names in the source map are the same.
    preserveSymlinks: true,
    entryPoints: [`functions/${name}/handler.ts`],
    bundle: true,
    platform: 'node',
    target: 'node24',
    // Required, `node:http` is loaded alone. Imported, all that it exports is looked up, WebSocket among it, for which Node
    // loads its fetch: a third of a cold start.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    // Node has a fetch of its own: of ofetch, the build that brings none along.
    conditions: ['module', 'wintercg'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [virtualModules(templates)],
    logLevel: 'warning',
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(`${folder}/${basename(path)}`, contents);
}

/** Modules that are not files of the code: the compiled templates, and the configuration, which stays a file beside the code. */
function virtualModules(templates: string): Plugin {
  return {
    name: 'virtual-modules',
    setup: (build) => {
      // Under a name of its own, because the path of the compiled templates would be in the source map.
      build.onResolve({ filter: /^virtual:templates$/ }, () => ({ path: 'compiled', namespace: 'templates' }));
      build.onLoad({ filter: /.*/, namespace: 'templates' }, async () => ({ contents: await readFile(templates) }));
      const beside = { path: './configuration.json', external: true };
      build.onResolve({ filter: /^virtual:configuration/ }, () => beside);
    },
  };
}
