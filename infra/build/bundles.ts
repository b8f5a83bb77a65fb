import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Configuration } from '../../functions/configuration.ts';
import { compileTemplates, templatesModule } from './templates.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The functions, by the folder of their handler. */
export const functionNames = ['run', 'collect'] as const;
export type FunctionName = (typeof functionNames)[number];

/** CommonJS parts of a bundle need `require`; under another local name than dependencies give it in their own modules. */
const banner = "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);";

/**
 * Bundles each function with its configuration and the compiled templates, minified, with a source map:
 * `<outDir>/<function>/index.mjs`. The same bundles are deployed and run locally. Returns the folders.
 */
export async function buildBundles(
  configuration: Configuration,
  outDir: string,
): Promise<Record<FunctionName, string>> {
  const modules = {
    'virtual:configuration': `export default ${JSON.stringify(configuration)};`,
    'virtual:templates': templatesModule(await compileTemplates(`${repository}templates`)),
  };
  await Promise.all(functionNames.map((name) => bundle(name, `${outDir}/${name}`, modules)));
  return { run: `${outDir}/run`, collect: `${outDir}/collect` };
}

async function bundle(name: FunctionName, folder: string, modules: Readonly<Record<string, string>>): Promise<void> {
  await build({
    entryPoints: [`${repository}functions/${name}/handler.ts`],
    outfile: `${folder}/index.mjs`,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: banner },
    plugins: [virtualModules(modules)],
    logLevel: 'warning',
  });
}

/** Modules that are made here and not in a file: what a deployed version is made of besides code. */
function virtualModules(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'virtual-modules',
    setup: (build) => {
      build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      build.onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => ({
        contents: modules[path] ?? '',
        loader: 'js',
        resolveDir: repository,
      }));
    },
  };
}
