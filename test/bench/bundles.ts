import { build, type BuildOptions } from 'esbuild';
import { bundleOptions, functionNames } from '../../infra/build/bundles.ts';
import type { Row } from './measurement.ts';

const limitsKb = new Map([
  ['run', 950],
  ['collect', 620],
  ['feedback', 500],
  ['watch', 500],
  ['page', 500],
]);

/** The bundles' sizes, minified, in thousands of bytes, and what is in them. */
export async function bundleRows(): Promise<Row[]> {
  const optionsOf = await bundleOptions();
  const rows = functionNames.map(async (name): Promise<Row> => {
    const contents = await contentsOf(name, optionsOf(name));
    const limit = limitsKb.get(name);
    const kb = contents.bytes / 1000;
    const faults = faultsOf(contents);
    return {
      what: `bundle of ${name}`,
      against: '',
      measured: `${kb.toFixed(0)} KB${faults.length === 0 ? '' : `, with ${faults.join(', ')}`}`,
      figure: kb,
      target: limit === undefined ? 'nothing twice' : `at most ${limit} KB, nothing twice`,
      met: faults.length === 0 && kb <= (limit ?? Infinity),
    };
  });
  return await Promise.all(rows);
}

/** A bundle. */
interface BundleContents {
  /** Bytes of the whole, minified, without its source map. */
  bytes: number;
  /** The files in it, by their paths from the repository. */
  files: readonly string[];
}

/** The contents of a function's bundle, which is not written. */
async function contentsOf(name: string, options: BuildOptions): Promise<BundleContents> {
  const { metafile } = await build({ ...options, outfile: `${name}/index.mjs`, write: false, metafile: true });
  const output = Object.entries(metafile.outputs).find(([file]) => file.endsWith('.mjs'))?.[1];
  if (output === undefined) throw new Error(`The bundle of "${name}" was not made.`);
  return { bytes: output.bytes, files: Object.keys(output.inputs) };
}

/** What has no place in a bundle: MJML, the ways by which nodemailer sends, and two copies of anything. */
function faultsOf({ files }: BundleContents): string[] {
  const unwanted = /node_modules\/mjml|nodemailer\/.*\/(?:\w+-transport|smtp-\w+|nodemailer)\b/;
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const [, folder = '', name = ''] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
    if (name !== '') folders.set(name, (folders.get(name) ?? new Set()).add(folder));
  }
  // A package that has both kinds of modules is in a bundle as one of them.
  const kinds = (name: string): string[] =>
    ['dist-es', 'dist-cjs', 'dist/esm', 'dist/cjs'].filter((kind) =>
      files.some((file) => file.includes(`node_modules/${name}/${kind}/`)),
    );
  return [
    ...files.filter((file) => unwanted.test(file)),
    ...[...folders].filter(([, of]) => of.size > 1).map(([name, of]) => `${of.size} copies of ${name}`),
    ...[...folders.keys()]
      .filter((name) => kinds(name).length > 1)
      .map((name) => `${name} as ${kinds(name).join(' and ')}`),
  ];
}
