import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** `npm ci` empties it, with the packages that the builds are made of. */
const cacheFolder = join(repository, 'node_modules/.cache/broadcast-digest');

/** What every build is made of besides its own sources: the code that builds, and the packages. */
const builders = [join(repository, 'infra/build'), join(repository, 'package-lock.json')];

const unusedMs = 24 * 60 * 60 * 1000;

/** What is built, and of what. */
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
 * when something else is built. Where the cache cannot be written, as in a read-only checkout, the folder is a temporary one.
 *
 * @param root the folder of the cache
 * @throws whatever `write` throws
 */
export async function cachedBuild({ sources, settings, write }: CachedBuild, root = cacheFolder): Promise<string> {
  const folder = join(root, await hashOf([...sources, ...builders], JSON.stringify(settings)));
  const now = new Date();
  const marked = utimes(folder, now, now).then(() => true);
  if (await marked.catch(() => false)) return folder;
  const fresh = await mkdir(root, { recursive: true })
    .then(() => mkdtemp(join(root, 'unfinished-')))
    .catch(() => mkdtemp(join(tmpdir(), 'broadcast-digest-')));
  await write(fresh);
  await removeUnused(root, now.getTime() - unusedMs);
  // It stays where it is if it cannot be moved: another process was first with the same build, or the folder is a temporary one.
  const moved = rename(fresh, folder).then(() => folder);
  return await moved.catch(() => fresh);
}

async function removeUnused(root: string, before: number): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    // Another process may be removing the same one.
    const used = await stat(folder).catch(() => null);
    if (used !== null && used.mtimeMs < before) await rm(folder, { recursive: true, force: true });
  }
}

/** A hash of a text, of the files' contents, and of their paths within the folders. */
async function hashOf(sources: readonly string[], text: string): Promise<string> {
  const hash = createHash('sha256').update(text);
  for (const source of sources) {
    for (const file of await filesOf(source)) {
      const contents = await readFile(join(source, file));
      hash.update(`${file}\0${contents.length}\0`).update(contents);
    }
  }
  return hash.digest('hex');
}

/** The files at a path, sorted: those below a folder, or the path itself, which is '' then. */
async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [''];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length))
    .toSorted();
}
