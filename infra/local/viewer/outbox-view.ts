import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { isObject } from '../../../functions/json-object.ts';
import type { Loopback, LoopbackAnswer } from '../emulators/loopback.ts';
import { escapeHtml, mailAnswer, mailFrame, pageAnswer, startViewer } from './frame.ts';

/** A message as it was sent, and when. */
interface SentMessage {
  raw: Buffer;
  at: Date;
}

/** Messages by their ids, read again for each page. */
interface Messages {
  ids(): Promise<string[]>;
  read(id: string): Promise<SentMessage>;
}

interface ShownMessage extends SentMessage {
  id: string;
  email: Email;
}

/**
 * Shows an outbox in the browser: its messages, newest first, and each one's html, text, files and source. It runs no
 * script; what a message contains is shown in a sandbox.
 */
export function startOutboxView({ outDir }: { outDir: string }): Promise<Loopback> {
  const fileOf = (id: string): string => join(outDir, `${id}.eml`);
  const messages = {
    ids: async () => (await readdir(outDir)).flatMap((name) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []),
    read: async (id: string) => ({ raw: await readFile(fileOf(id)), at: (await stat(fileOf(id))).mtime }),
  };
  return startMessagesView(messages, outDir);
}

/** Shows one message in the browser, as an outbox with nothing else in it. `url` is that of the message. */
export async function startMessageView(id: string, message: SentMessage): Promise<Loopback> {
  const view = await startMessagesView({ ids: async () => [id], read: async () => message }, null);
  return { ...view, url: `${view.url}/${id}` };
}

function startMessagesView(messages: Messages, outDir: string | null): Promise<Loopback> {
  const read = async (id: string) => {
    const message = await messages.read(id);
    return { id, ...message, email: await PostalMime.parse(message.raw, { attachmentEncoding: 'base64' }) };
  };
  return startViewer(async ({ pathname }) => {
    const ids = await messages.ids();
    const cards = outDir === null ? [] : (await readdir(outDir)).filter((name) => name.endsWith('.card.json'));
    if (pathname === '/') return listPage(await Promise.all(ids.map(read)), cards);
    const card = cards.find((name) => pathname === `/card/${name}`);
    if (card !== undefined) return cardPage(card, await readFile(join(outDir ?? '', card), 'utf8'));
    const [, id, part, index] = /^\/([\w-]+)(\/html|\/file\/(\d+))?$/.exec(pathname) ?? [];
    if (id === undefined || !ids.includes(id)) return null;
    const message = await read(id);
    if (part === undefined) return messagePage(message);
    if (index !== undefined) return fileAnswer(message.email.attachments[Number(index)]);
    return mailAnswer(withPictures(message.email));
  });
}

const style = `table{border-collapse:collapse;width:100%}summary{cursor:pointer;font-weight:600}
th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}`;

