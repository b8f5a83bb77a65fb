import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '../command-line/flags.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Removes what the last run left in the folder beside its mails; a dry run also removes the messages of the last one. */
export async function clearLastRun({ out, dryRun }: Pick<Options, 'out' | 'dryRun'>): Promise<void> {
  await mkdir(out, { recursive: true });
  await rm(join(out, 'digest.json'), { force: true });
  await rm(join(out, 'receipt.json'), { force: true });
  if (dryRun) await rm(join(out, 'planned'), { recursive: true, force: true });
}

/**
 * Names a run's messages for people: `<run>-<number>.html` in the order of `ids`, the names of their files, and the first also
 * `latest.html`. Returns whether it is, since mails that were sent before may be in another folder.
 */
export async function nameMessages(out: string, run: string, ids: readonly string[]): Promise<boolean> {
  const found = new Set(await readdir(out));
  for (const [index, id] of ids.entries()) {
    if (!found.has(`${id}.html`)) continue;
    const html = join(out, `${id}.html`);
    await copyFile(html, join(out, `${run}-${index + 1}.html`));
    if (index === 0) await copyFile(html, join(out, 'latest.html'));
  }
  return found.has(`${ids[0]}.html`);
}

/** Writes `receipt.json`, and `digest.json` where there is a digest. */
export async function writeOutcome(out: string, { receipt, digest }: RunOutcome): Promise<void> {
  await writeJson(join(out, 'receipt.json'), receipt);
  if (digest !== null) await writeJson(join(out, 'digest.json'), digest);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
