import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import { serveOnLoopback, type Loopback, type LoopbackAnswer, type LoopbackRequest } from '../emulators/loopback.ts';
import { htmlWithPictures } from './corpus.ts';
import { buildPreview, type PreviewMails } from './mails.ts';
import { inScheme, previewPage, textPage, type Choice } from './page.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** An editor writes a file in several steps: what follows within this time is one change. */
const settleMs = 100;
/** A browser that asks whether something has changed is answered after this long at the latest. */
const longestWaitMs = 20_000;

/** What there is to see: the mails of the last build, or what was wrong with it. */
interface State {
  version: number;
  mails: PreviewMails | null;
  fault: string | null;
}

/**
 * Starts the preview on loopback. Whenever a template, a locale or `cdk.json` changes, the mails are built again and the
 * browser shows them; a fault is shown in their place.
 */
export async function startPreview(): Promise<Loopback> {
  const state: State = { version: 0, mails: null, fault: null };
  const waiting = new Set<() => void>();
  const rebuild = async (): Promise<void> => {
    await build(state);
    for (const wake of waiting) wake();
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
  const served = await serveOnLoopback((request) => answer(request, state, waiting));
  return {
    url: served.url,
    close: async () => {
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
      await served.close();
    },
  };
}

async function build(state: State): Promise<void> {
  try {
    state.mails = await buildPreview(Temporal.Now.plainDateISO('UTC').toString());
    state.fault = null;
  } catch (error) {
    state.fault = error instanceof Error ? error.message : String(error);
  }
  state.version += 1;
}

async function answer(request: LoopbackRequest, state: State, waiting: Set<() => void>): Promise<LoopbackAnswer> {
  if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? '')) return { ...page(''), status: 404 };
  const { pathname, searchParams } = new URL(request.url, 'http://loopback');
  if (pathname === '/changed') {
    if (searchParams.get('since') === String(state.version)) await nextChange(waiting);
    return page(String(state.version));
  }
  const choice = readChoice(searchParams, state.mails);
  const mail = state.fault === null ? (state.mails?.render(choice.account, choice.language) ?? null) : null;
  if (pathname === '/mail' && mail !== null) {
    return page(choice.part === 'text' ? textPage(mail.text) : inScheme(htmlWithPictures(mail), choice.scheme));
  }
  if (pathname !== '/') return { ...page(''), status: 404 };
  const { accounts = [], languages = [] } = state.mails ?? {};
  const { version, fault } = state;
  return page(previewPage({ choice, accounts, languages, version, fault, subject: mail?.subject ?? '' }));
}

function nextChange(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, longestWaitMs);
    waiting.add(wake);
  });
}

/** The switches' settings; what is not among the choices is the first of them. */
function readChoice(query: URLSearchParams, mails: PreviewMails | null): Choice {
  const choose = (name: string, values: readonly string[], first = values[0] ?? ''): string => {
    const value = query.get(name) ?? first;
    return values.includes(value) ? value : first;
  };
  return {
    account: choose('account', mails?.accounts ?? []),
    language: choose('language', mails?.languages ?? [], 'en'),
    width: choose('width', ['320', '600', '1280'], '600'),
    scheme: choose('scheme', ['light', 'dark']),
    part: choose('part', ['html', 'text']),
  };
}

function page(body: string): LoopbackAnswer {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body };
}

if (import.meta.main) {
  const { url } = await startPreview();
  process.stdout.write(`See the mail at ${url} (Ctrl-C ends)\n`);
}
