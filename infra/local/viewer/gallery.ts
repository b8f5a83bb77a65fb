import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from './browser.ts';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { accounts, htmlWithPictures, languages, renderCorpus, unsubscribeLink, type CorpusMail } from './corpus.ts';
import { escapeHtml } from './frame.ts';
import { otherEngines, paintInEngine, type MailFiles } from './other-engines.ts';

const folder = fileURLToPath(new URL('../../../.local/gallery', import.meta.url));
const widths = [320, 600, 1280];
/** What a reader sees before scrolling for long; the rest of the longest mails is more of the same. */
const tallest = 6000;

/** Pictures of every mail of the tests' corpus: `<account>-<language>-<scheme>-<width>.png`. Gives how many there are. */
export async function paintGallery(): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const browser = await startBrowser();
  let painted = 0;
  for (const mail of await renderCorpus()) {
    // Widths and schemes are the layout's, not the language's: one language of each account has them all.
    const [first] = languages;
    for (const scheme of mail.locale === first ? (['light', 'dark'] as const) : (['light'] as const)) {
      for (const width of mail.locale === first ? widths : widths.slice(0, 1)) {
        await paint(browser, mail, scheme, width);
        painted += 1;
      }
    }
  }
  await browser.close();
  return painted;
}

async function paint(browser: Browser, mail: CorpusMail, scheme: 'light' | 'dark', width: number): Promise<void> {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 } });
  await page.setContent(htmlWithPictures(mail));
  const height = Math.min(tallest, Number(await page.evaluate('document.documentElement.scrollHeight')));
  const name = `${slug(mail.account)}-${mail.locale}-${scheme}-${width}.png`;
  await page.screenshot({ path: join(folder, name), fullPage: true, clip: { x: 0, y: 0, width, height } });
  await page.close();
}

/** The mail that the other engines paint. */
const usual = 'eight weeks';
/** Displays that no screen uses by itself. */
const firstDisplay = 90;

/** Pictures of the usual week in the other engines that are installed: `<account>-<engine>-<scheme>-<width>.png`. */
async function paintInOtherEngines(): Promise<number> {
  const mail = (await renderCorpus()).find(({ account, locale }) => account === usual && locale === languages[0]);
  if (mail === undefined) throw new Error('There is no usual week.');
  const files = await writeMail(mail);
  let painted = 0;
  for (const engine of otherEngines) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [320, 600]) {
        const picture = join(folder, `${slug(usual)}-${engine.name}-${scheme}-${width}.png`);
        await paintInEngine(engine, files, { scheme, width, display: firstDisplay + painted }, picture);
        painted += 1;
      }
    }
  }
  return painted;
}

async function writeMail(mail: CorpusMail): Promise<MailFiles> {
  const input = accounts[mail.account];
  if (input === undefined) throw new Error('There is no such account.');
  const files = { html: join(folder, `${slug(mail.account)}.html`), eml: join(folder, `${slug(mail.account)}.eml`) };
  const settings = {
    mail: { ...input.mail, from: 'digest@example.com' },
    report: { ...input.report, name: 'weekly' },
  };
  const compose = await createMimeComposer(mail, settings);
  await writeFile(files.html, htmlWithPictures(mail));
  await writeFile(files.eml, compose({ to: 'ada@example.com', unsubscribeLink }));
  return files;
}

/** One page with all pictures of the folder, by their names. */
async function writeIndex(): Promise<void> {
  const pictures = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted();
  const figures = pictures.map((name) => {
    const shown = escapeHtml(name);
    return `<figure><a href="${shown}"><img src="${shown}" alt="" loading="lazy"></a><figcaption>${shown}</figcaption></figure>`;
  });
  const style =
    'body{display:flex;flex-wrap:wrap;gap:16px;font:13px sans-serif}figure{margin:0;width:240px}img{width:100%}';
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails</title><style>${style}</style>${figures.join('\n')}</html>`,
  );
}

function slug(account: string): string {
  return account.replaceAll(/[^a-z0-9]+/gi, '-');
}

if (import.meta.main) {
  if (hasBrowser) {
    const painted = (await paintGallery()) + (await paintInOtherEngines());
    await writeIndex();
    const names = ['Chromium', ...otherEngines.map(({ name }) => name)].join(', ');
    process.stdout.write(`${painted} pictures (${names}) are in .local/gallery/, and index.html shows them\n`);
  } else {
    process.exitCode = 1;
  }
}