/** The list of the messages and of the cards, newest first. */
function listPage(messages: readonly ShownMessage[], cards: readonly string[]): LoopbackAnswer {
  const newestFirst = messages.toSorted(
    (one, other) => other.at.getTime() - one.at.getTime() || other.id.localeCompare(one.id),
  );
  const rows = newestFirst.map(
    ({ id, at, raw, email }) =>
      `<tr><td><a href="/${id}">${shownSubject(email)}</a></td><td>${shownRecipient(email)}</td>` +
      `<td>${shownTime(at)}</td><td>${shownSize(raw.length)}</td></tr>`,
  );
  const head = '<tr><th>Subject</th><th>To</th><th>When</th><th>Size</th></tr>';
  const table = `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
  const links = cards.toSorted().map((name) => `<li><a href="/card/${name}">${name}</a></li>`);
  const posted = cards.length === 0 ? '' : `<h2>Cards</h2><ul>${links.toReversed().join('')}</ul>`;
  const body = `<h1>Outbox</h1>${messages.length === 0 ? '<p>No messages yet.</p>' : table}${posted}`;
  return pageAnswer({ title: 'Outbox', body, style });
}

/** One message: its html in a sandbox, its text, its files and its source. */
function messagePage({ id, at, raw, email }: ShownMessage): LoopbackAnswer {
  const { subject = '', html, text, attachments } = email;
  const files = attachments.flatMap(({ disposition, filename, content }, index) =>
    disposition === 'attachment'
      ? `<li><a href="/${id}/file/${index}">${escapeHtml(filename ?? 'file')}</a> (${shownSize(bytesOf(content).length)})</li>`
      : [],
  );
  // A page without a script cannot measure how high a mail is; one of ours takes one pixel for twelve characters and more.
  const size = `height:${300 + Math.ceil((html ?? '').length / 10)}px`;
  const body = [
    `<p><a href="/">Outbox</a></p><h1>${shownSubject(email)}</h1>`,
    `<p>To ${shownRecipient(email)}, ${shownTime(at)}, ${shownSize(raw.length)}</p>`,
    html === undefined ? '' : `<h2>Html</h2>${mailFrame({ title: 'Html of the message', src: `/${id}/html`, size })}`,
    text === undefined ? '' : `<h2>Text</h2><pre>${escapeHtml(text)}</pre>`,
    files.length === 0 ? '' : `<h2>Attached</h2><ul>${files.join('')}</ul>`,
    sourceOf(raw.toString()),
  ];
  return pageAnswer({ title: subject, body: body.join(''), style });
}

const cardStyle = `.card{max-width:30rem;border:1px solid #ccc;border-radius:6px;padding:1rem;white-space:pre-line}
.ColumnSet{display:flex;gap:2rem}.Container{background:#f5f5f5;padding:.5rem 1rem;margin:.5rem -1rem}.header,.Large{font-size:1.25em}
.RichTextBlock,.section,.ColumnSet{margin-top:.4rem}.header,.Bolder{font-weight:600}.Small{color:#54606c}`;

function cardPage(id: string, json: string): LoopbackAnswer {
  const card = `<div class="card">${drawCard(JSON.parse(json))}</div>`;
  const body = `<p><a href="/">Outbox</a></p><h1>${id}</h1>${card}${sourceOf(json)}`;
  return pageAnswer({ title: id, body, style: style + cardStyle });
}

/** A card of either kind as a simple drawing: its texts in their order, whatever element they are of. */
export function drawCard(card: unknown): string {
  if (Array.isArray(card)) return card.map(drawCard).join('');
  if (!isObject(card)) return '';
  const { type, text, title, size, weight, fields, blocks } = card;
  if (type === 'divider') return '<hr>';
  // The names that the cards have for it are those of the style.
  const classes = [fields === undefined ? type : 'ColumnSet', size, weight].join(' ');
  const texts = [text, title].map((part) => (typeof part === 'string' ? escapeHtml(part) : ''));
  // The text beside the blocks of Slack is what a notification shows.
  const inner = blocks === undefined ? [...texts, ...Object.values(card).map(drawCard)].join('') : drawCard(blocks);
  return inner === '' ? '' : `<div class="${escapeHtml(classes)}">${inner}</div>`;
}

function sourceOf(text: string): string {
  return `<details><summary>Source</summary><pre>${escapeHtml(text)}</pre></details>`;
}

/** The html with the pictures that come with the message in it, as a mail program shows them. */
function withPictures({ html = '', attachments }: Email): string {
  return html.replaceAll(/src="cid:([^"]*)"/g, (source, cid) => {
    const picture = attachments.find(({ contentId }) => contentId === `<${cid}>`);
    return picture === undefined
      ? source
      : `src="data:image/png;base64,${bytesOf(picture.content).toString('base64')}"`;
  });
}

/** A file that comes with a message, to be saved and not to be shown. */
function fileAnswer(file: Attachment | undefined): LoopbackAnswer | null {
  if (file === undefined) return null;
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename ?? 'file')}`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: bytesOf(file.content) };
}

function bytesOf(content: Attachment['content']): Buffer {
  return typeof content === 'string' ? Buffer.from(content, 'base64') : Buffer.from(new Uint8Array(content));
}

function shownSubject({ subject }: Email): string {
  return escapeHtml(subject || '(no subject)');
}

function shownRecipient({ to = [] }: Email): string {
  const recipients = to.map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)));
  return escapeHtml(recipients.join(', '));
}

function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function shownSize(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
