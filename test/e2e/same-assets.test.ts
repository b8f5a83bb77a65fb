import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'same-assets-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A checkout of the repository with its packages, and no builds that others made. */
async function checkOut(folder: string): Promise<string> {
  for (const name of ['functions', 'infra', 'templates', 'package.json', 'package-lock.json', 'cdk.json']) {
    await cp(resolve(name), join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir('node_modules')) {
    if (name !== '.cache') await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

const assetsSchema = v.object({ files: v.record(v.string(), v.object({ displayName: v.string() })) });

/** What a checkout would publish: each asset's name with its hash, the template's included. */
async function synthesize(checkout: string): Promise<Record<string, string>> {
  const outdir = join(checkout, 'cdk.out');
  const { context }: { context: unknown } = JSON.parse(await readFile(join(checkout, 'cdk.json'), 'utf8'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(join(checkout, 'node_modules/.bin/node'), ['infra/app.ts'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, NODE_COMPILE_CACHE, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`The app ended with ${code}: ${stderr}`);
  const manifest: unknown = JSON.parse(await readFile(join(outdir, 'BroadcastDigest.assets.json'), 'utf8'));
  const { files } = v.parse(assetsSchema, manifest);
  return Object.fromEntries(Object.entries(files).map(([hash, { displayName }]) => [displayName, hash]));
}

test('two checkouts of the same source publish the same assets and the same template', async () => {
  const near = await synthesize(await checkOut(join(root, 'a')));
  const far = await synthesize(await checkOut(join(root, 'some/deeper/folder/of another-name')));
  expect(Object.keys(near)).toHaveLength(7);
  expect(far).toEqual(near);
});
