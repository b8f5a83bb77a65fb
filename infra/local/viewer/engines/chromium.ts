import type { Browser } from 'playwright-core';
import { mostPixels, type Engine, type ShownMail } from './engine.ts';

/** Chromium, in which the mail's height is measured as well. */
export interface ChromiumEngine extends Engine {
  /** Pixels that a mail takes at a width. */
  heightOf(shown: Pick<ShownMail, 'html' | 'width'>): Promise<number>;
}

export function createChromiumEngine(browser: Browser): ChromiumEngine {
  return {
    name: 'chromium',
    narrowest: 0,
    tallest: mostPixels,
    async heightOf({ html, width }) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.setContent(html);
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      await page.close();
      return height;
    },
    async paint({ html, scheme, width, height }, path) {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 } });
      await page.setContent(html);
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
      await page.close();
    },
    close: () => browser.close(),
  };
}
