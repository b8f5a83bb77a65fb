import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Debian's Chromium. */
const executablePath = '/usr/bin/chromium';

/** Whether there is a browser to show mails in; warns where there is none. */
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn(`Skipped: no browser at ${executablePath} (apt-get install chromium).`);

/** Starts a browser that asks nothing of the network by itself. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
}
