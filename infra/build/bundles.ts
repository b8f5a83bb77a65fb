import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { withoutAddresses, type Configuration } from '../../functions/domain/configuration/configuration.ts';
import { leanModules } from './lean-modules.ts';
import { compileTemplates, templatesModule } from './templates.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The functions, by the folder of their handler. */
export const functionNames = ['run', 'collect', 'feedback', 'watch', 'unsubscribe'] as const;
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
  const modules = await virtualModulesOf(configuration);
  await Promise.all(functionNames.map((name) => writeBundle(name, `${outDir}/${name}`, modules(name))));
  return {
    run: `${outDir}/run`,
    collect: `${outDir}/collect`,
    feedback: `${outDir}/feedback`,
    watch: `${outDir}/watch`,
    unsubscribe: `${outDir}/unsubscribe`,
  };
}

/** Written here, because esbuild would say of a full disk that the code has errors. */
async function writeBundle(
  name: FunctionName,
  folder: string,
  modules: Readonly<Record<string, string>>,
): Promise<void> {
  const { outputFiles } = await build({ ...optionsOf(name, folder, modules), write: false });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
}

/** The size of a bundle, and of the files in it. */
export interface BundleContents {
  /** Bytes of the whole, minified, without its source map. */
  bytes: number;
  /** Bytes that each file has in it, by the file's path from the repository. */
  inputs: Readonly<Record<string, number>>;
}

/** The contents of each function's bundle, by the function's name, without writing it. */
export async function analyzeBundles(configuration: Configuration): Promise<Record<string, BundleContents>> {
  const modules = await virtualModulesOf(configuration);
  const contents = await Promise.all(
    functionNames.map(async (name) => {
      const options = optionsOf(name, name, modules(name));
      const { metafile } = await build({ ...options, write: false, metafile: true, absWorkingDir: repository });
      const output = Object.entries(metafile.outputs).find(([file]) => file.endsWith('.mjs'))?.[1];
      if (output === undefined) throw new Error(`The bundle of "${name}" was not made.`);
      const inputs = Object.entries(output.inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]);
      return [name, { bytes: output.bytes, inputs: Object.fromEntries(inputs) }] as const;
    }),
  );
  return Object.fromEntries(contents);
}

/** The modules of each function: the run alone knows addresses. */
async function virtualModulesOf(
  configuration: Configuration,
): Promise<(name: FunctionName) => Readonly<Record<string, string>>> {
  const templates = templatesModule(await compileTemplates(`${repository}templates`, configuration.mail.logo));
  const whole = { 'virtual:configuration': `export default ${JSON.stringify(configuration)};` };
  const nameless = {
    'virtual:configuration-without-addresses': `export default ${JSON.stringify(withoutAddresses(configuration))};`,
  };
  return (name) => ({ 'virtual:templates': templates, ...(name === 'run' ? whole : nameless) });
}

function optionsOf(name: FunctionName, folder: string, modules: Readonly<Record<string, string>>) {
  return {
    entryPoints: [`${repository}functions/${name}/handler.ts`],
    outfile: `${folder}/index.mjs`,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Node has a fetch of its own: of ofetch, the build that brings none along.
    conditions: ['module', 'wintercg'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: banner },
    plugins: [virtualModules(modules), leanModules(repository)],
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/** Modules that are made here and not in a file: what a deployed version is made of besides code. */
function virtualModules(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'virtual-modules',
    setup: (build) => {
      build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      build.onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => {
        const contents = modules[path];
        if (contents === undefined) return { errors: [{ text: `"${path}" is not for this function.` }] };
        return { contents, loader: 'js', resolveDir: repository };
      });
    },
  };
}
