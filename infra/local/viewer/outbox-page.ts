import type { LoopbackAnswer } from '../emulators/loopback.ts';

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

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c1c1c}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}iframe{width:100%;height:70vh;border:1px solid #bbb}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f5;padding:1rem}summary{cursor:pointer;font-weight:600}`;

const sandbox = 'sandbox="allow-popups allow-popups-to-escape-sandbox"';

/** The list of the messages, in the order given. */
export function listPage(messages: readonly ShownMessage[]): string {
  const rows = messages.map(
    ({ id, at, size, subject, to }) =>
      `<tr><td><a href="/${id}">${escapeHtml(subject || '(no subject)')}</a></td><td>${escapeHtml(to)}</td>` +
      `<td class="number">${shownTime(at)}</td><td class="number">${shownSize(size)}</td></tr>`,
  );
  const head = '<tr><th>Subject</th><th>To</th><th>When</th><th>Size</th></tr>';
  const table = `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`;
  return htmlPage('Outbox', `<h1>Outbox</h1>${messages.length === 0 ? '<p>No messages yet.</p>' : table}`);
}

/** One message: its html in a sandbox, its text and its source. */
export function messagePage(message: ShownMessage): string {
  const { id, at, size, subject, to, html, text, files, source } = message;
  const shown =
    html === undefined ? '' : `<h2>Html</h2><iframe ${sandbox} title="Html of the message" src="/${id}/html"></iframe>`;
  const shownText = text === undefined ? '' : `<h2>Text</h2><pre>${escapeHtml(text)}</pre>`;
  return htmlPage(
    subject,
    `<p><a href="/">Outbox</a></p><h1>${escapeHtml(subject || '(no subject)')}</h1>` +
      `<p>To ${escapeHtml(to)}, ${shownTime(at)}, ${shownSize(size)}</p>${shown}` +
      shownText +
      (files.length === 0 ? '' : `<h2>Attached</h2><ul>${files.map((file) => fileItem(id, file)).join('')}</ul>`) +
      `<details><summary>Source</summary><pre>${escapeHtml(source)}</pre></details>`,
  );
}

function fileItem(id: string, { index, name, bytes }: ShownMessage['files'][number]): string {
  return `<li><a href="/${id}/file/${index}">${escapeHtml(name)}</a> (${shownSize(bytes)})</li>`;
}

/**
 * A message's html, for the frame alone: no script, no form, and nothing loaded from elsewhere. Its links open beside
 * the view, as they do beside a mail program, and what they open is no longer in the sandbox.
 */
export function frame(html: string): LoopbackAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { status: 200, headers, body: html.replace(/<head>/i, '<head><base target="_blank">') };
}

function htmlPage(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>${body}</body></html>`
  );
}

function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function shownSize(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
