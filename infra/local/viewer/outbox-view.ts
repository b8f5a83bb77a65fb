import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { Loopback, LoopbackAnswer } from '../emulators/loopback.ts';
import { mailAnswer } from './frame.ts';
import { listPage, messagePage, type ShownMessage } from './message-pages.ts';
import { startViewer } from './server.ts';

/** A message as it was sent, and when. */
export interface SentMessage {
  raw: Buffer;
  at: Date;
}

/** Messages by their ids, read again for each page. */
interface Messages {
  ids(): Promise<string[]>;
  read(id: string): Promise<SentMessage>;
  /** The html of a message as it is shown; as it is where this is missing. */
  present?: ((html: string) => Promise<string>) | undefined;
}

/**
 * Shows an outbox in the browser: its messages, newest first, and each one's html, text, files and source. It runs no
 * script; what a message contains is shown in a sandbox. `present` changes the html of a message that is shown.
 */
export function startOutboxView({
  outDir,
  present,
}: {
  outDir: string;
  present?: Messages['present'];
}): Promise<Loopback> {
  return startMessagesView({
    present,
    ids: async () =>
      (await readdir(outDir)).filter((name) => /^[\w-]+\.eml$/.test(name)).map((name) => name.slice(0, -4)),
    read: async (id) => {
      const file = join(outDir, `${id}.eml`);
      const [raw, { mtime }] = await Promise.all([readFile(file), stat(file)]);
      return { raw, at: mtime };
    },
  });
}

/** Shows one message in the browser, as an outbox with nothing else in it. `url` is that of the message. */
export async function startMessageView(id: string, message: SentMessage): Promise<Loopback> {
  const view = await startMessagesView({ ids: async () => [id], read: async () => message });
  return { ...view, url: `${view.url}/${id}` };
}

function startMessagesView(messages: Messages): Promise<Loopback> {
  return startViewer(async ({ pathname }) => {
    const ids = await messages.ids();
    if (pathname === '/') return listPage(await readAll(messages, ids));
    const [, id, part, index] = /^\/([\w-]+)(\/html|\/file\/(\d+))?$/.exec(pathname) ?? [];
    if (id === undefined || !ids.includes(id)) return null;
    const message = await messages.read(id);
    if (part === undefined) return messagePage(await parse(id, message));
    const email = await PostalMime.parse(message.raw, { attachmentEncoding: 'base64' });
    if (index !== undefined) return fileAnswer(email, Number(index));
    const html = withPictures(email);
    return mailAnswer(messages.present === undefined ? html : await messages.present(html));
  });
}

/** The html with the pictures that come with the message in it, as a mail program shows them. */
function withPictures({ html = '', attachments }: Email): string {
  return attachments.reduce((shown, { contentId, content, mimeType }) => {
    const cid = contentId?.replace(/^<|>$/g, '');
    if (cid === undefined || mimeType !== 'image/png' || typeof content !== 'string') return shown;
    return shown.replaceAll(`src="cid:${cid}"`, `src="data:image/png;base64,${content}"`);
  }, html);
}

/** A file that comes with a message, to be saved and not to be shown. An answer's body is text: so is a CSV. */
function fileAnswer({ attachments }: Email, index: number): LoopbackAnswer | null {
  const attachment = attachments[index];
  if (attachment === undefined || typeof attachment.content !== 'string') return null;
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename ?? 'file')}`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: Buffer.from(attachment.content, 'base64').toString() };
}

async function readAll(messages: Messages, ids: readonly string[]): Promise<ShownMessage[]> {
  const all = await Promise.all(ids.map(async (id) => parse(id, await messages.read(id))));
  return all.toSorted((one, other) => other.at.getTime() - one.at.getTime() || other.id.localeCompare(one.id));
}

async function parse(id: string, { raw, at }: SentMessage): Promise<ShownMessage> {
  const email = await PostalMime.parse(raw);
  return {
    id,
    at,
    size: raw.length,
    subject: email.subject ?? '',
    to: (email.to ?? [])
      .map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)))
      .join(', '),
    html: email.html,
    text: email.text,
    files: email.attachments.flatMap(({ disposition, filename, content }, index) =>
      disposition === 'attachment'
        ? { index, name: filename ?? 'file', bytes: typeof content === 'string' ? content.length : content.byteLength }
        : [],
    ),
    source: raw.toString(),
  };
}
