import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// The folder where the embedded SES keeps what it accepts: `<message id>.eml`, with its `.html` and `.txt`. In place of a
// folder, `null` is the outbox of a deployed target.

/** Removes what the last run left in the folder beside its mails; a dry run also removes the messages of the last one, a draft the last draft. */
export async function clearLastRun(out: string, { dryRun, draft }: { dryRun: boolean; draft: boolean }): Promise<void> {
  await mkdir(out, { recursive: true });
  const left = ['digest.json', 'receipt.json', ...(draft ? ['draft'] : dryRun ? ['planned'] : [])];
  for (const name of left) await rm(join(out, name), { recursive: true, force: true });
}

/** Writes `receipt.json`, and `digest.json` where there is a digest. */
export async function writeOutcome(out: string, outcome: { receipt: object; digest: object | null }): Promise<void> {
  for (const [name, value] of Object.entries(outcome)) {
    if (value !== null) await writeFile(join(out, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  }
}

/** A message, as far as its file goes by it. */
type Sent = ReadonlyArray<{ messageId: string | null }>;

/** The html of the first message that was sent; `null` where the folder has none, since it may be in another one. */
export function fileOfMail(out: string | null, messages: Sent): string | null {
  const first = messages.find(({ messageId }) => messageId !== null)?.messageId;
  const file = out === null ? null : join(out, `${first}.html`);
  return file !== null && existsSync(file) ? file : null;
}

/** Copies the html of the first message to `latest.html`. Returns what `describeFile` says of it; nothing where the folder has none. */
export async function keepLatest(out: string | null, messages: Sent, show: string | null): Promise<string[]> {
  const file = fileOfMail(out, messages);
  if (out === null || file === null) return [];
  const latest = join(out, 'latest.html');
  await copyFile(file, latest);
  return describeFile(latest, show);
}

/** The files in the folder that contain an address: mails, those of a dry run too, and the receipt of the last run. */
export async function findFilesWith(out: string | null, address: string): Promise<string[]> {
  if (out === null || !existsSync(out)) return [];
  const files: string[] = [];
  for (const name of (await readdir(out, { recursive: true })).toSorted()) {
    if (!name.endsWith('.eml') && name !== 'receipt.json') continue;
    const file = join(out, name);
    if ((await readFile(file, 'utf8')).toLowerCase().includes(address.toLowerCase())) files.push(file);
  }
  return files;
}

/** Says which file has a mail, and where a command shows the mail, also how its links work. */
export function describeFile(file: string, show: string | null): string[] {
  const links = show === null ? [] : [`Its links work while this is open, on a terminal: ${show}`];
  return [`To see the mail, open ${file}`, ...links];
}
