import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from './loopback.ts';
import { frame, listPage, messagePage, type ShownMessage } from './outbox-page.ts';

/**
 * Starts a view of an outbox in the browser, on loopback: its messages, newest first, and each one's html, text and
 * source. It reads the folder anew for each page and runs no script; what a message contains is shown in a sandbox.
 */
export function startOutboxView(options: { outDir: string }): Promise<Loopback> {
  return serveOnLoopback((request) => answer(request, options.outDir));
}

async function answer(request: LoopbackRequest, outDir: string): Promise<LoopbackAnswer> {
  // Another site's name that resolves to loopback must not read the mail.
  if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? '')) return notFound();
  if (request.method !== 'GET') return { ...notFound(), status: 405 };
  if (request.url === '/') return page(listPage(await readOutbox(outDir)));
  const [, id, part] = /^\/([\w-]+)(\/html)?$/.exec(request.url) ?? [];
  if (id === undefined || !(await readdir(outDir)).includes(`${id}.eml`)) return notFound();
  const message = await readMessage(outDir, id);
  return part === undefined ? page(messagePage(message)) : frame(message.html ?? '');
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
