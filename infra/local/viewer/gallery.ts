// `npm run gallery`: paints the mails of the corpus as their readers see them. `--only WORD` those accounts whose name has it.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createMimeComposer } from '../../../functions/run/send/mime.ts';
import { hasBrowser, startBrowser } from './browser.ts';
import {
  accounts,
  htmlWithPictures,
  languages,
  renderCorpus,
  unsubscribeLink,
  type CorpusMail,
} from './samples/corpus.ts';
import { createChromiumEngine } from './engines/chromium.ts';
import type { Engine, Scheme } from './engines/engine.ts';
import { createFirefoxEngine } from './engines/firefox.ts';
import { createThunderbirdEngine } from './engines/thunderbird.ts';
import { createWebKitEngine } from './engines/webkit.ts';
import { galleryPage, type Picture } from './gallery-page.ts';

const folder = fileURLToPath(new URL('../../../.local/gallery', import.meta.url));
const widths = [320, 600, 1280];
const schemes: readonly Scheme[] = ['light', 'dark'];

/**
 * Paints the mails of the corpus in Chromium, and those of the first language in every other engine that is installed, with
 * an index page to look at. Gives the pictures.
 */
async function paintGallery(only: string): Promise<Picture[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const chromium = createChromiumEngine(await startBrowser());
  const others = [createFirefoxEngine(), createWebKitEngine(), createThunderbirdEngine()].filter(
    (each) => each !== null,
  );
  const pictures: Picture[] = [];
  try {
    for (const mail of (await renderCorpus()).filter(({ account }) => account.includes(only))) {
      process.stderr.write(`Painting: ${mail.account}, ${mail.locale} …\n`);
      const html = htmlWithPictures(mail);
      const eml = await messageOf(mail);
      for (const { engine, scheme, width } of viewsOf(mail, chromium, others)) {
        const height = Math.min(engine.tallest, await chromium.heightOf({ html, width }));
        const { account, locale, subject } = mail;
        const file = `${slug(account)}-${locale}-${scheme}-${width}-${engine.name}.png`;
        await engine.paint({ html, eml, subject, scheme, width, height }, join(folder, file));
        pictures.push({ file, account, locale, scheme, width, engine: engine.name });
      }
    }
  } finally {
    for (const engine of [chromium, ...others]) await engine.close();
  }
  await writeFile(join(folder, 'index.html'), galleryPage(pictures));
  return pictures;
}

/** Widths and schemes are the layout's, not the language's: one language of each account has them all. */
function viewsOf(
  { locale }: CorpusMail,
  chromium: Engine,
  others: readonly Engine[],
): Array<{ engine: Engine; scheme: Scheme; width: number }> {
  if (locale !== languages[0]) return [{ engine: chromium, scheme: 'light', width: 320 }];
  return [chromium, ...others].flatMap((engine) =>
    schemes.flatMap((scheme) =>
      widths
        .filter((width) => width >= engine.narrowest && (engine === chromium || width <= 600))
        .map((width) => ({ engine, scheme, width })),
    ),
  );
}

async function messageOf(mail: CorpusMail): Promise<Buffer> {
  const sample = accounts[mail.account];
  if (sample === undefined) throw new RangeError('There is no such account.');
  const settings = {
    mail: { brand: sample.mail.brand, from: 'digest@example.com' },
    report: { name: 'weekly', title: sample.report.title },
  };
  const rendered = { ...mail, html: mail.html.replaceAll(unsubscribeLink, 'https://example.com/leave') };
  return (await createMimeComposer(rendered, settings))({ to: 'ada@example.com' });
}

function slug(account: string): string {
  return account.replaceAll(/[^a-z0-9]+/gi, '-');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  if (hasBrowser) {
    const pictures = await paintGallery(values.only);
    const engines = [...new Set(pictures.map(({ engine }) => engine))].join(', ');
    process.stdout.write(`${pictures.length} pictures (${engines}) are in .local/gallery/, see index.html there.\n`);
  } else {
    process.exitCode = 1;
  }
}
