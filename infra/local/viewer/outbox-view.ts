import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../emulators/loopback.ts';
import { frame, listPage, messagePage, type ShownMessage } from './outbox-page.ts';

/**
 * Starts a view of an outbox in the browser, on loopback: its messages, newest first, and each one's html, text and
 * source. It reads the folder again for each page and runs no script; what a message contains is shown in a sandbox.
 */
export function startOutboxView(options: { outDir: string }): Promise<Loopback> {
  return serveOnLoopback((request) => answer(request, options.outDir));
}

async function answer(request: LoopbackRequest, outDir: string): Promise<LoopbackAnswer> {
  // Another site's name that resolves to loopback must not read the mail.
  if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? '')) return notFound();
  if (request.method !== 'GET') return { ...notFound(), status: 405 };
  if (request.url === '/') return page(listPage(await readOutbox(outDir)));
  const [, id, part, index] = /^\/([\w-]+)(\/html|\/file\/(\d+))?$/.exec(request.url) ?? [];
  if (id === undefined || !(await readdir(outDir)).includes(`${id}.eml`)) return notFound();
  if (part === undefined) return page(messagePage(await readMessage(outDir, id)));
  const email = await PostalMime.parse(await readFile(join(outDir, `${id}.eml`)), { attachmentEncoding: 'base64' });
  return index === undefined ? frame(withPictures(email)) : file(email, Number(index));
}

/** The html with the pictures that come with the message in it, as a mail program shows them. */
function withPictures({ html = '', attachments }: Email): string {
  return attachments.reduce((shown, { contentId, content, mimeType }) => {
    const cid = contentId?.replace(/^<|>$/g, '');
    if (cid === undefined || mimeType !== 'image/png' || typeof content !== 'string') return shown;
    return shown.replaceAll(`src="cid:${cid}"`, `src="data:image/png;base64,${content}"`);
  }, html);
}

/** A file that comes with a message, to be saved and not to be shown. The answer of a part is text: so is a CSV. */
function file({ attachments }: Email, index: number): LoopbackAnswer {
  const attachment = attachments[index];
  if (attachment === undefined || typeof attachment.content !== 'string') return notFound();
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename ?? 'file')}`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: Buffer.from(attachment.content, 'base64').toString() };
}

async function readOutbox(outDir: string): Promise<ShownMessage[]> {
  const ids = (await readdir(outDir)).filter((name) => /^[\w-]+\.eml$/.test(name)).map((name) => name.slice(0, -4));
  const messages = await Promise.all(ids.map((id) => readMessage(outDir, id)));
  return messages.toSorted((one, other) => other.at.getTime() - one.at.getTime() || other.id.localeCompare(one.id));
}

async function readMessage(outDir: string, id: string): Promise<ShownMessage> {
  const file = join(outDir, `${id}.eml`);
  const [raw, { mtime, size }] = await Promise.all([readFile(file), stat(file)]);
  const email = await PostalMime.parse(raw);
  return {
    id,
    at: mtime,
    size,
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

function page(body: string): LoopbackAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { status: 200, headers, body };
}

function notFound(): LoopbackAnswer {
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'There is nothing here.\n' };
}
