import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { mostPixels, type Engine } from './engine.ts';
import { areInstalled, temporaryFolder, userJs } from './programs.ts';

const run = promisify(execFile);
const timeout = 60_000;
/** Text is a little higher or lower than in Chromium; what is below the mail is empty. */
const roomBelow = 200;

/** Debian's Firefox, without a window; `null` where it is not installed. */
export function createFirefoxEngine(): Engine | null {
  if (!areInstalled('firefox-esr')) return null;
  return {
    name: 'firefox',
    narrowest: 0,
    tallest: mostPixels,
    async paint({ html, scheme, width, height }, path) {
      await using folder = temporaryFolder();
      const page = join(folder.path, 'mail.html');
      await writeFile(page, html);
      const preferences = { 'ui.systemUsesDarkTheme': scheme === 'dark' ? 1 : 0 };
      await writeFile(join(folder.path, 'user.js'), userJs(preferences));
      const size = `--window-size=${width},${height + roomBelow}`;
      const profile = ['--headless', '--no-remote', '--profile', folder.path];
      await run('firefox-esr', [...profile, size, '--screenshot', path, pathToFileURL(page).href], { timeout });
    },
    close: () => Promise.resolve(),
  };
}
