import { EventEmitter, once } from 'node:events';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import type { Loopback, LoopbackAnswer } from '../emulators/loopback.ts';
import { htmlWithPictures, completeWeek, type CorpusMail } from './samples/corpus.ts';
import { mailAnswer } from './frame.ts';
import { buildPreview, type PreviewMails } from './preview-mails.ts';
import { inScheme, previewPage, textAsHtml, type Choice, type Switches } from './preview-page.ts';
import { startViewer } from './server.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** An editor writes a file in several steps: what follows within this time is one change. */
const settleMs = 100;
/** A browser that asks whether something has changed is answered after this long at the latest. */
const longestWaitMs = 20_000;

/** The mails of the last build, or what was wrong with it. */
interface Build {
  version: number;
  mails: PreviewMails | null;
  fault: string | null;
}

/**
 * Starts the preview on loopback. Whenever a template, a locale or `cdk.json` changes, the mails are built again and the
 * browser shows them; a fault is shown in their place.
 */
export async function startPreview(): Promise<Loopback> {
  const changes = new EventEmitter();
  let last: Build = { version: 0, mails: null, fault: null };
  const rebuild = async (): Promise<void> => {
    last = await build(last);
    changes.emit('change');
  };
  await rebuild();
  let settling: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => void rebuild(), settleMs);
  };
  const watchers = [
    watch(`${repository}templates`, { recursive: true }, changed),
    watch(repository, (_, name) => void (name === 'cdk.json' && changed())),
  ];
  const served = await startViewer(async ({ pathname, searchParams }) => {
    if (pathname !== '/changed') return answer(pathname, searchParams, last);
    if (searchParams.get('since') === String(last.version)) {
      await once(changes, 'change', { signal: AbortSignal.timeout(longestWaitMs) }).catch(() => undefined);
    }
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: String(last.version) };
  });
  return {
    url: served.url,
    close: async () => {
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
      await served.close();
    },
  };
}

/** Builds the mails again; where that fails, those of `last` stay, with the fault. */
async function build(last: Build): Promise<Build> {
  const version = last.version + 1;
  try {
    return { version, mails: await buildPreview(Temporal.Now.plainDateISO('UTC').toString()), fault: null };
  } catch (error) {
    return { version, mails: last.mails, fault: error instanceof Error ? error.message : String(error) };
  }
}

function answer(pathname: string, query: URLSearchParams, { version, mails, fault }: Build): LoopbackAnswer | null {
  const switches: Switches = {
    account: mails?.accounts ?? [],
    report: mails?.reports ?? [],
    language: mails?.languages ?? [],
    width: ['320', '600', '1280'],
    scheme: ['light', 'dark'],
    part: ['html', 'text', 'page'],
  };
  const choice = readChoice(query, switches);
  const mail = fault === null ? (mails?.render(choice) ?? null) : null;
  if (pathname === '/mail' && mail !== null) {
    return mailAnswer(showPart(choice, mail, mails));
  }
  if (pathname !== '/') return null;
  return previewPage({ choice, switches, version, fault, subject: mail?.subject ?? '' });
}

function showPart(choice: Choice, mail: CorpusMail, mails: PreviewMails | null): string {
  const { part, scheme } = choice;
  if (part === 'text') return textAsHtml(mail.text);
  const html = part === 'page' ? mails?.renderPage(choice) : htmlWithPictures(mail);
  return inScheme(html ?? '', scheme);
}

/** The switches' settings. A switch that is set to none of its values has its default. */
function readChoice(query: URLSearchParams, switches: Switches): Choice {
  const choose = (name: keyof Choice, fallback = switches[name][0] ?? ''): string =>
    switches[name].find((value) => value === query.get(name)) ?? fallback;
  return {
    account: choose('account', completeWeek),
    report: choose('report'),
    language: choose('language'),
    width: choose('width', '600'),
    scheme: choose('scheme'),
    part: choose('part'),
  };
}

const usage = `npm run preview    shows the mail of sample accounts in the browser, and again whenever a template,
                   a language or cdk.json changes; Ctrl-C ends

  --help           this text

The page has switches for the account, the report of cdk.json whose title and language the mail has, another language, the width, light and
dark, html, text and the page behind the mail. The account "the last run" is the one of the last npm start.
`;

async function main(args: readonly string[]): Promise<number> {
  const [flag] = args;
  if (flag === '--help' || flag === '-h') return say(process.stdout, usage, 0);
  if (flag !== undefined)
    return say(process.stderr, `Invalid arguments:\n- unexpected argument "${flag}".\n\n${usage}`, 64);
  const { url } = await startPreview();
  return say(process.stdout, `See the mail at ${url} (Ctrl-C ends)\n`, 0);
}

function say(stream: NodeJS.WriteStream, text: string, code: number): number {
  stream.write(text);
  return code;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
