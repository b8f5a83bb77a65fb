import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { isObject } from '../../../functions/json-object.ts';
import type { Loopback, LoopbackAnswer } from '../loopback.ts';
import { escapeHtml, mailAnswer, mailFrame, pageAnswer, startViewer } from './server.ts';

/**
 * Shows an outbox in the browser, under a `title`: its messages, newest first, and each one's html and text. It runs no script; what a message
 * contains is shown in a sandbox. Its files and its source are in the folder.
 */
export function startOutboxView({ outDir, title = 'Outbox' }: { outDir: string; title?: string }): Promise<Loopback> {
  const read = (id: string): Promise<ShownMessage> => readMessage(outDir, id);
  return startViewer(async ({ pathname }) => {
    const names = (await readdir(outDir)).filter((name) => /^[\w-]+\./.test(name));
    const ids = names.filter((name) => name.endsWith('.eml')).map((name) => basename(name, '.eml'));
    const cards = names.filter((name) => name.endsWith('.card.json'));
    if (pathname === '/') return listPage(title, await Promise.all(ids.map(read)), cards);
    const card = cards.find((name) => pathname === `/card/${name}`);
    if (card !== undefined) return cardPage(card, await readFile(join(outDir, card), 'utf8'));
    const [, id, part] = /^\/([\w-]+)(\/html)?$/.exec(pathname) ?? [];
    if (id === undefined || !ids.includes(id)) return null;
    const message = await read(id);
    return part === undefined ? messagePage(title, message) : mailAnswer(withPictures(message.email));
  });
}

type ShownMessage = Awaited<ReturnType<typeof readMessage>>;

/** A message as it was sent, and when; with its subject, its recipient and its time as they are shown, in html. */
async function readMessage(outDir: string, id: string) {
  const file = join(outDir, `${id}.eml`);
  const email = await PostalMime.parse(await readFile(file), { attachmentEncoding: 'base64' });
  const at = (await stat(file)).mtime;
  const recipients = email.to?.map(({ name, address }) =>
    name && address ? `${name} <${address}>` : (address ?? name),
  );
  const subject = escapeHtml(email.subject || '(no subject)');
  const time = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return { id, email, at, subject, recipient: escapeHtml(recipients?.join(', ') ?? ''), time };
}

const style = `table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}`;

/** The list of the messages and of the cards, newest first. */
function listPage(title: string, messages: readonly ShownMessage[], cards: readonly string[]): LoopbackAnswer {
  const newestFirst = messages.toSorted((a, b) => Number(b.at) - Number(a.at) || b.id.localeCompare(a.id));
  const rows = newestFirst.map(
    ({ id, subject, recipient, time }) =>
      `<tr><td><a href="${id}">${subject}</a></td><td>${recipient}</td><td>${time}</td></tr>`,
  );
  const head = '<tr><th>Subject</th><th>To</th><th>When</th></tr>';
  const table = `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
  const links = cards.toSorted().map((name) => `<li><a href="card/${name}">${name}</a></li>`);
  const posted = cards.length === 0 ? '' : `<h2>Cards</h2><ul>${links.toReversed().join('')}</ul>`;
  const body = `<h1>${title}</h1>${messages.length === 0 ? '<p>No messages yet.</p>' : table}${posted}`;
  return pageAnswer({ title, body, style });
}

/** One message: its html in a sandbox, and its text. */
function messagePage(title: string, { id, email, subject, recipient, time }: ShownMessage): LoopbackAnswer {
  const { html, text } = email;
  // A page without a script cannot measure how high a mail is; one of ours takes one pixel for twelve characters and more.
  const size = `height:${300 + Math.ceil((html ?? '').length / 10)}px`;
  const body = [
    `<p><a href=".">${title}</a></p><h1>${subject}</h1>`,
    `<p>To ${recipient}, ${time}</p>`,
    html === undefined ? '' : `<h2>Html</h2>${mailFrame({ title: 'Html of the message', src: `${id}/html`, size })}`,
    text === undefined ? '' : `<h2>Text</h2><pre>${escapeHtml(text)}</pre>`,
  ];
  return pageAnswer({ title: email.subject ?? '', body: body.join(''), style });
}

function cardPage(name: string, json: string): LoopbackAnswer {
  const sent = `<details><summary>As it was posted</summary><pre>${escapeHtml(json)}</pre></details>`;
  const body = `<p><a href="..">Outbox</a></p><h1>${name}</h1><div class="card">${drawCard(JSON.parse(json))}</div>${sent}`;
  return pageAnswer({ title: name, body, style: cardStyle });
}

const cardStyle = `.card{max-width:30rem;padding:1rem;border:1px solid #ccc;border-radius:8px}
.card p{margin:.3rem 0}.card .box{border-left:4px solid #d99a00;background:#fff6e0;padding:.3rem 1rem}`;

/**
 * A part of a card that was posted as html: its texts with their weights, and its boxes. In Block Kit and in an Adaptive Card alike,
 * a part has a type, perhaps a text, and further parts.
 */
function drawCard(part: unknown): string {
  if (Array.isArray(part)) return part.map(drawCard).join('');
  if (!isObject(part)) return '';
  const { type = '', text, weight, size, style, title } = part;
  const inner = ['attachments', 'content', 'body', 'actions', 'blocks', 'elements', 'items', 'inlines']
    .map((name) => drawCard(part[name]))
    .join('');
  if (typeof text === 'string' && type !== '') {
    // A link of Slack is the one text with markup.
    const shown = escapeHtml(type === 'mrkdwn' ? text.replace(/^<[^|]*\|(.*)>$/, '$1') : text);
    const isBold = weight === 'Bolder' || Object(style).bold === true;
    const drawn = isBold ? `<b>${shown}</b>` : shown;
    return size === 'Small' || type === 'plain_text' ? `<small>${drawn}</small>` : drawn;
  }
  if (type === 'divider') return '<hr>';
  if (type === 'section') return `<p><a>${drawCard(text)}</a></p>`;
  if (typeof title === 'string') return `<p><a>${escapeHtml(title)}</a></p>`;
  if (type === 'Container') return `<div class="box">${inner}</div>`;
  return ['RichTextBlock', 'rich_text_section', 'context'].includes(String(type)) ? `<p>${inner}</p>` : inner;
}

/** The html with the pictures that come with the message in it, as a mail program shows them. */
function withPictures({ html = '', attachments }: Email): string {
  return html.replaceAll(/src="cid:([^"]*)"/g, (source, cid) => {
    const picture = attachments.find(({ contentId }) => contentId === `<${cid}>`);
    // Attachments are read in base64.
    return typeof picture?.content === 'string' ? `src="data:image/png;base64,${picture.content}"` : source;
  });
}
