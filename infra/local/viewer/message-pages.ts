import type { LoopbackAnswer } from '../emulators/loopback.ts';
import { escapeHtml, mailFrame, pageAnswer } from './frame.ts';

/** A message of the outbox, read. */
export interface ShownMessage {
  id: string;
  at: Date;
  /** Bytes of the `.eml`. */
  size: number;
  subject: string;
  to: string;
  html: string | undefined;
  text: string | undefined;
  /** Files that come with it, each under its place among the message's attachments. */
  files: { index: number; name: string; bytes: number }[];
  source: string;
}

const style = `table{border-collapse:collapse;width:100%}summary{cursor:pointer;font-weight:600}
th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}`;

/** The list of the messages, in the order given. */
export function listPage(messages: readonly ShownMessage[]): LoopbackAnswer {
  const rows = messages.map(
    ({ id, at, size, subject, to }) =>
      `<tr><td><a href="/${id}">${escapeHtml(subject || '(no subject)')}</a></td><td>${escapeHtml(to)}</td>` +
      `<td class="number">${shownTime(at)}</td><td class="number">${shownSize(size)}</td></tr>`,
  );
  const head = '<tr><th>Subject</th><th>To</th><th>When</th><th>Size</th></tr>';
  const table = `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
  const body = `<h1>Outbox</h1>${messages.length === 0 ? '<p>No messages yet.</p>' : table}`;
  return pageAnswer({ title: 'Outbox', body, style });
}

/** One message: its html in a sandbox, its text and its source. */
export function messagePage(message: ShownMessage): LoopbackAnswer {
  const { id, at, size, subject, to, html, text, files, source } = message;
  const body = [
    `<p><a href="/">Outbox</a></p><h1>${escapeHtml(subject || '(no subject)')}</h1>`,
    `<p>To ${escapeHtml(to)}, ${shownTime(at)}, ${shownSize(size)}</p>`,
    html === undefined
      ? ''
      : `<h2>Html</h2>${mailFrame({ title: 'Html of the message', src: `/${id}/html`, height: heightOf(html) })}`,
    text === undefined ? '' : `<h2>Text</h2><pre>${escapeHtml(text)}</pre>`,
    files.length === 0 ? '' : `<h2>Attached</h2><ul>${files.map((file) => fileItem(id, file)).join('')}</ul>`,
    `<details><summary>Source</summary><pre>${escapeHtml(source)}</pre></details>`,
  ];
  return pageAnswer({ title: subject, body: body.join(''), style });
}

/**
 * A height in pixels in which a mail is seen whole. A page without a script cannot measure it; a mail of ours takes one pixel
 * for twelve characters and more.
 */
function heightOf(html: string): number {
  return 300 + Math.ceil(html.length / 10);
}

function fileItem(id: string, { index, name, bytes }: ShownMessage['files'][number]): string {
  return `<li><a href="/${id}/file/${index}">${escapeHtml(name)}</a> (${shownSize(bytes)})</li>`;
}

function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function shownSize(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
