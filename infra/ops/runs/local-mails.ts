import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { nameMessages } from '../../local/output/folder.ts';
import type { LedgerTarget } from '../targets/target.ts';

type Outbox = Pick<LedgerTarget, 'outbox'>;

/**
 * Names the mails of a run in the outbox of a local target, as `npm start` does. Returns the line that says which one to
 * open; none where the target is deployed, or the mails are not there.
 */
export async function nameMailsOfRun(target: Outbox, { run, messages }: Receipt): Promise<string[]> {
  return await nameMails(
    target,
    run,
    messages.flatMap(({ messageId }) => messageId ?? []),
  );
}

/** Names the test mails of a run that were not in the outbox `before`. Returns a line as `nameMailsOfRun` does. */
export async function nameTestMails(target: Outbox, run: string, before: readonly string[]): Promise<string[]> {
  const sent = (await readMailIds(target)).filter((id) => !before.includes(id));
  return await nameMails(target, `${run}-test`, sent);
}

/** The message ids of the mails in the outbox of a local target, in the order in which they were sent. */
export async function readMailIds({ outbox }: Outbox): Promise<string[]> {
  if (outbox === undefined || !existsSync(outbox)) return [];
  // A message id begins with the time.
  return (await readdir(outbox)).flatMap((name) => /^([^.].*)\.eml$/.exec(name)?.[1] ?? []).toSorted();
}

/** The line that says where the mail of a run is that was named before; none where there is no such file, or another state's run of the same name left it. */
export function findMailOfRun({ outbox }: Outbox, { run, messages }: Receipt): string[] {
  const [first] = messages.flatMap(({ messageId }) => messageId ?? []);
  if (outbox === undefined || first === undefined || !existsSync(join(outbox, `${first}.eml`))) return [];
  const file = join(outbox, `${run}-1.html`);
  return existsSync(file) ? [describeFile(file)] : [];
}

/** The files in the outbox of a local target that contain an address: mails, and the receipt of the last run. */
export async function findFilesWith({ outbox }: Outbox, address: string): Promise<string[]> {
  if (outbox === undefined || !existsSync(outbox)) return [];
  const found: string[] = [];
  for (const name of (await readdir(outbox)).toSorted()) {
    if (!name.endsWith('.eml') && name !== 'receipt.json') continue;
    const file = join(outbox, name);
    if ((await readFile(file, 'utf8')).toLowerCase().includes(address.toLowerCase())) found.push(file);
  }
  return found;
}

async function nameMails({ outbox }: Outbox, name: string, ids: readonly string[]): Promise<string[]> {
  if (outbox === undefined || !existsSync(outbox) || !(await nameMessages(outbox, name, ids))) return [];
  return [describeFile(join(outbox, 'latest.html'))];
}

/** The line that says which file has a mail. */
export function describeFile(file: string): string {
  return `To see the mail, open ${file}`;
}
