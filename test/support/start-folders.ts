import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../functions/digest/schema.ts';
import { receiptSchema, type Receipt } from '../../functions/run/receipt/receipt.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { visibleText } from './visible-text.ts';

/** The two folders of a start command, in a temporary one of a test's own; the command makes them. */
export function createFolders() {
  const root = temporaryFolder();
  const out = join(root, 'out');
  const state = join(root, 'state');
  return {
    out,
    /** Below it is a state folder for each service. */
    state,
    /** The state folder of the sample account that the command starts itself. */
    sampleState: join(state, 'sample'),
    /** The state folder of a service on loopback, which is named after its client id. */
    stateOfClient: (id: string) => join(state, `client-${id}`),
    /** The flags that name them. */
    flags: ['--out', out, '--state', state],
  };
}

/** The mails of a folder, each with its id and what a mail program reads in it, by address, without those that are `known`: they all are from then on. */
export async function readMails(folder: string, known = new Set<string>()) {
  const isMail = (name: string): boolean => name.endsWith('.eml') && !name.startsWith('.') && !known.has(name);
  const names = (await namesIn(folder)).filter(isMail);
  for (const name of names) known.add(name);
  const mails = names.map(async (name) => {
    const email = await PostalMime.parse(await readFile(join(folder, name)));
    return { messageId: name.replace(/\.eml$/, ''), to: email.to?.[0]?.address ?? '', email };
  });
  return (await Promise.all(mails)).toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

/** What both parts of a mail show, a line a block; without addresses of links, which may be a subscriber's own. */
export function shownParts({ html = '', text = '' }: Pick<Email, 'html' | 'text'>): { html: string; text: string } {
  const [shownHtml = '', shownText = ''] = [visibleText(html), text].map((part) =>
    part
      .replaceAll(/https?:\/\/\S+/g, '')
      // They keep a name in another script from turning its surroundings round, and are not to be seen.
      .replaceAll(/[\u2066-\u2069]/g, '')
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
      .replaceAll(/\s*\n\s*/g, '\n'),
  );
  return { html: shownHtml, text: shownText };
}

/** The names in a folder, sorted; none where there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** `receipt.json` of a folder. Throws where it is not as its schema says. */
export async function readReceiptFile({ out }: { out: string }): Promise<Receipt> {
  return v.parse(receiptSchema, JSON.parse(await readFile(join(out, 'receipt.json'), 'utf8')));
}

/** `digest.json` of a folder. Throws where it is not as its schema says. */
export async function readDigestFile({ out }: { out: string }): Promise<Digest> {
  return v.parse(digestSchema, JSON.parse(await readFile(join(out, 'digest.json'), 'utf8')));
}
