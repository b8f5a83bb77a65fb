import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '../command-line/flags.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Removes what the last run left in the folder beside its mails; a rehearsal also removes the messages of the last one. */
export async function clearLastRun({ out, dryRun }: Pick<Options, 'out' | 'dryRun'>): Promise<void> {
  await mkdir(out, { recursive: true });
  await rm(join(out, 'digest.json'), { force: true });
  await rm(join(out, 'receipt.json'), { force: true });
  if (dryRun) await rm(join(out, 'planned'), { recursive: true, force: true });
}

/** Writes `receipt.json`, and `digest.json` where there is a digest. */
export async function writeOutcome(out: string, { receipt, digest }: RunOutcome): Promise<void> {
  await writeJson(join(out, 'receipt.json'), receipt);
  if (digest !== null) await writeJson(join(out, 'digest.json'), digest);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
