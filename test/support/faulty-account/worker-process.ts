import { copyFile, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Has a system run its collect worker in a process of its own for each thread, before its first invocation. Gives the most
 * resident memory that any of these processes took until its last answer, in MiB.
 *
 * @param state the system's state folder
 */
export async function putWorkerInProcess(state: string): Promise<() => Promise<number>> {
  const folder = join(state, 'bundles/collect');
  await rename(join(folder, 'index.cjs'), join(folder, 'bundle.cjs'));
  await copyFile(fileURLToPath(new URL('worker-process.cjs', import.meta.url)), join(folder, 'index.cjs'));
  return async () => {
    const files = (await readdir(folder)).filter((name) => name.startsWith('peak-'));
    const peaks = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    return Math.max(0, ...peaks.map(Number)) / 1024;
  };
}
