import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** `npm ci` empties it, with the packages that the builds are made of. */
const cacheFolder = join(repository, 'node_modules/.cache/broadcast-digest');

/** What every build is made of besides its own sources: the code that builds, and the packages. */
const builders = [join(repository, 'infra/build'), join(repository, 'package-lock.json')];

const unusedMs = 24 * 60 * 60 * 1000;

interface CachedBuild {
  /** The files that it depends on, and the folders whose files, at any depth, it depends on. */
  sources: readonly string[];
  /** What else it depends on. */
  settings: Readonly<Record<string, unknown>>;
  /** Writes the build into an empty folder. */
  write: (folder: string) => Promise<void>;
}

/**
 * The folder of a build, which is written only where none of the same sources exists. What was not used for a day is removed
 * when something else is built.
 *
 * @param root the folder of the cache
 * @throws whatever `write` throws
 */
export async function cachedBuild({ sources, settings, write }: CachedBuild, root = cacheFolder): Promise<string> {
  const folder = join(root, hashOf([...sources, ...builders], JSON.stringify(settings)));
  const now = new Date();
  const marked = utimes(folder, now, now).then(() => true);
  if (await marked.catch(() => false)) return folder;
  await mkdir(root, { recursive: true });
  const fresh = await mkdtemp(join(root, 'unfinished-'));
  await write(fresh);
  await removeUnused(root, now.getTime() - unusedMs);
  // Where another process was first with the same build, this one stays where it is.
  const moved = rename(fresh, folder).then(() => folder);
  return await moved.catch(() => fresh);
}

async function removeUnused(root: string, before: number): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    // Another process may be removing the same one.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < before) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A hash of a text, of the files' contents, and of their paths within the folders. Every start waits for it, and hundreds of small
 * files are read three times as fast when nothing is waited for between them.
 */
function hashOf(sources: readonly string[], text: string): string {
  const hash = createHash('sha256').update(text);
  for (const source of sources) {
    const isFolder = statSync(source).isDirectory();
    const names = isFolder ? readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted() : [''];
    for (const name of names) {
      const path = join(source, name);
      if (statSync(path).isDirectory()) continue;
      const contents = readFileSync(path);
      hash.update(`${name}\0${contents.length}\0`).update(contents);
    }
  }
  return hash.digest('hex');
}
