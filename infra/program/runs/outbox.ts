import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import type { RunOutcome } from './outcome.ts';

// The folder where the embedded SES keeps what it accepts: `<message id>.eml`, with its `.html` and `.txt`. In place of a
// folder, `null` is the outbox of a deployed target.

/** Removes what the last run left in the folder beside its mails; a dry run also removes the messages of the last one. */
export async function clearLastRun(out: string, { dryRun }: { dryRun: boolean }): Promise<void> {
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

/**
 * Names messages for people: `<name>-<number>.html` in the order of `ids`, the names of their files, and the first also
 * `latest.html`. Returns the line that says which one to open; none where the mails are not there, since those that were sent
 * before may be in another folder.
 */
export async function nameMessages(out: string | null, name: string, ids: readonly string[]): Promise<string[]> {
  if (out === null || !existsSync(out)) return [];
  const found = new Set(await readdir(out));
  for (const [index, id] of ids.entries()) {
    if (!found.has(`${id}.html`)) continue;
    const html = join(out, `${id}.html`);
    await copyFile(html, join(out, `${name}-${index + 1}.html`));
    if (index === 0) await copyFile(html, join(out, 'latest.html'));
  }
  return found.has(`${ids[0]}.html`) ? [describeFile(join(out, 'latest.html'))] : [];
}

/** Names the mails of a run as `nameMessages` does. */
export async function nameMailsOfRun(out: string | null, { run, messages }: Receipt): Promise<string[]> {
  return await nameMessages(out, run, idsOf(messages));
}

/** The message ids of the mails in the folder, in the order in which they were sent. */
export async function readMailIds(out: string | null): Promise<string[]> {
  if (out === null || !existsSync(out)) return [];
  // A message id begins with the time.
  return (await readdir(out)).flatMap((name) => /^([^.].*)\.eml$/.exec(name)?.[1] ?? []).toSorted();
}

/** The line that says where the mail of a run is that was named before; none where there is no such file, or another state's run of the same name left it. */
export function findMailOfRun(out: string | null, { run, messages }: Receipt): string[] {
  const [first] = idsOf(messages);
  if (out === null || first === undefined || !existsSync(join(out, `${first}.eml`))) return [];
  const file = join(out, `${run}-1.html`);
  return existsSync(file) ? [describeFile(file)] : [];
}

/** The files in the folder that contain an address: mails, and the receipt of the last run. */
export async function findFilesWith(out: string | null, address: string): Promise<string[]> {
  if (out === null || !existsSync(out)) return [];
  const found: string[] = [];
  for (const name of (await readdir(out)).toSorted()) {
    if (!name.endsWith('.eml') && name !== 'receipt.json') continue;
    const file = join(out, name);
    if ((await readFile(file, 'utf8')).toLowerCase().includes(address.toLowerCase())) found.push(file);
  }
  return found;
}

function idsOf(messages: Receipt['messages']): string[] {
  return messages.flatMap(({ messageId }) => messageId ?? []);
}

/** The line that says which file has a mail. */
export function describeFile(file: string): string {
  return `To see the mail, open ${file}`;
}
