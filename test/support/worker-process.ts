import { copyFile, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const schema = v.object({ peakMiB: v.number(), cpuMs: v.number() });

/** What worker processes took so far: the most resident memory of any of them in MiB, and processor time in milliseconds. */
export type WorkerUse = v.InferOutput<typeof schema>;

/**
 * Has a system run its collect worker in a process of its own for each thread, before its first invocation. Gives what
 * these processes took, as of their last answers.
 *
 * @param state the system's state folder
 */
export async function putWorkerInProcess(state: string): Promise<() => Promise<WorkerUse>> {
  const folder = join(state, 'bundles/collect');
  await rename(join(folder, 'index.mjs'), join(folder, 'bundle.mjs'));
  await copyFile(fileURLToPath(new URL('worker-process.mjs', import.meta.url)), join(folder, 'index.mjs'));
  return async () => {
    const files = (await readdir(folder)).filter((name) => name.startsWith('use-'));
    const uses = await Promise.all(
      files.map(async (name) => v.parse(schema, JSON.parse(await readFile(join(folder, name), 'utf8')))),
    );
    return {
      peakMiB: Math.max(0, ...uses.map(({ peakMiB }) => peakMiB)),
      cpuMs: uses.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    };
  };
}
