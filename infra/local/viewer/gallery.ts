import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from './browser.ts';
import { htmlWithPictures, languages, renderCorpus, type CorpusMail } from './corpus.ts';

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
  const name = `${mail.account.replaceAll(/[^a-z0-9]+/gi, '-')}-${mail.locale}-${scheme}-${width}.png`;
  await page.screenshot({ path: join(folder, name), fullPage: true, clip: { x: 0, y: 0, width, height } });
  await page.close();
}

if (import.meta.main) {
  if (hasBrowser) {
    const painted = await paintGallery();
    process.stdout.write(`${painted} pictures are in .local/gallery/\n`);
  } else {
    process.exitCode = 1;
  }
}
