import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../../functions/digest/schema.ts';
import { createPageRenderer } from '../../../functions/render/page.ts';
import { createRenderer } from '../../../functions/render/render.ts';
import { workbookType } from '../../../functions/render/workbook.ts';
import { unsubscribePlaceholder } from '../../../functions/render/texts/foreign-text.ts';
import { loadTemplates } from '../../build/load-templates.ts';
import { readSamples } from '../../build/render-samples.ts';
import { loadConfiguration } from '../../config.ts';
import type { Loopback, LoopbackAnswer } from '../loopback.ts';
import { escapeHtml, mailAnswer, mailFrame, measured, pageAnswer, startViewer } from './server.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Starts the preview on loopback: a page with switches around a mail in a frame, or around what is wrong. Whenever a template, a
 * language or `cdk.json` changes, the browser asks again for the mails, which are built as the files are then.
 */
export function startPreview(cdkJsonPath = `${repository}cdk.json`): Promise<Loopback> {
  return startViewer(async ({ pathname, searchParams }) => {
    // Before the mails are built: what changes meanwhile is another version.
    const version = await latestChange(cdkJsonPath);
    if (pathname === '/version') return { status: 200, headers: { 'content-type': 'text/plain' }, body: version };
    const page = (selects: string, shown: string): LoopbackAnswer => {
      const body = `<form data-version="${version}">${selects}</form>${shown}`;
      return pageAnswer({ title: 'Preview', body, style, script });
    };
    const mails = await buildMails(cdkJsonPath).catch(String);
    if (typeof mails === 'string') return pathname === '/' ? page('', `<pre>${escapeHtml(mails)}</pre>`) : null;
    const { switches, render } = mails;
    // A switch that is set to none of its values has its usual one.
    const chosen = new URLSearchParams();
    for (const [name, values] of Object.entries(switches))
      chosen.set(name, values.find((value) => value === searchParams.get(name)) ?? values[0] ?? '');
    const { subject, html, file } = await render(chosen);
    if (pathname === '/mail') return mailAnswer(html, measured);
    if (pathname === '/file' && file !== undefined) {
      const headers = { 'content-type': workbookType, 'content-disposition': `attachment; filename="${file.name}"` };
      return { status: 200, headers, body: file.content };
    }
    if (pathname !== '/') return null;
    const selects = Object.entries(switches).map(([name, values]) => select(name, values, chosen.get(name)));
    const frame = mailFrame({ title: 'Mail', src: `mail?${chosen.toString()}`, size: 'width:100%' }, measured);
    const link = file === undefined ? '' : ` <a href="${escapeHtml(`file?${chosen.toString()}`)}">${file.name}</a>`;
    return page(selects.join(''), `<p>${escapeHtml(subject)}${link}</p>${frame}`);
  });
}

/** When what a mail is built of was last changed. An editor may be replacing a file at this moment. */
async function latestChange(cdkJsonPath: string): Promise<string> {
  const below = await readdir(`${repository}templates`, { recursive: true });
  const templates = ['', ...below].map((name) => `${repository}templates/${name}`);
  const times = [cdkJsonPath, ...templates].map(async (path) => (await stat(path).catch(() => null))?.mtimeMs ?? 0);
  return String(Math.max(...(await Promise.all(times))));
}

/** The mails as the files are now. Throws what is wrong with a template, a language or the configuration. */
async function buildMails(cdkJsonPath: string) {
  const { mail, reports } = loadConfiguration(undefined, cdkJsonPath);
  const templates = await loadTemplates(`${repository}templates`, mail.logo);
  const digests: Record<string, Digest> = { ...(await readSamples()), ...(await readLastRun()) };
  const render = createRenderer(templates);
  const { renderPage } = createPageRenderer(templates);
  return {
    /** The values of each switch; the first is the usual one. */
    switches: {
      digest: Object.keys(digests),
      report: reports.map(({ name }) => name),
      language: ['as configured', ...Object.keys(templates.locales)],
      part: ['html', 'text', 'page'],
    },
    render: async (chosen: URLSearchParams) => {
      const digest = digests[chosen.get('digest') ?? ''];
      const configured = reports.find(({ name }) => name === chosen.get('report'));
      const locale = chosen.get('language') ?? '';
      if (digest === undefined || configured === undefined) throw new RangeError('There is no such digest or report.');
      const report = locale in templates.locales ? { ...configured, locale } : configured;
      const asked = { digest, report, mail, canUnsubscribe: true };
      const page = mail.page ? 'https://page.example.com' : null;
      const { subject, html, text, logo } = await render({ ...asked, page });
      const parts: Record<string, string> = {
        html: html.replaceAll('src="cid:logo"', `src="data:image/png;base64,${logo?.png}"`),
        text: `<!doctype html><html lang="en"><head><title>Text</title></head><pre>${escapeHtml(text)}</pre></html>`,
        page: renderPage({ digest, report, mail, files: null, earlier: [] }),
      };
      const part = parts[chosen.get('part') ?? ''] ?? '';
      // Wherever it is offered, it is the same.
      const attaching = { ...asked, mail: { ...mail, workbook: 'attached' as const }, page: null };
      const [file] = mail.workbook === 'none' ? [] : (await render(attaching)).files;
      return { subject, html: part.replaceAll(unsubscribePlaceholder, 'https://unsubscribe.example.com'), file };
    },
  };
}

/** The digest of the last `npm start`, where there is one, by what that was. */
async function readLastRun(): Promise<Record<string, Digest>> {
  const files = ['digest', 'receipt'].map((name) => readFile(`${repository}.local/outbox/${name}.json`, 'utf8'));
  const [text, receipt] = await Promise.all(files.map((file) => file.catch(() => 'null')));
  const parsed = v.safeParse(digestSchema, JSON.parse(text ?? ''));
  const name = /"planned": [1-9]/.test(receipt ?? '') ? 'the last dry run' : 'the last run';
  return parsed.success ? { [name]: parsed.output } : {};
}

const style = `body{margin:0;max-width:none;padding:0;background:#ddd}
form{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:.75rem 1rem;background:#fff}
p{margin:0;padding:.5rem 1rem}iframe{display:block;margin:1rem auto;height:calc(100vh - 7rem);background:#fff}`;

/**
 * Makes the frame as high as what is in it, asks again and again whether something has changed, and shows it then; sends the
 * switches as soon as one is set.
 */
const script = `const [form] = document.forms;
const fit = ({ target: { style, contentDocument } }) => { style.height = contentDocument.documentElement.scrollHeight + 'px'; };
document.querySelector('iframe')?.addEventListener('load', fit);
form.addEventListener('change', () => form.submit());
setInterval(async () => {
  const answer = await fetch('version').catch(() => null);
  if (answer && await answer.text() !== form.dataset.version) location.reload();
}, 500);`;

function select(name: string, values: readonly string[], chosen: string | null): string {
  const options = values.map((value) => `<option${value === chosen ? ' selected' : ''}>${escapeHtml(value)}</option>`);
  return `<label>${name} <select name="${name}">${options.join('')}</select></label>`;
}

if (import.meta.main) process.stdout.write(`See the mail at ${(await startPreview()).url}/ (Ctrl-C ends)\n`);
