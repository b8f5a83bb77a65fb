import type { LoopbackAnswer } from '../emulators/loopback.ts';
import { escapeHtml, mailFrame, pageAnswer } from './frame.ts';

/** What the switches of the page are set to. */
export type Choice = Record<'account' | 'report' | 'language' | 'width' | 'scheme' | 'part', string>;

/** The values of each switch. */
export type Switches = Record<keyof Choice, readonly string[]>;

const style = `body{margin:0;max-width:none;padding:0;background:#ddd}
form{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:.75rem 1rem;background:#fff;border-bottom:1px solid #bbb}
fieldset{border:0;margin:0;padding:0;display:flex;gap:.6rem}legend{float:left;font-weight:600;margin-right:.6rem}
p{margin:0;padding:.5rem 1rem}iframe{display:block;margin:1rem auto;border:0;height:calc(100vh - 7rem);background:#fff}
pre{margin:1rem;background:#fff}`;

/** Asks until something has changed, then shows it; sends the switches as soon as one is set. */
const script = `document.forms[0].addEventListener('change', () => document.forms[0].submit());
const wait = async (version) => {
  const answer = await fetch('/changed?since=' + version).catch(() => null);
  const now = answer && await answer.text();
  if (now === null) return setTimeout(wait, 1000, version);
  return now === version ? wait(version) : location.reload();
};
wait(document.forms[0].dataset.version);`;

/** The page with its switches around a mail, which is in a frame of the chosen width, or around what is wrong. */
export function previewPage(options: {
  choice: Choice;
  switches: Switches;
  version: number;
  subject: string;
  fault: string | null;
}): LoopbackAnswer {
  const { choice, switches, version, subject, fault } = options;
  const controls = [
    select('account', switches.account, choice.account),
    select('report', switches.report, choice.report),
    select('language', switches.language, choice.language),
    radios('width', switches.width, choice.width),
    radios('scheme', switches.scheme, choice.scheme),
    radios('part', switches.part, choice.part),
  ];
  const src = `/mail?${new URLSearchParams(choice).toString()}`;
  const shown =
    fault === null
      ? `<p>${escapeHtml(subject)}</p>${mailFrame({ title: 'Mail', src, width: choice.width })}`
      : `<pre>${escapeHtml(fault)}</pre>`;
  const body = `<form data-version="${version}">${controls.join('')}</form>${shown}`;
  return pageAnswer({ title: 'Preview', body, style, script });
}

/** The html of a mail in one scheme, whatever the browser prefers. */
export function inScheme(html: string, scheme: string): string {
  const media = scheme === 'dark' ? 'all' : 'not all';
  return html.replaceAll('(prefers-color-scheme: dark)', media);
}

/** The text of a mail as html. */
export function textAsHtml(text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Text</title><pre>${escapeHtml(text)}</pre></html>`;
}

function select(name: string, values: readonly string[], chosen: string): string {
  const options = values.map((value) => `<option${value === chosen ? ' selected' : ''}>${escapeHtml(value)}</option>`);
  return `<label>${name} <select name="${name}">${options.join('')}</select></label>`;
}

function radios(name: string, values: readonly string[], chosen: string): string {
  const inputs = values.map((value) => {
    const checked = value === chosen ? ' checked' : '';
    return `<label><input type="radio" name="${name}" value="${value}"${checked}> ${value}</label>`;
  });
  return `<fieldset><legend>${name}</legend>${inputs.join('')}</fieldset>`;
}
