/** What the switches of the page are set to. */
export interface Choice {
  account: string;
  language: string;
  width: string;
  scheme: string;
  part: string;
}

const style = `body{font:14px/1.5 system-ui,sans-serif;margin:0;background:#ddd;color:#1c1c1c}
form{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:.75rem 1rem;background:#fff;border-bottom:1px solid #bbb}
fieldset{border:0;margin:0;padding:0;display:flex;gap:.6rem}legend{float:left;font-weight:600;margin-right:.6rem}
p{margin:0;padding:.5rem 1rem}iframe{display:block;margin:1rem auto;border:0;height:calc(100vh - 7rem);background:#fff}
pre{white-space:pre-wrap;margin:1rem;padding:1rem;background:#fff}`;

/** Asks until something has changed, then shows it; sends the switches as soon as one is set. */
const script = `document.forms[0].addEventListener('change', () => document.forms[0].submit());
const wait = async (version) => {
  const answer = await fetch('/changed?since=' + version).catch(() => null);
  const now = answer && await answer.text();
  if (now === null) return setTimeout(wait, 1000, version);
  return now === version ? wait(version) : location.reload();
};
wait(document.body.dataset.version);`;

/** The page with its switches around a mail, which is in a frame of the chosen width, or around what is wrong. */
export function previewPage(options: {
  choice: Choice;
  accounts: readonly string[];
  languages: readonly string[];
  version: number;
  subject: string;
  fault: string | null;
}): string {
  const { choice, accounts, languages, version, subject, fault } = options;
  const query = new URLSearchParams({ ...choice });
  const shown =
    fault === null
      ? `<p>${escapeHtml(subject)}</p><iframe sandbox title="Mail" width="${escapeHtml(choice.width)}" src="/mail?${escapeHtml(query.toString())}"></iframe>`
      : `<pre>${escapeHtml(fault)}</pre>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><style>${style}</style></head>` +
    `<body data-version="${version}"><form>` +
    select('account', accounts, choice.account) +
    select('language', languages, choice.language) +
    radios('width', ['320', '600', '1280'], choice.width) +
    radios('scheme', ['light', 'dark'], choice.scheme) +
    radios('part', ['html', 'text'], choice.part) +
    `</form>${shown}<script>${script}</script></body></html>`
  );
}

/** The html of a mail in one scheme, whatever the browser prefers. */
export function inScheme(html: string, scheme: string): string {
  const media = scheme === 'dark' ? 'all' : 'not all';
  return html.replaceAll('@media (prefers-color-scheme: dark)', `@media ${media}`);
}

/** The text of a mail as a page. */
export function textPage(text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Text</title><pre>${escapeHtml(text)}</pre></html>`;
}

function select(name: string, values: readonly string[], chosen: string): string {
  const options = values.map((value) => `<option${value === chosen ? ' selected' : ''}>${escapeHtml(value)}</option>`);
  return `<label>${name} <select name="${name}">${options.join('')}</select></label>`;
}

function radios(name: string, values: readonly string[], chosen: string): string {
  const options = values.map(
    (value) =>
      `<label><input type="radio" name="${name}" value="${value}"${value === chosen ? ' checked' : ''}> ${value}</label>`,
  );
  return `<fieldset><legend>${name}</legend>${options.join('')}</fieldset>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
