import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { Engine, Scheme } from './engine.ts';
import { areInstalled, isExecutable, temporaryFolder } from './programs.ts';
import { startScreen } from './screen.ts';

const browser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** A taller window stays black where no graphics card paints it. */
const screen = { width: 1400, height: 2900 };
/** Between two looks at a page that is being painted. */
const paintingMs = 1000;
const answer = v.object({ value: v.unknown() });

/** Debian's WebKitGTK, by its WebDriver (https://www.w3.org/TR/webdriver2/); `null` where it is not installed. */
export function createWebKitEngine(): Engine | null {
  if (!areInstalled('WebKitWebDriver', 'Xvfb') || !isExecutable(browser)) return null;
  const sessions = new Map<Scheme, Promise<Session>>();
  return {
    name: 'webkit',
    narrowest: 0,
    tallest: screen.height,
    async paint({ html, scheme, width }, path) {
      const session = sessions.get(scheme) ?? startSession(scheme);
      sessions.set(scheme, session);
      await using folder = temporaryFolder();
      await writeFile(join(folder.path, 'mail.html'), html);
      // The window cannot be as narrow as a phone; a frame in it can. In one that is lower than the window the top stays black.
      const frame = `<iframe src="mail.html" style="border:0;width:${width}px;height:100vh"></iframe>`;
      await writeFile(join(folder.path, 'frame.html'), `<!doctype html><body style="margin:0">${frame}</body>`);
      await writeFile(
        path,
        await (await session).picture(pathToFileURL(join(folder.path, 'frame.html')).href, 'iframe'),
      );
    },
    async close() {
      for (const session of sessions.values()) await (await session).close();
    },
  };
}

/** A browser that is driven from here. */
interface Session {
  /** A PNG of the first element that a CSS selector finds on a page. */
  picture(url: string, selector: string): Promise<Buffer>;
  close(): Promise<void>;
}

async function startSession(scheme: Scheme): Promise<Session> {
  const display = await startScreen(screen.width, screen.height);
  const port = await freePort();
  const theme = scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita';
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GTK_THEME: theme },
    stdio: 'ignore',
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = v.parse(answer, await response.json());
    if (!response.ok) throw new Error(`WebKit: ${JSON.stringify(value)}`);
    return value;
  };
  await untilItAnswers(() => call('GET', '/status'), driver);
  const options = { binary: browser, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = v.parse(v.object({ sessionId: v.string() }), await call('POST', '/session', { capabilities }));
  const session = `/session/${sessionId}`;
  await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...screen });
  return {
    async picture(url, selector) {
      await call('POST', `${session}/url`, { url });
      const element = await call('POST', `${session}/element`, { using: 'css selector', value: selector });
      const [id] = Object.values(v.parse(v.record(v.string(), v.string()), element));
      const take = async (): Promise<string> => {
        await sleep(paintingMs);
        return v.parse(v.string(), await call('GET', `${session}/element/${id}/screenshot`));
      };
      // What is loaded is painted piece by piece: it is whole when nothing changes any more.
      let before = '';
      let now = await take();
      while (now !== before) [before, now] = [now, await take()];
      return Buffer.from(now, 'base64');
    },
    async close() {
      await call('DELETE', session);
      driver.kill();
      await display.close();
    },
  };
}

async function untilItAnswers(ask: () => Promise<unknown>, driver: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (driver.exitCode !== null) throw error;
      await sleep(100);
    }
  }
}

/** A port that was free a moment ago: the driver takes no 0 and does not say which port it listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  server.close();
  await once(server, 'close');
  return port;
}
