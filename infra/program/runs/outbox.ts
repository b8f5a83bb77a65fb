import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { storing } from '../../local/local-error.ts';
import type { LedgerTarget } from '../targets/target.ts';

// The folder where the embedded SES keeps what it accepts: `<message id>.eml`, with its `.html` and `.txt`. A deployed
// target has no such folder.

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
export function fileOfMail(out: string | undefined, messages: Sent): string | null {
  const first = messages.find(({ messageId }) => messageId !== null)?.messageId;
  const file = join(out ?? '', `${first}.html`);
  return out !== undefined && existsSync(file) ? file : null;
}

/** Copies the html of the first message to `latest.html`. Returns what `describeFile` says of it; nothing where the folder has none. */
export async function keepLatest(out: string | undefined, messages: Sent, show: string | null): Promise<string[]> {
  const file = fileOfMail(out, messages);
  if (out === undefined || file === null) return [];
  const latest = join(out, 'latest.html');
  await copyFile(file, latest);
  return describeFile(latest, show);
}

/** What a local system writes to its outbox: mails and cards, those of a dry run too, the last run's outcome, a draft. */
const written =
  /^(?:(?:planned\/)?(?:(?:0102)?[\da-f]{12}-[^/]+|(?:digest|receipt)\.json|latest\.html)|draft\/(?:latest\.html|\w[\w-]*_\d{4}-[^/]+))$/;

/**
 * The files of a local target that have an address, compared without case: those that it wrote itself, a mail's three together,
 * and `others` in its outbox. The ledger's own files are not among them.
 */
export async function findTraces({ outbox, state }: Pick<LedgerTarget, 'outbox' | 'state'>, address: string) {
  const mails = await filesIn(outbox, address);
  const ids = new Set(mails.filter(({ has }) => has).map(idOf));
  const isOurs = ({ name }: { name: string }): boolean => written.test(name) && ids.has(idOf({ name }));
  const kept = (await filesIn(state, address)).filter(({ name, has }) => has && !/^(?:dynamodb|lock)\//.test(name));
  return {
    written: [...mails.filter(isOurs), ...kept].map(({ file }) => file),
    others: mails.filter((mail) => mail.has && !isOurs(mail)).map(({ file }) => file),
  };
}

const idOf = ({ name }: { name: string }): string => name.replace(/\.[^/]*$/, '');

/** The files below a folder, by their paths in it, and whether they have an address. None where there is no such folder. */
async function filesIn(folder: string | undefined, address: string) {
  if (folder === undefined || !existsSync(folder)) return [];
  const escaped = address.replaceAll(/[^\w@]/g, String.raw`\$&`);
  // Not one that ends or begins with this one.
  const pattern = new RegExp(String.raw`(?<![\w.+-])${escaped}(?![\w-]|\.\w)`, 'i');
  return await storing(folder, async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return await Array.fromAsync(files.toSorted(), async (file) => {
      return { file, name: relative(folder, file), has: pattern.test(await readFile(file, 'latin1')) };
    });
  });
}

/** Says which file has a mail, and where a command shows the mail, also how its links work. */
export function describeFile(file: string, show: string | null): string[] {
  const links = show === null ? [] : [`Its links work while this is open, on a terminal: ${show}`];
  return [`To see the mail, open ${file}`, ...links];
}
