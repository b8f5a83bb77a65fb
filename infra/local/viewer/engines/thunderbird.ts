import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mostPixels, type Engine } from './engine.ts';
import { areInstalled, temporaryFolder, userJs } from './programs.ts';
import { startScreen } from './screen.ts';

const run = promisify(execFile);
/** Menus and headers above the mail, the attachment below it. */
const roomForItsOwn = 320;
/** In a narrower window it shows a part of the mail. */
const narrowestPx = 600;
const longestMs = 60_000;
/** A window that has its title has not painted the mail yet. */
const paintingMs = 4000;

/** No question and no notice before the mail. */
const quiet = {
  'mail.shell.checkDefaultClient': false,
  'mail.provider.suppress_dialog_on_startup': true,
  'mail.spotlight.firstRunDone': true,
  'mailnews.start_page.enabled': false,
  'app.donation.eoy.version.viewed': 999,
  'datareporting.policy.dataSubmissionEnabled': false,
};
const dark = { 'ui.systemUsesDarkTheme': 1, 'extensions.activeThemeID': 'thunderbird-compact-dark@mozilla.org' };

/** Debian's Thunderbird, with the message in a window of its own; `null` where it or the tools for it are not installed. */
export function createThunderbirdEngine(): Engine | null {
  if (!areInstalled('thunderbird', 'Xvfb', 'xdotool', 'import')) return null;
  return {
    name: 'thunderbird',
    narrowest: narrowestPx,
    tallest: mostPixels,
    async paint({ eml, subject, scheme, width, height }, path) {
      await using folder = temporaryFolder();
      const message = join(folder.path, 'mail.eml');
      await writeFile(message, eml);
      const preferences = { ...quiet, ...(scheme === 'dark' ? dark : { 'ui.systemUsesDarkTheme': 0 }) };
      await writeFile(join(folder.path, 'user.js'), userJs(preferences));
      const size = { width, height: height + roomForItsOwn };
      const screen = await startScreen(size.width, size.height);
      const env = { ...process.env, DISPLAY: screen.name };
      const program = spawn('thunderbird', ['--no-remote', '--profile', folder.path, message], {
        env,
        stdio: 'ignore',
      });
      const ended = once(program, 'close');
      try {
        const window = await windowNamed(subject, env);
        const [right, down] = [`${size.width}`, `${size.height}`];
        await run('xdotool', ['windowmove', window, '0', '0', 'windowsize', window, right, down], { env });
        await sleep(paintingMs);
        await run('import', ['-window', 'root', path], { env });
      } finally {
        program.kill();
        await ended;
        await screen.close();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The id of the first visible window whose title has the text. Throws where none appears. */
async function windowNamed(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const deadline = performance.now() + longestMs;
  const pattern = text.slice(0, 20).replaceAll(/[^\p{L}\p{N} ]/gu, '.');
  while (performance.now() < deadline) {
    const found = await run('xdotool', ['search', '--onlyvisible', '--name', pattern], { env }).catch(() => null);
    const [id = ''] = found?.stdout.split('\n') ?? [];
    if (id !== '') return id;
    await sleep(250);
  }
  throw new Error('Thunderbird showed no message within a minute.');
}
