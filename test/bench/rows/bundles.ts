import { Temporal } from 'temporal-polyfill';
import { analyzeBundles, type BundleContents } from '../../../infra/build/bundles.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import type { Row } from '../row.ts';

const limitsKb = new Map([
  ['run', 950],
  ['collect', 620],
  ['feedback', 500],
  ['watch', 500],
]);

/** The bundles' sizes, minified, in thousands of bytes, and what is in them. */
export async function bundleRows(): Promise<Row[]> {
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const bundles = await analyzeBundles(loadConfiguration({ today }));
  return Object.entries(bundles).map(([name, contents]) => {
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
      note: largest(contents),
    };
  });
}

/** What has no place in a bundle: MJML, the ways by which nodemailer sends, and two copies of anything. */
function faultsOf({ inputs }: BundleContents): string[] {
  const files = Object.keys(inputs);
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

function largest({ inputs }: BundleContents): string {
  const parts = new Map<string, number>();
  for (const [file, bytes] of Object.entries(inputs)) {
    const part = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/').slice(0, 2).join('/');
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  const sorted = [...parts].toSorted(([, one], [, other]) => other - one);
  return `  ${sorted
    .slice(0, 10)
    .map(([part, bytes]) => `${part} ${Math.round(bytes / 1000)}`)
    .join(', ')}`;
}
