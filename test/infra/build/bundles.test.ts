import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildBundles, functionNames, type FunctionName } from '../../../infra/build/bundles.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

/** A configuration with an address of its own wherever one is possible. */
const addressed = {
  mail: {
    from: 'sender@digest.example',
    replyTo: 'answers@digest.example',
    footer: { why: 'You manage a site.', contact: 'Write to contact@digest.example.' },
  },
  operations: { alarmAddresses: ['alarms@digest.example'] },
  reports: ['weekly', 'daily'].map((name) => ({
    name,
    schedule: { every: 'day', at: '07:30', timeZone: 'Europe/London' },
    subscribers: [`${name}@digest.example`],
  })),
};

const folder = temporaryFolder();
beforeAll(() => buildBundles(loadConfiguration({ overlay: addressed }), folder));

const own = ['alarms', 'answers', 'contact', 'daily', 'sender', 'weekly'].map((who) => `${who}@digest.example`);
const shown: Partial<Record<FunctionName, string[]>> = { run: own, page: ['contact@digest.example'] };
const inRepository = /^(?:functions|node_modules)\/(?!\.cache\/)|^templates:/;

test.each(functionNames)(
  'the bundle of %s holds no address but those that it sends or shows, and maps to sources by their paths in the repository',
  async (name) => {
    const files = await readdir(`${folder}/${name}`);
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${name}/${file}`, 'utf8')));
    const addresses = texts.flatMap((text) => text.match(/\w+@digest\.example/g) ?? []);
    expect([...new Set(addresses)].toSorted()).toEqual(shown[name] ?? []);
    const { sources }: { sources: string[] } = JSON.parse(texts[files.indexOf('index.cjs.map')] ?? '');
    expect(sources).toContain(`functions/${name}/handler.ts`);
    expect(sources.filter((source) => !inRepository.test(source))).toEqual([]);
  },
);

/** A checkout of the repository with its packages, and no builds that others made. */
async function checkOut(folder: string): Promise<string> {
  for (const name of [
    'functions',
    'infra',
    'templates',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'cdk.json',
  ]) {
    await cp(resolve(name), join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (name !== '.cache') await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

const script = `
  import { buildBundles } from './infra/build/bundles.ts';
  import { loadConfiguration } from './infra/config.ts';
  await buildBundles(loadConfiguration({}), 'bundles');`;

/** The files of bundles, with their contents. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.\w+$/.test(file));
  const contents = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return Object.fromEntries(files.map((file, index) => [file, contents[index] ?? '']));
}

test('another checkout of the same source publishes the same bundles', async () => {
  const checkout = await checkOut(join(temporaryFolder(), 'some/deeper/folder/of another-name'));
  await run(join(checkout, 'node_modules/.bin/node'), ['--input-type=module', '--eval', script], { cwd: checkout });
  const near = temporaryFolder();
  await buildBundles(loadConfiguration({}), near);
  const bundles = await contentsOf(near);
  // Each with its source map and its configuration, but for the worker's, whose settings come with its orders.
  expect(Object.keys(bundles).length).toBe(6 * 3 - 1);
  expect(await contentsOf(join(checkout, 'bundles'))).toEqual(bundles);
});
