import { serveOnLoopback, type Loopback, type LoopbackAnswer } from '../loopback.ts';

/** Serves pages to the browser, on loopback: `null` where there is nothing. Their links are relative: what is shown is below a secret path. */
export function startViewer(pages: (address: URL) => Promise<LoopbackAnswer | null>): Promise<Loopback> {
  const nothing = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'There is nothing here.\n' };
  return serveOnLoopback(async ({ method, url }) => {
    if (method !== 'GET') return { ...nothing, status: 405 };
    return (await pages(new URL(`http://loopback${url}`))) ?? nothing;
  });
}

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1c1c1c}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f5;padding:1rem}
iframe{width:100%;height:70vh;border:1px solid #bbb}`;

/** A page of the viewer. Without a `script` of its own it runs none, and nothing is loaded from elsewhere. */
export function pageAnswer(page: { title: string; body: string; style?: string; script?: string }): LoopbackAnswer {
  const { script } = page;
  const allowed = script === undefined ? "form-action 'none'" : `script-src 'unsafe-inline'; connect-src 'self'`;
  return htmlAnswer(
    `default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'; ${allowed}`,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(page.title)}</title>` +
      `<meta name="viewport" content="width=device-width"><style>${style}${page.style ?? ''}</style></head>` +
      `<body>${page.body}${script === undefined ? '' : `<script>${script}</script>`}</body></html>`,
  );
}

const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
/** The same where the page around a frame measures what is in it; no script runs there either. */
export const measured = `${sandbox} allow-same-origin`;

/** A frame of a page, around an address that gives a `mailAnswer`; its size as CSS. */
export function mailFrame(frame: { title: string; src: string; size: string }, allowed = sandbox): string {
  const { title, src, size } = frame;
  return `<iframe sandbox="${allowed}" title="${title}" style="${size}" src="${escapeHtml(src)}"></iframe>`;
}

/**
 * A mail's html, for a frame alone: no script, no form, and nothing loaded from elsewhere. Its links open in a tab of
 * their own, as they do beside a mail program, and what they open is no longer in the sandbox.
 */
export function mailAnswer(html: string, allowed = sandbox): LoopbackAnswer {
  return htmlAnswer(
    `sandbox ${allowed}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    html.replace(/<head>/i, '<head><base target="_blank">'),
  );
}

function htmlAnswer(policy: string, body: string): LoopbackAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { status: 200, headers, body };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
